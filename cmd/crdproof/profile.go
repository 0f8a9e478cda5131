package main

import (
	"fmt"
	"os"
	"runtime/pprof"
)

// profiled runs the process. For the developers of crdproof, it writes a profile of the processor's time to the file
// that CRDPROOF_CPUPROFILE names.
func profiled(process func() int) int {
	path := os.Getenv("CRDPROOF_CPUPROFILE")
	if path == "" {
		return process()
	}
	f, err := os.Create(path)
	if err == nil {
		err = pprof.StartCPUProfile(f)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "crdproof: CRDPROOF_CPUPROFILE:", err)
		return exitUsage
	}
	code := process()
	pprof.StopCPUProfile()
	if err := f.Close(); err != nil {
		fmt.Fprintln(os.Stderr, "crdproof: CRDPROOF_CPUPROFILE:", err)
		return exitUsage
	}
	return code
}
