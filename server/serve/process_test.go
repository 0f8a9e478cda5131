package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// isServe is the environment variable that makes the executable of the tests the command.
const isServe = "CRDPROOF_TEST_SERVE"

func TestMain(m *testing.M) {
	if os.Getenv(isServe) != "" {
		main()
	}
	os.Exit(m.Run())
}

// serve returns the command as a process of its own.
func serve(args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), isServe+"=1")
	return c
}

// build builds a program of a module of its own, and returns its path.
func build(t *testing.T, dir string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds a program")
	}
	path := filepath.Join(t.TempDir(), "program")
	cmd := exec.Command("go", "build", "-o", path, ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// TestSignals ends the process on a signal. Nothing remains: no file and no listener.
func TestSignals(t *testing.T) {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		t.Run(s.String(), func(t *testing.T) {
			var out, errs stream
			cmd := serve(write(t, t.TempDir(), "widgets.yaml", crd("Its size.")))
			cmd.Stdout, cmd.Stderr = &out, &errs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			out.await(t, "\n")
			kubeconfig := strings.TrimSpace(strings.TrimPrefix(out.String(), "export KUBECONFIG="))
			if _, err := os.Stat(kubeconfig); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Process.Signal(s); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			if err := cmd.Wait(); err != nil {
				t.Errorf("%v\n%s", err, &errs)
			}
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("the end took %v", took)
			}
			if _, err := os.Stat(filepath.Dir(kubeconfig)); !os.IsNotExist(err) {
				t.Errorf("%s remains: %v", filepath.Dir(kubeconfig), err)
			}
			_, address, _ := strings.Cut(errs.String(), " at ")
			address, _, _ = strings.Cut(address, " ")
			if _, err := http.Get(address); err == nil || !strings.Contains(err.Error(), "refused") {
				t.Errorf("%s answers: %v", address, err)
			}
		})
	}
}

// TestCommandSignals ends a server with a command by signals. Both end, with the exit code of the command, and nothing
// remains. The environment has no more than a container's, and the processes one processor.
func TestCommandSignals(t *testing.T) {
	const patient = `trap "echo ending; exit 3" TERM; echo "$$ $KUBECONFIG"; while :; do sleep 0.01; done`
	for _, test := range []struct {
		name, script string
		signal       syscall.Signal
		toCommand    bool
		code         int
	}{
		{"SIGINT", patient, syscall.SIGINT, false, 3},
		{"SIGTERM", patient, syscall.SIGTERM, false, 3},
		{"SIGTERM not handled", `echo "$$ $KUBECONFIG"; exec sleep 60`, syscall.SIGTERM, false, 143},
		{"SIGKILL of the command", patient, syscall.SIGKILL, true, 137},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out, errs stream
			cmd := serve(write(t, t.TempDir(), "widgets.yaml", crd("Its size.")), "--", "sh", "-c",
				test.script)
			cmd.Env = []string{isServe + "=1", "PATH=" + os.Getenv("PATH"), "TMPDIR=" + t.TempDir(), "GOMAXPROCS=1"}
			cmd.Stdout, cmd.Stderr = &out, &errs
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			out.await(t, "\n")
			var command int
			var kubeconfig string
			if _, err := fmt.Sscan(out.String(), &command, &kubeconfig); err != nil {
				t.Fatal(err)
			}
			target := cmd.Process.Pid
			if test.toCommand {
				target = command
			}
			if err := syscall.Kill(target, test.signal); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait() // the exit code is the result
			if code := cmd.ProcessState.ExitCode(); code != test.code {
				t.Errorf("exit code %d, want %d\n%s", code, test.code, &errs)
			}
			if err := syscall.Kill(command, 0); err != syscall.ESRCH {
				t.Errorf("the command still runs: %v", err)
			}
			if _, err := os.Stat(filepath.Dir(kubeconfig)); !os.IsNotExist(err) {
				t.Errorf("%s remains: %v", filepath.Dir(kubeconfig), err)
			}
		})
	}
}

// TestKilledServer kills a server. Its command runs on, and the next server removes its files.
func TestKilledServer(t *testing.T) {
	var out stream
	cmd := serve("--", "sh", "-c", `echo "$KUBECONFIG"; read line; echo "read $line"`)
	cmd.Dir = t.TempDir()
	input, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out.await(t, "\n")
	dir := filepath.Dir(strings.TrimSpace(out.String()))
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, err := cmd.Process.Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(input, "more\n"); err != nil {
		t.Fatal(err)
	}
	out.await(t, "read more")
	next := serve("--", "true")
	next.Dir = cmd.Dir
	if out, err := next.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("%s remains: %v", dir, err)
	}
}

// TestKubectl does with kubectl what users do: apply, edit, patch, explain, watch and delete.
func TestKubectl(t *testing.T) {
	kubectl := build(t, "../testdata/kubectl")
	var out, errs stream
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan int)
	go func() {
		file := write(t, dir, "widgets.yaml", crd("Its size in inches."))
		done <- run(ctx, []string{file}, strings.NewReader(""), &out, &errs)
	}()
	defer func() {
		cancel()
		<-done
	}()
	out.await(t, "\n")
	env := append(os.Environ(), "HOME="+dir,
		strings.TrimSpace(strings.TrimPrefix(out.String(), "export ")), "KUBE_EDITOR=sed -i 's/size: 4/size: 5/'")
	do := func(want string, args ...string) {
		t.Helper()
		cmd := exec.Command(kubectl, args...)
		cmd.Env, cmd.Dir = env, dir
		got, err := cmd.CombinedOutput()
		if !strings.Contains(string(got), want) {
			t.Errorf("kubectl %s: %v, %q is not in:\n%s", strings.Join(args, " "), err, want, got)
		}
	}
	watch := exec.CommandContext(ctx, kubectl, "get", "widgets", "--watch", "--output-watch-events")
	var watched stream
	watch.Env, watch.Stdout, watch.Stderr = env, &watched, io.Discard
	if err := watch.Start(); err != nil {
		t.Fatal(err)
	}

	const widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec: "
	write(t, dir, "a.yaml", widget+"{size: 3}\n")
	do("Its size in inches.", "explain", "widget.spec.size")
	do("widget.example.com/a created", "apply", "-f", "a.yaml")
	do("widget.example.com/a unchanged", "apply", "-f", "a.yaml")
	do("-  size: 3\n+  size: 7", "diff", "-f", write(t, dir, "b.yaml", widget+"{size: 7}\n"))
	do("a widget is at most 10 large", "apply", "-f", write(t, dir, "e.yaml", widget+"{size: 11}\n"))
	do(`unknown field "spec.sise"`, "apply", "-f", write(t, dir, "c.yaml", widget+"{sise: 1}\n"))
	do("widget.example.com/a patched", "patch", "widget", "a", "--type=merge", "-p", `{"spec":{"size":4}}`)
	do("widget.example.com/a edited", "edit", "widget", "a")
	do("5", "get", "wd", "a", "-o", "jsonpath={.spec.size}")
	do(`conflict with "kubectl-edit"`, "apply", "--server-side", "-f", write(t, dir, "d.yaml", widget+"{size: 6}\n"))
	do("widget.example.com/a serverside-applied", "apply", "--server-side", "--force-conflicts", "-f", "d.yaml")
	do("widget.example.com/a patched", "patch", "widget", "a", "--subresource=status", "--type=merge", "-p",
		`{"status":{"ready":true}}`)
	do("NAME   SIZE\na      6", "get", "widgets")
	do("true", "get", "widget", "a", "-o", "jsonpath={.status.ready}")
	do("condition met", "wait", "widget/a", "--for=jsonpath={.status.ready}=true", "--timeout=5s")
	do(`widget.example.com "a" deleted`, "delete", "widget", "a")
	for _, event := range []string{
		"ADDED      a      3", "MODIFIED   a      4", "MODIFIED   a      6", "DELETED    a",
	} {
		watched.await(t, event)
	}

	do("configmap/m created", "create", "configmap", "m", "--from-literal=k=v")
	do("namespace/n created", "create", "namespace", "n")
	do("deployment.apps/d created", "create", "deployment", "d", "--image=nginx", "-n", "n")
	do("deployment.apps/d scaled", "scale", "deployment", "d", "--replicas=4", "-n", "n")
	do("4", "get", "deployment", "d", "-n", "n", "-o", "jsonpath={.spec.replicas}")
	do(`namespace "n" deleted`, "delete", "namespace", "n")
	do("not found", "get", "deployment", "d", "-n", "n")
	do("yes", "auth", "can-i", "create", "widgets")
	do("admin", "auth", "whoami")
	do("pod/p created", "run", "p", "--image=nginx")
	do("crdproof's API server does not have pods/log of v1", "logs", "p")
	do("Server Version: v1.37.0+crdproof", "version")
}

// TestNode creates, reads, updates and deletes custom resources with the JavaScript client of Kubernetes. If node or
// its packages cannot be had, it is skipped, unless CRDPROOF_NODE is "required".
func TestNode(t *testing.T) {
	if testing.Short() {
		t.Skip("installs packages of npm")
	}
	without := t.Skip
	if os.Getenv("CRDPROOF_NODE") == "required" {
		without = t.Fatal
	}
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			without(err)
		}
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("../testdata/node")); err != nil {
		t.Fatal(err)
	}
	install := exec.Command("npm", "ci", "--no-audit", "--no-fund", "--loglevel=error")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		without(fmt.Sprintf("%v\n%s", err, out))
	}
	var out, errs stream
	code := run(t.Context(), []string{write(t, dir, "widgets.yaml", crd("Its size.")), "--", "node",
		filepath.Join(dir, "crud.mjs")}, strings.NewReader(""), &out, &errs)
	const want = "created 3\nrejected 422\nreplaced 4\npatched 5\nlisted 1\nwatched ADDED\ndeleted 404\n"
	if code != 0 || out.String() != want {
		t.Errorf("exit code %d\n%s%s", code, &out, &errs)
	}
}
