package support

import (
	"strings"
	"testing"
)

// messageFields are all messages that the API server's environment declares, but Any, with their fields.
var messageFields = map[string][]string{
	"BoolValue": {"value"}, "BytesValue": {"value"}, "DoubleValue": {"value"}, "FloatValue": {"value"},
	"Int32Value": {"value"}, "Int64Value": {"value"}, "StringValue": {"value"}, "UInt32Value": {"value"},
	"UInt64Value": {"value"}, "Duration": {"seconds", "nanos"}, "Timestamp": {"seconds", "nanos"},
	"Struct": {"fields"}, "ListValue": {"values"}, "Empty": nil, "Struct.FieldsEntry": {"key", "value"},
	"Value": {"null_value", "number_value", "string_value", "bool_value", "struct_value", "list_value"},
}

// TestCELMessages makes each message with each value, and with optional values, in a field.
func TestCELMessages(t *testing.T) {
	o := newOracle(t)
	check := func(ours any, expression string, args ...value) {
		t.Helper()
		got, want := showOurs(ours), o.eval(expression, args...)
		if got != want && !mayDiffer(want) && !o.mayBe(got, expression, args...) {
			t.Errorf("%s of %s:\n got %s\nwant %s", expression, args, got, want)
		}
	}
	values := append(everyValue(), opaqueValues()...)
	for message, fields := range messageFields {
		message := "google.protobuf." + message
		check(crdNewMessage(message), message+"{}")
		check(crdTypeOf(crdNewMessage(message)), "type("+message+"{})")
		for _, field := range fields {
			for _, a := range values {
				check(crdNewMessage(message, field, a.ours), message+"{"+field+": a}", a)
				check(crdNewMessage(message, field, crdEntryIf{crdOptionalOf(a.ours)}),
					message+"{?"+field+": optional.of(a)}", a)
				check(crdNewMessage(message, field, crdEntryIf{crdOptional{}}),
					message+"{?"+field+": optional.none()}")
				list := crdListLiteral(a.ours)
				check(crdNewMessage(message, field, list), message+"{"+field+": dyn([a])}", a)
				check(crdNewMessage(message, field, crdMapLiteral("k", list)),
					message+"{"+field+": dyn({'k': [a]})}", a)
			}
		}
	}
}

// TestCELTimeMessages makes times and durations at the edges of their ranges.
func TestCELTimeMessages(t *testing.T) {
	o := newOracle(t)
	for _, seconds := range scalars() {
		for _, nanos := range scalars() {
			for _, message := range []string{"Duration", "Timestamp"} {
				name := "google.protobuf." + message
				got := showOurs(crdNewMessage(name, "seconds", seconds.ours, "nanos", nanos.ours))
				expression := name + "{seconds: a, nanos: b}"
				want := o.eval(expression, seconds, nanos)
				if got != want && !o.mayBe(got, expression, seconds, nanos) {
					t.Errorf("%s of %s and %s:\n got %s\nwant %s", expression, seconds, nanos, got, want)
				}
			}
		}
	}
}

// TestCELMessageValues uses messages that are not converted to other values.
func TestCELMessageValues(t *testing.T) {
	o := newOracle(t)
	empty := crdNewMessage("google.protobuf.Empty")
	pair := crdNewMessage("google.protobuf.Struct.FieldsEntry", "key", "k", "value", int64(1))
	for _, m := range []struct {
		text string
		ours any
	}{{"google.protobuf.Empty{}", empty}, {"google.protobuf.Struct.FieldsEntry{key: 'k', value: 1}", pair},
		{"google.protobuf.Struct.FieldsEntry{}", crdNewMessage("google.protobuf.Struct.FieldsEntry")}} {
		for _, op := range []struct {
			expression string
			ours       any
		}{
			{"dyn(M) == dyn(google.protobuf.Empty{})", crdEqual(m.ours, empty)},
			{"dyn(M) == M", crdEqual(m.ours, m.ours)},
			{"dyn(M) == dyn(1)", crdEqual(m.ours, int64(1))}, {"dyn(1) != dyn(M)", crdNotEqual(int64(1), m.ours)},
			{"dyn(M) == null", crdEqual(m.ours, nil)}, {"dyn(M).k", crdSelect(m.ours, "k")},
			{"dyn(M).key", crdSelect(m.ours, "key")}, {"has(dyn(M).key)", crdPresent(m.ours, "key")},
			{"has(dyn(M).x)", crdPresent(m.ours, "x")}, {"dyn(M)['key']", crdIndex(m.ours, "key")},
			{"dyn(M)[0]", crdIndex(m.ours, int64(0))}, {"dyn(M).?key", crdSelectOptional(m.ours, "key")},
			{"dyn([1])[dyn(M)]", crdIndex(crdListLiteral(int64(1)), m.ours)},
			{"size(dyn(M))", crdSize(m.ours)}, {"string(dyn(M))", crdConvertString(m.ours)},
			{"dyn(M) < dyn(1)", crdLess(m.ours, int64(1))}, {"dyn(M) + dyn(1)", crdAdd(m.ours, int64(1))},
			{"M in [dyn(M)]", crdIn(m.ours, crdListLiteral(m.ours))}, {"type(M)", crdTypeOf(m.ours)},
			{"google.protobuf.Value{list_value: [dyn(M)]}", crdNewMessage("google.protobuf.Value", "list_value",
				crdListLiteral(m.ours))},
			{"google.protobuf.Value{struct_value: dyn(M)}", crdNewMessage("google.protobuf.Value", "struct_value",
				m.ours)},
			{"google.protobuf.BoolValue{value: dyn(M)}", crdNewMessage("google.protobuf.BoolValue", "value", m.ours)},
			{"optional.ofNonZeroValue(dyn(M)).hasValue()", crdOptionalHasValue(crdOptionalOfNonZero(m.ours))},
		} {
			expression := strings.ReplaceAll(op.expression, "M", m.text)
			if got, want := showOurs(op.ours), o.eval(expression); got != want {
				t.Errorf("%s:\n got %s\nwant %s", expression, got, want)
			}
		}
	}
}
