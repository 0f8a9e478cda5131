package sample

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
)

// TestDurations writes random durations as people do, and compares what is read with time.ParseDuration.
func TestDurations(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	units := []struct {
		length time.Duration
		names  []string
	}{
		{7 * 24 * time.Hour, []string{"w", " weeks "}}, {24 * time.Hour, []string{"d", " days, "}},
		{time.Hour, []string{"h", " hours and ", "hr"}}, {time.Minute, []string{"m", " min ", " minutes"}},
		{time.Second, []string{"s", " sec", " seconds"}}, {time.Millisecond, []string{"ms"}},
	}
	for range 1000 {
		text, want := "", time.Duration(0)
		for _, u := range units {
			if n := r.IntN(90); r.IntN(3) == 0 {
				text += fmt.Sprint(n) + u.names[r.IntN(len(u.names))]
				want += time.Duration(n) * u.length
			}
		}
		got, err := time.ParseDuration(durationOf(text))
		if text != "" && (err != nil || got != want) {
			t.Errorf("%q is read as %q, %v, want %v", text, durationOf(text), err, want)
		}
	}
}

func TestReadings(t *testing.T) {
	for text, want := range map[string]string{
		"7d": "168h", "1h30": "1h30m", "5 minutes": "5m", "90 sec": "1m30s", "1.5 days": "36h", "1h": "1h", "1m30": "1m30s",
		"soon": "", "10": "", "10 parsecs": "", "": "",
	} {
		if got := durationOf(text); got != want {
			t.Errorf("duration %q is read as %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"10GB": "10G", "512 mib": "512Mi", "1,5Gi": "1.5Gi", "10K": "10k", "5gb": "5G", "2 TiB": "2Ti", "100B": "100",
		"lots": "", "10iB": "", "": "", "5 bytes": "5",
	} {
		got := quantityOf(text)
		if got != want {
			t.Errorf("quantity %q is read as %q, want %q", text, got, want)
		}
		if _, err := resource.ParseQuantity(got); got != "" && err != nil {
			t.Errorf("%q is read as %q: %v", text, got, err)
		}
	}
}
