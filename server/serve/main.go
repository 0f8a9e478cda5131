// Command serve runs a Kubernetes API server for CRDs in one process, without a cluster. It is for kubectl, for envtest
// and for clients in any language. Package server does the work; this is its command line.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/internal/cli/catalog"
	"github.com/crdproof/crdproof/internal/cli/config"
	"github.com/crdproof/crdproof/internal/console"
	"github.com/crdproof/crdproof/internal/input"
	"github.com/crdproof/crdproof/objects/crds"
	"github.com/crdproof/crdproof/server"
)

// The exit codes are those of crdproof. A signal is how a server ends, so it is a success; a command after -- has its
// own exit code.
const (
	exitClean       = 0
	exitFound       = 1
	exitUsage       = 2
	exitInterrupted = 130
)

func main() { os.Exit(run(untilSignal(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

// A signaled is why a context ends: the process has got a signal.
type signaled struct{ os.Signal }

func (s signaled) Error() string { return s.String() }

// untilSignal returns a context that the first SIGINT or SIGTERM cancels; the second one ends the process. A signal
// that is ignored when the process starts stays ignored: shells start background jobs with SIGINT ignored.
func untilSignal() context.Context {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	go func() {
		s := <-signals
		signal.Stop(signals)
		cancel(signaled{s})
	}()
	return ctx
}

// settings are the flags.
type settings struct {
	options   server.Options
	reload    bool
	asks      bool
	arguments []string
	// command runs while the server runs; it may be nil.
	command []string
}

// parse reads the command line.
func parse(args []string) (set settings, flags *pflag.FlagSet, err error) {
	if i := slices.Index(args, "--"); i >= 0 {
		args, set.command = args[:i], args[i+1:]
		if len(set.command) == 0 {
			return set, nil, errors.New("expected a command after --, for example -- kubectl get crds")
		}
	}
	flags = pflag.NewFlagSet("serve", pflag.ContinueOnError)
	flags.SetOutput(io.Discard) // errors are returned
	flags.SortFlags = false
	flags.StringSliceVar(&set.options.Packages, "paths", nil,
		"Go packages to generate CRDs from, for those that an argument would take for files")
	flags.StringVar(&set.options.Kubeconfig, "kubeconfig", "",
		"file to write the kubeconfig to; by default, a temporary one. It is removed at the end")
	flags.StringVar(&set.options.Address, "address", "127.0.0.1:0",
		"address to listen on, which only this machine reaches; the port 0 is a free one")
	flags.BoolVar(&set.reload, "reload", true, "replace CRDs when their files or Go types change")
	flags.BoolVar(&set.options.Log, "log", false, "print what the libraries of Kubernetes log")
	flags.BoolVarP(&set.asks, "help", "h", false, "print this help")
	err = flags.Parse(args)
	set.arguments = flags.Args()
	return set, flags, err
}

// run is the whole command. It returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	began := time.Now()
	set, flags, err := parse(args)
	if err != nil {
		defer fmt.Fprintln(stderr, "run `serve --help` for arguments, flags and examples")
		return fail(stderr, err)
	}
	if set.asks || slices.Equal(set.arguments, []string{"help"}) {
		fmt.Fprint(stdout, usage+"\nFlags:\n"+flags.FlagUsages())
		return exitClean
	}
	if slices.Contains(set.arguments, "-") {
		return fail(stderr, errors.New("- is not supported here: CRDs are read again when they change; name a file"))
	}
	set.options.CRDs = set.arguments
	if len(set.options.CRDs) == 0 && len(set.options.Packages) == 0 {
		if set.options.CRDs, set.options.Packages, err = usual(ctx, stderr); err != nil {
			return fail(stderr, err)
		}
	}
	changes := newChanges(set.options) // what changes while the server starts is noticed, too
	s, err := server.New(ctx, set.options)
	if err != nil {
		if ctx.Err() != nil {
			return exitInterrupted
		}
		return fail(stderr, err)
	}
	fmt.Fprintf(stderr, "%s at %s after %.1f s\n", served(s.Names()), s.Config().Host, time.Since(began).Seconds())
	code := exitClean
	if set.command != nil {
		code = runCommand(ctx, s, set.command, stdin, stdout, stderr)
	} else {
		fmt.Fprintf(stdout, "export KUBECONFIG=%s\n", s.Kubeconfig())
		wait(ctx, s, set, changes, stderr)
	}
	if err := s.Stop(); err != nil {
		return max(code, fail(stderr, err))
	}
	return code
}

// served is the line that says what is served.
func served(names []string) string {
	switch n := len(names); n {
	case 0:
		return "serving no CRDs"
	case 1:
		return "serving " + names[0]
	default:
		return fmt.Sprintf("serving %d CRDs", n)
	}
}

// wait reloads CRDs until the server is to end.
func wait(ctx context.Context, s *server.Server, set settings, changes *changes, stderr io.Writer) {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.Done():
			return
		case <-tick.C:
		}
		if !set.reload || !changes.settled() {
			continue
		}
		before := s.Names()
		names, err := s.Load(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			fail(stderr, err)
			fmt.Fprintln(stderr, "the CRDs with errors are served as they were")
		default:
			fmt.Fprintln(stderr, "reloaded: "+served(names))
		}
		for _, name := range before {
			if err == nil && !slices.Contains(names, name) {
				fmt.Fprintln(stderr, diag.Printable(fmt.Sprintf("%s was removed from the files, but is still served: "+
					"kubectl delete crd %[1]s deletes it with its objects", name)))
			}
		}
	}
}

// runCommand runs a command that finds the server, and returns its exit code. It ends the command if the server ends.
func runCommand(
	ctx context.Context, s *server.Server, command []string, stdin io.Reader, stdout, stderr io.Writer,
) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-s.Done():
			cancel()
		case <-ctx.Done():
		}
	}()
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Stdin, c.Stdout, c.Stderr = stdin, stdout, stderr
	c.Env = append(os.Environ(), "KUBECONFIG="+s.Kubeconfig())
	c.Cancel = func() error {
		// A terminal sends SIGINT to the command, too. Many programs end at once at the second signal.
		if context.Cause(ctx) == (signaled{os.Interrupt}) && console.Is(stdin) {
			return nil
		}
		return c.Process.Signal(syscall.SIGTERM)
	}
	c.WaitDelay = 10 * time.Second // then the command is killed
	if err := c.Run(); c.ProcessState == nil {
		return fail(stderr, err)
	}
	// As in shells, the exit code of a command that a signal ends is 128 and the number of the signal.
	if status, ok := c.ProcessState.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return c.ProcessState.ExitCode()
}

// usual returns where the CRDs of this directory are, as projects keep them: files or Go packages. If there are none,
// it prints where it has looked.
func usual(ctx context.Context, stderr io.Writer) (files, packages []string, err error) {
	settings, problems := config.Load(ctx, "", catalog.Checks())
	if diag.HasErrors(problems) {
		return nil, nil, &server.Findings{List: problems}
	}
	where, problem := crds.Where{Usual: settings.CRDs}.Settled()
	switch {
	case problem != nil && len(settings.CRDs) > 0:
		return nil, nil, &server.Findings{List: []diag.Diagnostic{*problem}}
	case problem != nil:
		fmt.Fprintln(stderr, "no CRDs found; "+strings.Join(problem.Notes, "\n"))
		return nil, nil, nil
	}
	for _, path := range where.Paths {
		packages = append(packages, where.Dir+strings.TrimPrefix(path, "."))
	}
	return where.Files, packages, nil
}

// fail prints an error, and returns the exit code.
func fail(stderr io.Writer, err error) int {
	var found *server.Findings
	if !errors.As(err, &found) {
		fmt.Fprintln(stderr, diag.Printable("error: "+err.Error()))
		return exitUsage
	}
	dir, err := os.Getwd()
	if err != nil {
		dir = "" // paths are absolute then
	}
	options := diag.TextOptions{Dir: dir, Color: console.Colors(stderr), Width: console.Columns(stderr), Max: 50}
	if err := diag.Text(stderr, found.List, options); err != nil {
		return exitUsage
	}
	for i := range found.List {
		if found.List[i].Check == input.Option.ID || found.List[i].Check == input.File.ID {
			return exitUsage
		}
	}
	return exitFound
}
