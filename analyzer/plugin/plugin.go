// Package plugin is a module plugin of golangci-lint. docs/linting.md shows its settings.
package plugin

import (
	"context"
	"fmt"
	"os"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/crdproof/crdproof/analyzer"
	"github.com/crdproof/crdproof/internal/cli/lint"
)

// golangci-lint finds a plugin in the table to which its package adds it when it is imported.
func init() { register.Plugin(analyzer.Name, New) }

// New returns the plugin. It has no settings of its own: crdproof reads .crdproof.yaml.
func New(settings any) (register.LinterPlugin, error) {
	if settings != nil {
		return nil, fmt.Errorf("expected no settings: write those of crdproof in .crdproof.yaml")
	}
	return plugin{}, nil
}

type plugin struct{}

// BuildAnalyzers implements register.LinterPlugin. The second analyzer does nothing, but golangci-lint keeps results
// by the names of analyzers: its name changes with the settings of crdproof.
func (plugin) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	return []*analysis.Analyzer{analyzer.New(), {
		Name: analyzer.Name + "_settings_" + lint.SettingsID(context.Background(), dir),
		Doc:  "lets golangci-lint notice changes of the settings",
		Run:  func(*analysis.Pass) (any, error) { return nil, nil },
	}}, nil
}

// GetLoadMode implements register.LinterPlugin. With types, golangci-lint also notices changes of imported packages.
func (plugin) GetLoadMode() string { return register.LoadModeTypesInfo }
