package main

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"
)

// orderSuite is a suite for the CRD of the scaffolds.
const orderSuite = `crdName: orders.shop.example.com
tests:
  onCreate:
  - name: a number
    initial: |
      apiVersion: shop.example.com/v1
      kind: Order
      spec: {foo: 3}
    expectedError: spec.foo
`

// hookTrees are repositories as kubebuilder and operator-sdk generate them, and one with a chart of Helm.
func hookTrees(t *testing.T) map[string]map[string]string {
	t.Helper()
	out := map[string]map[string]string{}
	for _, name := range []string{"kubebuilder_v4", "operator_sdk"} {
		a, err := txtar.ParseFile(filepath.Join(root(t), "testdata", "script", "scaffold_"+name+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = map[string]string{"tests/orders.testsuite.yaml": orderSuite}
		for _, f := range a.Files {
			if strings.HasPrefix(f.Name, "config/") {
				out[name][f.Name] = string(f.Data)
			}
		}
	}
	scaffold := out["kubebuilder_v4"]
	out["chart"] = map[string]string{
		"charts/shop/Chart.yaml":            "apiVersion: v2\nname: shop\nversion: 0.1.0\n",
		"charts/shop/crds/orders.yaml":      scaffold["config/crd/bases/shop.example.com_orders.yaml"],
		"charts/shop/templates/role.yaml":   "{{- if .Values.rbac }}\n{{ .Values.rules | toYaml }}\n{{- end }}\n",
		"config/samples/shop_v1_order.yaml": scaffold["config/samples/shop_v1_order.yaml"],
		"tests/orders.testsuite.yaml":       orderSuite,
	}
	return out
}

// A hookCommit is one that hooks check: the changed files, and the hooks that run and those that fail, by their last word.
type hookCommit struct {
	tree, files string
	// change replaces a text in the files.
	from, to   string
	run, fails string
}

func hookCommits() []hookCommit {
	const crd, all = "config/crd/bases/shop.example.com_orders.yaml", "check validate test"
	return []hookCommit{
		{tree: "kubebuilder_v4", files: "config/crd/kustomization.yaml", run: all},
		{tree: "kubebuilder_v4", files: "config/crd/patches/webhook_in_orders.yaml", run: all},
		{tree: "kubebuilder_v4", files: "config/crd/kustomizeconfig.yaml " + crd, run: all},
		{tree: "kubebuilder_v4", files: "config/samples/kustomization.yaml", run: "validate"},
		{tree: "kubebuilder_v4", files: "config/samples/shop_v1_order.yaml", run: "validate"},
		{tree: "kubebuilder_v4", files: "config/default/kustomization.yaml README.md main.go"},
		{tree: "kubebuilder_v4", files: "tests/orders.testsuite.yaml", run: "test"},
		{tree: "kubebuilder_v4", files: "config/samples/shop_v1_order.yaml", from: "kind: Order", to: "kind: Orders",
			run: "validate", fails: "validate"},
		{tree: "kubebuilder_v4", files: crd, from: "type: object", to: "type: objekt", run: all, fails: all},
		{tree: "kubebuilder_v4", files: "tests/orders.testsuite.yaml", from: "foo: 3", to: "foo: three",
			run: "test", fails: "test"},
		{tree: "operator_sdk", files: "config/crd/kustomization.yaml", run: all},
		{tree: "operator_sdk", files: "config/crd/patches/cainjection_in_orders.yaml", run: all},
		{tree: "operator_sdk", files: "config/manifests/kustomization.yaml config/scorecard/bases/config.yaml"},
		{tree: "chart", files: "charts/shop/Chart.yaml charts/shop/templates/role.yaml"},
		{tree: "chart", files: "charts/shop/crds/orders.yaml", run: all},
		{tree: "chart", files: "charts/shop/crds/orders.yaml", from: "type: object", to: "type: objekt", run: all,
			fails: all},
	}
}

// write writes the repository of a commit, and returns its directory, whose name has spaces.
func (c *hookCommit) write(t *testing.T) string {
	t.Helper()
	files := maps.Clone(hookTrees(t)[c.tree])
	for _, name := range strings.Fields(c.files) {
		before := files[name]
		if files[name] = strings.Replace(before, c.from, c.to, 1); c.from != "" && files[name] == before {
			t.Fatalf("%s does not contain %q", name, c.from)
		}
	}
	dir := filepath.Join(t.TempDir(), "my shop")
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	return dir
}

// ownHooks returns the hooks of .pre-commit-hooks.yaml.
func ownHooks(t *testing.T) (out []hook) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root(t), ".pre-commit-hooks.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.UnmarshalStrict(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestHooks runs the hooks as pre-commit does: those whose pattern matches a changed file, with their own arguments.
func TestHooks(t *testing.T) {
	for _, c := range hookCommits() {
		t.Run(c.tree+" "+c.files+c.to, func(t *testing.T) {
			t.Chdir(c.write(t))
			var ran, failed []string
			for _, h := range ownHooks(t) {
				if h.PassFilenames == nil || *h.PassFilenames {
					t.Errorf("%s gets the names of files", h.ID)
				}
				files := regexp.MustCompile(h.Files)
				if !slices.ContainsFunc(strings.Fields(c.files), files.MatchString) {
					continue
				}
				words := append(strings.Fields(h.Entry), h.Args...)
				var out bytes.Buffer
				code := run(t.Context(), words[1:], strings.NewReader(""), &out, &out)
				ran = append(ran, words[1])
				if code != exitClean {
					failed = append(failed, words[1])
				}
				t.Logf("%s ends with %d\n%s", h.ID, code, out.String())
			}
			if got := strings.Join(ran, " "); got != c.run {
				t.Errorf("ran %q, want %q", got, c.run)
			}
			if got := strings.Join(failed, " "); got != c.fails {
				t.Errorf("failed: %q, want %q", got, c.fails)
			}
		})
	}
}

// TestPreCommit runs the hooks with pre-commit, which builds crdproof once, from the files of this repository.
func TestPreCommit(t *testing.T) {
	program, err := exec.LookPath("pre-commit")
	if err != nil || testing.Short() {
		t.Skip("needs pre-commit, and time to build crdproof")
	}
	goEnv := goEnvironment(t, "GOCACHE", "GOMODCACHE")
	home := t.TempDir()
	start := func(t *testing.T, dir, name string, args ...string) (string, error) {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+home, "PRE_COMMIT_HOME="+home, "GOCACHE="+goEnv["GOCACHE"],
			"GOMODCACHE="+goEnv["GOMODCACHE"], "GOFLAGS=", "GIT_CONFIG_GLOBAL="+os.DevNull,
			"GIT_AUTHOR_NAME=you", "GIT_AUTHOR_EMAIL=you@example.com", "GIT_COMMITTER_NAME=you",
			"GIT_COMMITTER_EMAIL=you@example.com")
		out, err := cmd.CombinedOutput()
		return strings.TrimSpace(string(out)), err
	}
	git := func(t *testing.T, dir string, args ...string) string {
		t.Helper()
		out, err := start(t, dir, "git", args...)
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return out
	}
	own := filepath.Join(t.TempDir(), "crdproof")
	files, err := moduleFiles(root(t), append(sourceFolders(t), "go.mod", "go.sum", ".pre-commit-hooks.yaml")...)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		copyFile(t, f.(moduleFile).file, filepath.Join(own, filepath.FromSlash(f.Path())))
	}
	git(t, own, "init", "-q")
	git(t, own, "add", "-f", ".")
	git(t, own, "commit", "-qm", "x")
	config := "repos:\n- repo: " + own + "\n  rev: " + git(t, own, "rev-parse", "HEAD") + "\n  hooks:\n"
	for _, h := range ownHooks(t) {
		config += "  - id: " + h.ID + "\n"
	}
	for _, c := range hookCommits() {
		t.Run(c.tree+" "+c.files+c.to, func(t *testing.T) {
			dir := c.write(t)
			if err := os.WriteFile(filepath.Join(dir, ".pre-commit-config.yaml"), []byte(config), 0o666); err != nil {
				t.Fatal(err)
			}
			git(t, dir, "init", "-q")
			git(t, dir, "add", ".")
			out, err := start(t, dir, program, append([]string{"run", "--files"}, strings.Fields(c.files)...)...)
			if (err != nil) != (c.fails != "") {
				t.Errorf("%v\n%s", err, out)
			}
			for _, h := range ownHooks(t) {
				word, want := strings.Fields(h.Entry)[1], `\.+\(no files to check\)Skipped`
				switch {
				case slices.Contains(strings.Fields(c.fails), word):
					want = `\.+Failed`
				case slices.Contains(strings.Fields(c.run), word):
					want = `\.+Passed`
				}
				if want = regexp.QuoteMeta(h.Name) + want; !regexp.MustCompile(want).MatchString(out) {
					t.Errorf("no match for %s in\n%s", want, out)
				}
			}
		})
	}
}

// copyFile copies a file into a directory that may not exist.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o777)
	}
	if err == nil {
		err = os.WriteFile(to, data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}
