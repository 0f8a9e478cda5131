package schema

import (
	"cmp"
	"encoding/base64"
	"math/big"
	"net"
	"net/netip"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// microTime is metav1.RFC3339Micro.
const microTime = "2006-01-02T15:04:05.000000Z07:00"

// decodedQuantity is what resource.ParseQuantity accepts.
var decodedQuantity = regexp.MustCompile(`^` + decimalText + `(([KMGTPE]i)|[numkMGTPE]|([eE][+-]?[0-9]+))?$`)

// Decodes reports whether the decoder of an origin in Go accepts a value as an API server sends it: 1.0 is 1 then. Null
// is accepted, as by most types.
func (o Origin) Decodes(v *Value) bool {
	switch {
	case v.Kind == Null:
		return true
	case o == GoBool:
		return v.Kind == Bool
	case o == GoString:
		return v.Kind == String
	case o == GoBytes:
		_, err := base64.StdEncoding.DecodeString(v.Text)
		return v.Kind == String && err == nil
	case o >= GoInt8 && o <= GoUint:
		return v.Kind == NumberKind && o.holds(v.Text)
	case o == GoFloat32 || o == GoFloat64:
		return v.Kind == NumberKind
	case o == IntOrString:
		return v.Kind == String || v.Kind == NumberKind && GoInt32.holds(v.Text)
	case o == NoOrigin || o == OtherOrigin || o == Quantity && v.Kind == NumberKind:
		return true
	}
	return v.Kind == String && o.decodesText(v.Text)
}

// holds reports whether an integer type can hold a number.
func (o Origin) holds(number string) bool {
	r, ok := new(big.Rat).SetString(number)
	if !ok || !r.IsInt() {
		return false
	}
	bits := map[Origin]int{GoInt8: 8, GoInt16: 16, GoInt32: 32, GoUint8: 8, GoUint16: 16, GoUint32: 32}[o]
	var err error
	if o >= GoUint8 {
		_, err = strconv.ParseUint(r.Num().String(), 10, cmp.Or(bits, 64))
	} else {
		_, err = strconv.ParseInt(r.Num().String(), 10, cmp.Or(bits, 64))
	}
	return err == nil
}

// decodesText reports whether an origin decodes a text.
func (o Origin) decodesText(text string) bool {
	var err error
	switch o {
	case Quantity:
		return decodedQuantity.MatchString(strings.TrimSpace(text))
	case Duration:
		_, err = time.ParseDuration(text)
	case Time:
		_, err = time.Parse(time.RFC3339, text)
	case MicroTime:
		_, err = time.Parse(microTime, text)
	case GoIP:
		return text == "" || net.ParseIP(text) != nil
	case GoAddr:
		_, err = netip.ParseAddr(text)
	case GoAddrPort:
		_, err = netip.ParseAddrPort(text)
	case GoPrefix:
		_, err = netip.ParsePrefix(text)
	}
	return err == nil || text == "" && (o == GoAddr || o == GoAddrPort || o == GoPrefix)
}

// Undecoded reports each value in v that the Go type of its schema cannot decode, with the path to it, which starts
// with that to v.
func Undecoded(s *Schema, v *Value, at Path, found func(*Schema, *Value, Path)) {
	if s == nil {
		return
	}
	if !s.Origin.Decodes(v) {
		found(s, v, at)
	}
	for i := range v.Items {
		Undecoded(s.Items, &v.Items[i], at.Then(Item(i)), found)
	}
	for i := range v.Members {
		m := &v.Members[i]
		Undecoded(cmp.Or(s.Property(m.Key), s.AdditionalProperties), &m.Value, at.Then(Key(m.Key)), found)
	}
}
