package harness

import (
	"fmt"
	"slices"

	"github.com/crdproof/crdproof/testdata/circle/fill"
)

// tries is how many values may be made to show that a warning is true: where something has to show in a list, or behind
// a pointer, chance decides where.
const tries = 64

// checkAlarms demands a value for each warning that shows it to be true.
func (c *checker) checkAlarms(warnings []remark) error {
	c.mutation, c.unset = 0, nil
	for i, w := range warnings {
		a := announcements[w.rule]
		if a.shows == nil {
			continue
		}
		place := c.announcer.file.At(w.at)
		isTrue := false
		for n := range tries * len(a.shows) {
			show := fill.Show{Keys: place.Keys, As: a.shows[n%len(a.shows)]}
			c.value = c.cfg.Seed<<20 ^ uint64(1<<16+i<<8+n)
			made, err := c.process.Show(c.result.kind.Name, c.value, show)
			if err != nil {
				return err
			}
			if c.json = made.JSON; made.Error == "" && c.shows(made.JSON, a, place.Keys) {
				isTrue = true
				break
			}
		}
		c.result.alarms++
		if !isTrue {
			c.failAt(classAlarm, append([]string{"spec"}, place.Keys...), w.rule,
				fmt.Sprintf("no value shows this: %s", w.message))
		}
	}
	return nil
}

// shows reports whether an object fails as announced at or below one of the keys.
func (c *checker) shows(data []byte, a announcement, keys []string) bool {
	object := any(exact(data))
	return slices.ContainsFunc(c.writeFindings(data, c.resource.Create(data)), func(f finding) bool {
		isThere := slices.ContainsFunc(f.path, func(key string) bool { return slices.Contains(keys, key) })
		return isThere && slices.Contains(a.excuses, f.class) && (a.of == nil || a.of(at(object, f.path)))
	})
}
