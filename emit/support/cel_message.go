package support

import (
	"encoding/base64"
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"
	"time"
)

// Messages are the well-known types of protocol buffers, which every environment of CEL declares (cel-go,
// common/types/provider.go, NewValue). Most are converted to an ordinary value as soon as they are made.

// A crdMessage is a message that is not converted. Its fields are those that are set.
type crdMessage struct {
	name   string
	fields *crdMap
}

func (m crdMessage) opaqueType() string { return m.name }

func (crdMessage) opaqueGoName() string { return "*types.protoObj" }

func (m crdMessage) opaqueEqual(other any) any {
	if o, ok := other.(crdMessage); ok && o.name == m.name {
		return m.fields.equal(o.fields).dyn()
	}
	return false
}

func (m crdMessage) isEmpty() bool { return len(m.fields.entries) == 0 }

// zero is the value of a field that is not set.
func (m crdMessage) zero(key any) any {
	if key == "key" {
		return ""
	}
	return nil
}

// lookUp finds a field that is set.
func (m crdMessage) lookUp(key any) (value any, found bool, err *crdFailure) {
	name, ok := key.(string)
	if !ok {
		return nil, false, crdNoSuchOverload
	}
	if crdFieldType(m.name, name) == "" {
		return nil, false, &crdFailure{"no such field '" + name + "'"}
	}
	value, found = m.fields.find(name)
	return value, found, nil
}

// crdNewMessage makes a message of alternating names and values of fields; a value may be a crdEntryIf. The first
// failure is the result. The last value of a field is used.
func crdNewMessage(message string, pairs ...any) any {
	fields := &crdMap{index: map[any]int{}}
	for i := 0; i < len(pairs); i += 2 {
		name, value := pairs[i], pairs[i+1]
		entry, optional := value.(crdEntryIf)
		if optional {
			value = entry.val
		}
		if err, ok := value.(*crdFailure); ok {
			return err
		}
		if o, ok := value.(crdOptional); optional && ok && o.set {
			value = o.val
		} else if optional && ok {
			_ = fields.remove(name) // a string is always a valid key
			continue
		} else if optional {
			return &crdFailure{"cannot initialize optional entry '" + crdShow(name) + "' from non-optional value " +
				crdShow(value)}
		}
		_ = fields.put(name, value)
	}
	for i := range fields.entries {
		field := &fields.entries[i]
		if field.val = crdFieldValue(message, field.key.(string), field.val); crdFirstFailure(field.val, nil) != nil {
			return field.val
		}
	}
	return crdMessageValue(message, fields)
}

// crdFieldValue converts the value of a field to its type.
func crdFieldValue(message, field string, value any) any {
	typ := crdFieldType(message, field)
	if typ == "" { // of a type that has no messages, which is reported below
		return value
	}
	switch container := crdNative(value, typ).(type) {
	case *crdFailure:
		switch {
		case container.ends():
			return container
		case typ == crdNativeFields || typ == crdNativeValues:
			if _, isList := value.(crdList); typ == crdNativeValues && !isList || crdIsNoMap(value, typ) {
				return &crdFailure{"unsupported field type for " + message + "." + field + ": " +
					crdShow(crdTypeName(crdNameOf(value)))}
			}
		}
		return &crdFailure{"field type conversion error for " + message + "." + field + " value type: " +
			container.text}
	default:
		return container
	}
}

// crdIsNoMap reports whether a value is not a map, as a field of this type requires.
func crdIsNoMap(value any, typ string) bool {
	_, ok := crdMapSize(value)
	return typ == crdNativeFields && !ok
}

// crdMessageValue is the value of a message with these fields.
func crdMessageValue(message string, fields *crdMap) any {
	get := func(name string, zero any) any {
		if value, ok := fields.find(name); ok {
			return value
		}
		return zero
	}
	switch strings.TrimPrefix(message, "google.protobuf.") {
	case "BoolValue":
		return get("value", false)
	case "Int32Value", "Int64Value":
		return get("value", int64(0))
	case "UInt32Value", "UInt64Value":
		return get("value", uint64(0))
	case "FloatValue", "DoubleValue":
		return get("value", 0.0)
	case "StringValue":
		return get("value", "")
	case "BytesValue":
		return get("value", []byte{})
	case "Struct":
		return get("fields", &crdMap{index: map[any]int{}})
	case "ListValue":
		return get("values", crdList{})
	case "Value":
		if n := len(fields.entries); n > 0 {
			return fields.entries[n-1].val
		}
		return nil
	case "Timestamp":
		return time.Unix(get("seconds", int64(0)).(int64), get("nanos", int64(0)).(int64)).UTC()
	case "Duration":
		return crdMessageDuration(get("seconds", int64(0)).(int64), get("nanos", int64(0)).(int64))
	case "Empty", "Struct.FieldsEntry":
		if get("key", "") == "" {
			_ = fields.remove("key") // a string is always a valid key
		}
		return crdMessage{message, fields}
	}
	return &crdFailure{"unknown type '" + message + "'"}
}

// crdMessageDuration is the closest duration.
func crdMessageDuration(seconds, nanos int64) time.Duration {
	d := time.Duration(seconds) * time.Second
	overflow := d/time.Second != time.Duration(seconds)
	d += time.Duration(nanos)
	switch {
	case seconds < 0 && (overflow || nanos < 0 && d > 0):
		return math.MinInt64
	case seconds > 0 && (overflow || nanos > 0 && d < 0):
		return math.MaxInt64
	}
	return d
}

// The Go types of fields in cel-go that its messages name, or that differ in more than their name.
const (
	crdNativeJSON   = "*structpb.Value"
	crdNativeStruct = "*structpb.Struct"
	crdNativeList   = "*structpb.ListValue"
	crdNativeBytes  = "[]uint8"
	crdNativeEnum   = "protoreflect.EnumNumber"
	// These two accept any map and any list.
	crdNativeFields = "map of *structpb.Value"
	crdNativeValues = "list of *structpb.Value"
)

// crdFieldType is the Go type of a field in cel-go; "" for an unknown field.
func crdFieldType(message, field string) string {
	switch strings.TrimPrefix(message, "google.protobuf.") + "." + field {
	case "BoolValue.value", "Value.bool_value":
		return "bool"
	case "Int32Value.value", "Timestamp.nanos", "Duration.nanos":
		return "int32"
	case "Int64Value.value", "Timestamp.seconds", "Duration.seconds":
		return "int64"
	case "UInt32Value.value":
		return "uint32"
	case "UInt64Value.value":
		return "uint64"
	case "FloatValue.value":
		return "float32"
	case "DoubleValue.value", "Value.number_value":
		return "float64"
	case "StringValue.value", "Value.string_value", "Struct.FieldsEntry.key":
		return "string"
	case "BytesValue.value":
		return crdNativeBytes
	case "Value.null_value":
		return crdNativeEnum
	case "Value.struct_value":
		return crdNativeStruct
	case "Value.list_value":
		return crdNativeList
	case "Struct.FieldsEntry.value":
		return crdNativeJSON
	case "Struct.fields":
		return crdNativeFields
	case "ListValue.values":
		return crdNativeValues
	}
	return ""
}

// crdNative converts a value to the type of a field (cel-go, ConvertToNative of each type).
func crdNative(value any, typ string) any {
	if o, ok := value.(crdOptional); ok {
		if !o.set {
			return &crdFailure{"optional.none() dereference"}
		}
		if typ != crdNativeFields && typ != crdNativeValues {
			return crdNative(o.val, typ)
		}
	}
	switch typ {
	case crdNativeJSON:
		return crdNativeToJSON(value)
	case crdNativeFields:
		return crdNativeMap(value)
	case crdNativeStruct:
		if m, ok := value.(*crdMap); ok {
			return crdNativeMap(m)
		}
	case crdNativeValues:
		if l, ok := value.(crdList); ok {
			return crdNativeItems(l)
		}
	case crdNativeList:
		switch value := value.(type) {
		case crdList:
			if value.typ == nil {
				return crdNativeItems(value)
			}
		case *crdMap:
			return crdNativeListOf(value)
		}
	case crdNativeBytes:
		if l, ok := value.(crdList); ok {
			return crdNativeByteList(l)
		}
	}
	return crdNativeScalar(value, typ)
}

// A crdPrintable is a value of a library that can be the value of a field of type string.
type crdPrintable interface {
	crdOpaque
	String() string
}

// crdNativeScalar converts a scalar to a type that is not JSON.
func crdNativeScalar(value any, typ string) any {
	switch v := value.(type) {
	case bool:
		if typ == "bool" {
			return v
		}
	case int64:
		switch {
		case typ == "int64":
			return v
		case typ != "int32" && typ != crdNativeEnum:
		case v != int64(int32(v)):
			return crdIntOverflow
		case typ == crdNativeEnum:
			return nil // the only one of the enum is null
		default:
			return v
		}
	case uint64:
		switch {
		case typ == "uint32" && v > math.MaxUint32, typ == "uint8" && v > math.MaxUint8:
			return crdUintOverflow
		case typ == "uint8", typ == "uint32", typ == "uint64":
			return v
		}
	case float64:
		switch typ {
		case "float32":
			return float64(float32(v))
		case "float64":
			return v
		}
	case string:
		if typ == "string" {
			return v
		}
	case []byte:
		if typ == crdNativeBytes {
			return v
		}
	case crdPrintable:
		if typ == "string" {
			return v.String()
		}
	}
	return crdNotNative(value, typ)
}

// crdNotNative is the failure of converting a value to a type.
func crdNotNative(value any, typ string) *crdFailure {
	quoted := " to '" + typ + "'"
	switch value := value.(type) {
	case *crdFailure:
		return value
	case nil:
		return &crdFailure{"type conversion error from 'null_type'" + quoted}
	case bool:
		return &crdFailure{"type conversion error from bool" + quoted}
	case int64:
		return &crdFailure{"unsupported type conversion from 'int' to " + typ}
	case uint64:
		return &crdFailure{"unsupported type conversion from 'uint' to " + typ}
	case float64:
		return &crdFailure{"type conversion error from Double" + quoted}
	case string:
		return &crdFailure{"unsupported native conversion from string" + quoted}
	case []byte:
		return &crdFailure{"type conversion error from Bytes" + quoted}
	case time.Time:
		return &crdFailure{"type conversion error from 'Timestamp'" + quoted}
	case time.Duration:
		return &crdFailure{"type conversion error from 'Duration'" + quoted}
	case crdTypeName:
		return &crdFailure{"type conversion not supported for 'type'"}
	case crdList:
		if value.typ != nil || value.isSet() || value.isMap() {
			return &crdFailure{"type conversion error from '" + crdShow(crdTypeName("list")) + "'" + quoted}
		}
		return &crdFailure{"type conversion error from list" + quoted}
	case crdObject:
		return &crdFailure{"type conversion error from '" + crdShow(crdTypeName("map")) + "'" + quoted}
	case *crdMap:
		return &crdFailure{"type conversion error from map" + quoted}
	case crdPreserved:
		return &crdFailure{"type conversion" + quoted + " not supported for values preserved by " +
			"x-kubernetes-preserve-unknown-fields"}
	case crdMessage:
		if message, ok := strings.CutPrefix(typ, "*structpb."); ok {
			return &crdFailure{"type conversion error: pb.Merge() arguments must be the same type. got: " +
				"google.protobuf." + message + ", " + value.name}
		}
		return &crdFailure{"type conversion error from '*dynamicpb.Message'" + quoted}
	case crdOpaque:
		name := value.opaqueGoName()
		return &crdFailure{"type conversion error from '" + name[strings.LastIndexByte(name, '.')+1:] + "'" + quoted}
	}
	return &crdFailure{"unsupported type conversion"}
}

// crdNativeToJSON converts a value to JSON, in which all numbers are doubles.
func crdNativeToJSON(value any) any {
	const largest = 1<<53 - 1
	switch v := value.(type) {
	case nil, bool, float64, string:
		return v
	case int64:
		if -largest <= v && v <= largest {
			return float64(v)
		}
		return strconv.FormatInt(v, 10)
	case uint64:
		if v <= largest {
			return float64(v)
		}
		return strconv.FormatUint(v, 10)
	case []byte:
		return base64.StdEncoding.EncodeToString(v)
	case time.Time:
		return crdTimeToString(v)
	case time.Duration:
		return crdDurationToString(v)
	case crdOptional:
		return crdNative(v, crdNativeJSON)
	case crdList:
		if v.typ == nil && !v.isSet() && !v.isMap() {
			return crdNativeItems(v)
		}
	case *crdMap:
		return crdNativeMap(v)
	case crdMessage:
		return v.fields
	}
	return crdNotNative(value, crdNativeJSON)
}

// crdNativeItems converts a list to JSON.
func crdNativeItems(list crdList) any {
	items := make([]any, list.size())
	for i := range items {
		if items[i] = crdNativeToJSON(list.at(i)); crdFirstFailure(items[i], nil) != nil {
			return items[i]
		}
	}
	return crdList{items: items}
}

// crdNativeMap converts a map to JSON. Its keys must be strings.
func crdNativeMap(value any) any {
	out := &crdMap{index: map[any]int{}}
	add := func(key, value any) any {
		name := crdNative(key, "string")
		if crdFirstFailure(name, nil) != nil {
			return name
		}
		json := crdNativeToJSON(value)
		if crdFirstFailure(json, nil) != nil {
			return json
		}
		_ = out.put(name, json) // a string is always a valid key
		return nil
	}
	var err any
	switch m := value.(type) {
	case *crdMap:
		for _, e := range m.entries {
			if err = add(e.key, e.val); err != nil {
				return err
			}
		}
	case crdObject:
		for _, key := range m.keys() {
			if key == nil { // a field that the schema does not describe
				return &crdFailure{"internal error: runtime error: invalid memory address or nil pointer dereference"}
			}
			member, found := m.find(key)
			if !found {
				return &crdFailure{"no such key: " + crdShow(key)}
			}
			if err = add(key, member); err != nil {
				return err
			}
		}
	default:
		return crdNotNative(value, crdNativeStruct)
	}
	sort.Slice(out.entries, func(i, j int) bool { return out.entries[i].key.(string) < out.entries[j].key.(string) })
	for i, e := range out.entries {
		out.index[e.key] = i
	}
	return out
}

// crdNativeListOf makes a ListValue of a map: cel-go takes the keys for the names of fields.
func crdNativeListOf(m *crdMap) any {
	list := any(crdList{})
	for _, e := range m.entries {
		name := crdConvertString(e.key)
		if e.key == nil {
			name = "null"
		}
		if text, ok := name.(string); ok && strings.ToLower(text) == "values" {
			if items, ok := e.val.(crdList); ok && items.typ == nil {
				list = crdNativeItems(items)
				continue
			}
			return crdNotNative(e.val, "[]"+crdNativeJSON)
		} else if ok {
			return &crdFailure{"type conversion error, no such field '" + strings.ToUpper(text[:min(1, len(text))]) +
				text[min(1, len(text)):] + "' in type 'structpb.ListValue'"}
		}
		return name
	}
	return list
}

// crdNativeByteList converts a list of numbers to bytes.
func crdNativeByteList(l crdList) any {
	if l.typ != nil || l.isSet() || l.isMap() {
		// The API server's lists return their items, which ends the evaluation.
		if l.typ != nil && l.typ.items.name == "string" {
			for _, item := range l.items {
				if _, ok := item.(string); !ok {
					return &crdFailure{"expected all elements to be of type string, but got " + fmt.Sprintf("%T", item)}
				}
			}
			return &crdFailure{"internal error: invalid type: []string"}
		}
		return &crdFailure{"internal error: invalid type: []interface {}"}
	}
	data := make([]byte, l.size())
	for i := range data {
		number := crdAs[uint64](crdNative(l.at(i), "uint8"))
		if number.err != nil {
			return number.err
		}
		data[i] = byte(number.val)
	}
	return data
}
