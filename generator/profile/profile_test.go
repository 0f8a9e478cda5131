package profile_test

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/crdproof/crdproof/diag"
	"github.com/crdproof/crdproof/emit/crd"
	"github.com/crdproof/crdproof/generator/profile"
	"github.com/crdproof/crdproof/rules"
	"github.com/crdproof/crdproof/rules/session"
	"github.com/crdproof/crdproof/schema"
	"github.com/crdproof/crdproof/schema/read"
)

var update = flag.Bool("update", false, "rewrite the expected CRD")

// TestMinimal leaves out the schemas of fields of all types. API servers accept the result, whose selectable fields
// need their types. A field with a default is not required then: objects may lack it.
func TestMinimal(t *testing.T) {
	const path = "testdata/minimal.txtar"
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	docs, found := read.Documents(&diag.Source{Path: "whole.yaml", Data: archive.Files[0].Data})
	if len(docs) != 1 || len(found) > 0 {
		t.Fatal(len(docs), found)
	}
	output := profile.Output{OmitSchemas: true}
	minimal := output.Vary(docs[0].CRD)
	for _, c := range []*schema.CRD{docs[0].CRD, minimal} {
		for _, d := range diag.Errors(rules.Check(t.Context(), session.New(c, nil, session.Options{}))) {
			t.Errorf("%s: %s", d.Check, d.Message)
		}
	}
	got := crd.Encode(minimal, crd.Options{})
	if *update {
		archive.Files[1].Data = got
		if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want := archive.Files[1].Data; !bytes.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestNames expands the placeholders of names, and reports names that are not for files of several CRDs.
func TestNames(t *testing.T) {
	text := func(s string) schema.Text { return schema.Text{V: s} }
	c := &schema.CRD{Group: text("shop.io"), Kind: text("Order"), Plural: text("orders"), Singular: text("order")}
	for name, want := range map[string]string{
		"":                             "crds/shop.io_orders.yaml",
		"{plural}.yaml":                "crds/orders.yaml",
		"crd-{kind}.{group}.yaml":      "crds/crd-Order.shop.io.yaml",
		"{singular}{singular}-v1.yaml": "crds/orderorder-v1.yaml",
	} {
		o := profile.Output{Dir: "crds", FileName: text(name)}
		why, _ := profile.NameFault(name)
		if got := o.Path(c); got != want || name != "" && why != "" || !o.Names(got) {
			t.Errorf("%q: got %s, want %s: %s", name, got, want, why)
		}
	}
	for name, want := range map[string]string{
		"crd.yaml": "all CRDs have the same name", "{plural}": "the name does not end in .yaml",
		"../{plural}.yaml": "the name has a directory", "{Plural}.yaml": "unknown placeholder {Plural}",
		"{plural.yaml": "unknown placeholder {plural.yaml", "{}.yaml": "unknown placeholder {}",
	} {
		if got, help := profile.NameFault(name); got != want || help == "" {
			t.Errorf("%q: got %q, want %q; help: %q", name, got, want, help)
		}
	}
}
