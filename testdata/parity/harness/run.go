package harness

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Job is one start of a tool.
type Job struct {
	// Tool is the path of the binary.
	Tool string
	// Dir is the working directory.
	Dir string
	// Flags stand before all options.
	Flags []string
	// Options are those of crd:, without its name.
	Options []string
	// Paths is the value of paths=.
	Paths string
	// Out is the directory to write to.
	Out string
	// Env is added to the environment.
	Env []string
}

// A Report is what a Job took and said.
type Report struct {
	// Wall is the time from start to exit, CPU that of all processors. The go commands that the tool starts are included.
	Wall, CPU time.Duration
	// Peak is the largest resident set of the tool's own process in bytes; 0 where the system does not tell.
	Peak int64
	// Output is standard output and standard error.
	Output string
}

// Args are the arguments of the command line; both tools take the same options.
func (j Job) Args() []string {
	crd := "crd"
	if len(j.Options) > 0 {
		crd += ":" + strings.Join(j.Options, ",")
	}
	return append(slices.Clone(j.Flags), crd, "paths="+j.Paths, "output:dir="+j.Out)
}

// Run starts the tool and waits for it. A non-zero exit is an error; the Report is filled all the same.
func Run(ctx context.Context, j Job) (Report, error) {
	if err := os.MkdirAll(j.Out, 0o755); err != nil {
		return Report{}, err
	}
	var output bytes.Buffer
	cmd := exec.CommandContext(ctx, j.Tool, j.Args()...)
	cmd.Dir = j.Dir
	cmd.Env = append(environ(), j.Env...)
	cmd.Stdout, cmd.Stderr = &output, &output

	start := time.Now()
	if err := cmd.Start(); err != nil {
		return Report{}, err
	}
	exited := make(chan struct{})
	peak := make(chan int64)
	go func() { peak <- watchPeak(cmd.Process.Pid, exited) }()
	err := cmd.Wait()
	wall := time.Since(start)
	close(exited)

	r := Report{Wall: wall, Peak: <-peak, Output: output.String()}
	if s := cmd.ProcessState; s != nil {
		r.CPU = s.UserTime() + s.SystemTime()
	}
	if err != nil {
		err = fmt.Errorf("%s %s: %w", j.Tool, strings.Join(j.Args(), " "), err)
	}
	return r, err
}

// watchInterval is short against a run and long against one reading, which takes some 20 µs.
const watchInterval = 4 * time.Millisecond

// watchPeak reads the high-water mark of a process until it has exited. The rusage of a waited-for child would not do:
// the kernel counts into it the largest of the child's own children, here the go command, and the pages shared with
// the parent before exec.
func watchPeak(pid int, exited <-chan struct{}) int64 {
	tick := time.NewTicker(watchInterval)
	defer tick.Stop()
	var peak int64
	for {
		select {
		case <-exited:
			return peak
		case <-tick.C:
			peak = max(peak, highWater(pid))
		}
	}
}

// highWater is VmHWM of /proc/<pid>/status in bytes; 0 where there is none.
func highWater(pid int) int64 {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	_, rest, found := strings.Cut(string(status), "VmHWM:")
	if !found {
		return 0
	}
	line, _, _ := strings.Cut(rest, "\n")
	kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(line), " kB"), 10, 64)
	if err != nil {
		return 0
	}
	return kib << 10
}
