package cache

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/crdproof/crdproof/diag"
)

func TestCodec(t *testing.T) {
	var w Writer
	numbers := []int{0, 1, -1, 127, 1 << 20, math.MaxInt, math.MinInt}
	WriteList(&w, numbers, w.Int)
	w.Strings([]string{"", "a", "\x00\xff"})
	w.Strings(nil)
	w.Bytes([]byte{1, 2})
	w.Bool(true)
	read := func(data []byte) (*Reader, []any) {
		r := NewReader(data)
		return r, []any{ReadList(r, r.Int), r.Strings(), r.Strings(), r.Bytes(), r.Bool()}
	}
	r, got := read(w.Data())
	want := []any{numbers, []string{"", "a", "\x00\xff"}, []string(nil), []byte{1, 2}, true}
	if !r.Complete() || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for i := range w.Data() {
		if r, _ := read(w.Data()[:i]); r.Complete() {
			t.Errorf("%d of %d bytes are complete", i, len(w.Data()))
		}
	}
	if r, _ := read(append(w.Data(), 0)); r.Complete() {
		t.Error("one byte too many is complete")
	}
}

// spansOf writes the offsets of spans in one source.
type spansOf struct{ source *diag.Source }

func (s spansOf) WriteSpan(w *Writer, at diag.Span) bool {
	w.Int(int(at.Start))
	w.Int(int(at.End))
	return at.Source == s.source
}

func (s spansOf) ReadSpan(r *Reader) (diag.Span, bool) {
	start, end := r.Int(), r.Int()
	return diag.At(s.source, start, end), 0 <= start && start <= end && end <= len(s.source.Data)
}

// TestDiagnostics sets every field of a diagnostic but those that are set when it is reported, so that no field is
// forgotten.
func TestDiagnostics(t *testing.T) {
	src := &diag.Source{Path: "a.go", Data: []byte("package a")}
	var d diag.Diagnostic
	n := 0
	fill(t, reflect.ValueOf(&d).Elem(), src, &n)
	list := []diag.Diagnostic{d, {Message: "m"}}
	var w Writer
	if !WriteDiagnostics(&w, list, spansOf{src}) {
		t.Fatal("a position cannot be written")
	}
	r := NewReader(w.Data())
	got, ok := ReadDiagnostics(r, spansOf{src})
	if !ok || !r.Complete() || !reflect.DeepEqual(got, list) {
		t.Errorf("got %+v, want %+v", got, list)
	}
	for i := range w.Data() {
		r := NewReader(w.Data()[:i])
		if _, ok := ReadDiagnostics(r, spansOf{src}); ok && r.Complete() {
			t.Errorf("%d of %d bytes are complete", i, len(w.Data()))
		}
	}
	if _, ok := ReadDiagnostics(NewReader(w.Data()), spansOf{&diag.Source{}}); ok {
		t.Error("a place that does not exist was read")
	}
	if WriteDiagnostics(&w, []diag.Diagnostic{{For: diag.At(&diag.Source{}, 0, 0)}}, spansOf{src}) {
		t.Error("a position in another source was written")
	}
}

// fill gives every field of a diagnostic its own value.
func fill(t *testing.T, v reflect.Value, src *diag.Source, n *int) {
	*n++
	switch v.Kind() {
	case reflect.String:
		v.SetString(string(rune('a' + *n)))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint8:
		v.SetUint(2)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(t, v.Index(i), src, n)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[diag.Span]() {
			v.Set(reflect.ValueOf(diag.At(src, 1, 2+*n%7)))
			return
		}
		for i := range v.NumField() {
			if name := v.Type().Field(i).Name; slices.Contains([]string{"Places", "Edits", "Case"}, name) {
				continue
			}
			if v.Type().Field(i).Name == "Hurts" {
				v.Field(i).Set(reflect.ValueOf(diag.Groups()[1]))
				continue
			}
			fill(t, v.Field(i), src, n)
		}
	default:
		t.Fatalf("cannot fill %s", v.Type())
	}
}
