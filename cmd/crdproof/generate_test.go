package main

import (
	"reflect"
	"testing"

	"github.com/crdproof/crdproof/diag"
)

func TestWithout(t *testing.T) {
	src := &diag.Source{Path: "a.go", Data: []byte("package a")}
	here, there := diag.At(src, 1, 1), diag.At(src, 2, 2)
	known := []diag.Diagnostic{
		{Span: here, Check: "load", Message: "expected package"},
		{Span: there, Check: "load", Message: "odd", Severity: diag.Warning},
		{Message: "no network"},
	}
	list := []diag.Diagnostic{
		{Span: here, Message: "expected 'package'"}, {Span: there, Message: "wrong"},
		{Message: "no network"}, {Message: "other"},
	}
	if got := without(list, known); !reflect.DeepEqual(got, []diag.Diagnostic{list[1], list[3]}) {
		t.Errorf("kept %v", got)
	}
}
