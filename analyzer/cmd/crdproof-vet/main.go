// Command crdproof-vet reports what crdproof finds in each package: go vet -vettool=$(which crdproof-vet) ./...
package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/go-logr/logr"
	"golang.org/x/tools/go/analysis/unitchecker"
	"k8s.io/klog/v2"

	"github.com/crdproof/crdproof/analyzer"
	"github.com/crdproof/crdproof/internal/cli/lint"
)

func main() {
	klog.SetLogger(logr.Discard()) // the API server's library logs for its operators, not for users
	if slices.Equal(os.Args[1:], []string{"-V=full"}) {
		if err := printVersion(os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	unitchecker.Main(analyzer.New(), analyzer.Comments())
}

// printVersion prints what identifies the results of the program to the go command, which keeps them: the program
// itself, and the settings of the working directory.
func printVersion(w io.Writer) error {
	path, err := os.Executable()
	if err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return err
	}
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	h.Write([]byte(lint.SettingsID(context.Background(), dir)))
	_, err = fmt.Fprintf(w, "crdproof-vet version devel buildID=%x\n", h.Sum(nil))
	return err
}
