// Package unchanged returns the result of an earlier run if a run would read the same.
//
// What enters is a request: all that identifies a run without reading a file. After a run, the packages that it read
// enter too. What leaves is the result of an earlier run, or nothing. It is exact: every file, directory, program and
// variable that can change a result is a fact, or a part of the request. If the facts of a run are not all known, its
// result is not stored.
//
// A file whose size and times are as before is not read again. So these changes are not noticed:
//
//   - A write through a shared mapping of a file, if it follows another one. The times change when a page of the
//     mapping is written for the first time, and again only after the system has written the page to disk (msync).
//   - A second change under the same time: after the clock of the system was set back, or on a file server whose clock
//     is late by more than the age that a change must have (filestate.State.IsSettled).
//   - A change that a network file system does not yet report, because it caches sizes and times.
//   - A change of the same size after which a program sets the old time, on systems without a time of the last change,
//     such as Windows, and on file systems that do not keep it.
//   - A change of the disk below the file system.
//
// Of the go command and of C compilers, only the size and the first 32 KiB are compared, which contain the build ID of
// a Go program. In the standard library and in the module cache, only files that were read are compared: no program
// adds others.
//
// A result has two entries in the cache. The request leads to the first: the facts of the last run with their hashes,
// and with the times and sizes that show whether a hash is still valid. All hashes together lead to the second: the
// result. The files:
//
//  1. fact.go: a fact, and its hash
//  2. environment.go: variables and programs
//  3. collect.go: the facts of a run
package unchanged

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/crdproof/crdproof/generator/load"
	"github.com/crdproof/crdproof/internal/cache"
	"github.com/crdproof/crdproof/internal/filestate"
	"github.com/crdproof/crdproof/internal/stage"
)

// A Request identifies a run.
type Request struct {
	// Options are the words of the command line, and what else decides the result.
	Options []string
	// Paths are the package patterns.
	Paths []string
	// Files are those that the run reads besides Go packages.
	Files []string
	// Began is a time before the run has read anything.
	Began time.Time
}

// A Read is what a run has read.
type Read struct {
	// Packages are those that the go command listed.
	Packages []load.Listed
	// Dirs are directories whose Go files were read besides.
	Dirs []string
}

// A Run is one run of a request.
type Run struct {
	cache   *cache.Cache
	request Request
	dir     string
	key     cache.Key
	// why says why nothing was found, or why nothing was stored.
	why         string
	environment func() environment
}

// The kinds of entries.
const (
	factsKind  = "facts"
	resultKind = "result"
)

// Begin returns a run of a request. Its methods do nothing if there is no cache.
func Begin(c *cache.Cache, request Request) *Run {
	r := &Run{cache: c, request: request}
	if r.why = c.Unusable(); r.why != "" {
		r.cache = nil
		return r
	}
	dir, err := os.Getwd()
	if err != nil {
		r.cache, r.why = nil, "the working directory is unknown"
		return r
	}
	r.dir = dir
	h := c.Hasher()
	h.String(dir)
	h.Strings(request.Options)
	h.Strings(request.Paths)
	h.Strings(request.Files)
	h.Strings(variables(os.Environ()))
	key, ok := h.Key()
	if !ok {
		r.cache, r.why = nil, "this program cannot be identified"
	}
	r.key = key
	return r
}

// Why says why there was no result, or why the result was not stored.
func (r *Run) Why() string { return r.why }

// Result returns the result of an earlier run that has read the same.
func (r *Run) Result() ([]byte, bool) {
	if r.cache == nil {
		return nil, false
	}
	data, ok := r.cache.Get(factsKind, r.key)
	env, facts, whole := readFacts(data)
	if !ok || !whole {
		r.why = "this command line has not been run here before"
		r.environment = startEnvironment(r.dir)
		return nil, false
	}
	now := slices.Clone(facts)
	began := time.Now()
	each(len(now), func(i int) { now[i].update(began) })
	holds := env.holds(facts, now)
	result, ok := r.cache.Get(resultKind, digest(r.key, now))
	switch {
	case ok && holds && !slices.Equal(facts, now):
		r.cache.Put(factsKind, r.key, writeFacts(env, now)) // so that the next run need not compute the hashes again
	case !ok && holds:
		r.environment = func() environment { return env }
	case !ok:
		r.environment = startEnvironment(r.dir)
	}
	if !ok {
		r.why = difference(facts, now)
	}
	return result, ok
}

// difference names a fact that has changed.
func difference(before, now []fact) string {
	for i := range before {
		if before[i].hash != now[i].hash {
			return before[i].path + " has changed"
		}
	}
	return "the result of the last run was removed"
}

// Store stores the result of the run. It must be called before the run writes its files, which may be
// facts. encode returns false if the result cannot be stored; known reports whether a file is a fact.
func (r *Run) Store(read Read, encode func(w *cache.Writer, known func(path string) bool) bool) {
	if r.cache == nil || r.environment == nil {
		return
	}
	env := r.environment()
	facts, doubt := collect(r.request, r.dir, read, env)
	if doubt == "" {
		doubt = r.measure(facts)
	}
	var w cache.Writer
	isFact := map[string]bool{}
	for i := range facts {
		isFact[facts[i].path] = true
	}
	if doubt == "" && !encode(&w, func(path string) bool { return isFact[path] }) {
		doubt = "a finding is about a file that the run has not read"
	}
	if doubt != "" {
		r.why += "; this run is not stored: " + doubt
		return
	}
	r.cache.Put(resultKind, digest(r.key, facts), w.Data())
	r.cache.Put(factsKind, r.key, writeFacts(env, facts))
}

// measure computes the hashes. It names a fact that may have changed since the run began: then the result may
// belong to its earlier content.
func (r *Run) measure(facts []fact) (doubt string) {
	sound := make([]bool, len(facts))
	each(len(facts), func(i int) { sound[i] = facts[i].record(r.request.Began) })
	if i := slices.Index(sound, false); i >= 0 {
		return facts[i].path + " was changed a moment ago"
	}
	return ""
}

// each calls do with the index of each fact, in parallel.
func each(n int, do func(i int)) {
	const size = 64 // for most facts, the system is called once
	stage.Each((n+size-1)/size, func(part int) {
		for i := part * size; i < min(n, (part+1)*size); i++ {
			do(i)
		}
	})
}

// digest returns the key of the result of a run with these facts.
func digest(request cache.Key, facts []fact) (key cache.Key) {
	h := sha256.New()
	h.Write(request[:])
	for i := range facts {
		f := &facts[i]
		h.Write([]byte{byte(f.kind)})
		h.Write([]byte(f.path))
		h.Write([]byte{0})
		h.Write(f.hash[:])
	}
	h.Sum(key[:0])
	return key
}

// writeFacts encodes an environment and facts.
func writeFacts(env environment, facts []fact) []byte {
	var w cache.Writer
	cache.WriteList(&w, environmentNames, func(name string) { w.String(env[name]) })
	cache.WriteList(&w, facts, func(f fact) {
		w.Int(int(f.kind))
		w.String(f.path)
		for _, n := range f.at.Numbers() {
			w.Int(int(n))
		}
		w.Bytes(f.hash[:])
	})
	return w.Data()
}

// readFacts decodes what writeFacts has encoded.
func readFacts(data []byte) (environment, []fact, bool) {
	r := cache.NewReader(data)
	env := environment{}
	for i, value := range r.Strings() {
		env[environmentNames[i%len(environmentNames)]] = value
	}
	number := func() int64 { return int64(r.Int()) }
	list := cache.ReadList(r, func() fact {
		f := fact{kind: kind(r.Int()), path: r.String()}
		f.at = filestate.State{Mode: number(), Size: number(), Modified: number(), Changed: number(), Node: number(),
			Device: number()}
		copy(f.hash[:], r.Bytes())
		return f
	})
	return env, list, r.Complete()
}

// absolute returns a path from the working directory.
func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}
