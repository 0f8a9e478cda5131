//go:build unix

package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"github.com/creack/pty"
)

func init() { programs["terminal"] = inTerminal }

// inTerminal runs the command of its arguments in a new terminal, which only /dev/tty names, and writes what appears
// there to the file that its first argument names. The terminal has as many columns as TERMINAL_COLUMNS says, if it is
// set, and otherwise does not say how many.
func inTerminal() {
	file, args := os.Args[1], os.Args[2:]
	control, terminal, err := pty.Open()
	if err != nil {
		panic(err)
	}
	if columns, err := strconv.ParseUint(os.Getenv("TERMINAL_COLUMNS"), 10, 16); err == nil {
		if err := pty.Setsize(terminal, &pty.Winsize{Rows: 24, Cols: uint16(columns)}); err != nil {
			panic(err)
		}
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.ExtraFiles = []*os.File{terminal}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 3}
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	if err := terminal.Close(); err != nil {
		panic(err)
	}
	// When the last process has closed the terminal, and everything is read, a read fails: with EIO on Linux.
	shown, err := io.ReadAll(control)
	if err != nil && !errors.Is(err, syscall.EIO) {
		panic(err)
	}
	if err := os.WriteFile(file, shown, 0o600); err != nil {
		panic(err)
	}
	_ = cmd.Wait() // the exit code says it
	os.Exit(cmd.ProcessState.ExitCode())
}
