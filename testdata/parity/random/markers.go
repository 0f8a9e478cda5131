package random

import "strings"

// markers writes some markers that suit a kind of type.
func (g *gen) markers(indent, kind string, onType bool) {
	n := 0
	switch g.IntN(5) {
	case 0, 1:
		n = 1
	case 2:
		n = 2
	case 3:
		n = 3
	}
	seen := map[string]bool{}
	for range n {
		m := g.marker(kind, onType)
		name, _, _ := strings.Cut(m, "=")
		if m == "" || seen[name] {
			continue
		}
		seen[name] = true
		sign := "="
		if g.chance(10) {
			sign = ":="
		}
		m = strings.Replace(m, "=", sign, 1)
		if !strings.HasPrefix(m, "+k8s:") && strings.Contains(m, "XValidation") {
			m = strings.Replace(m, ":=", "=", 1)
		}
		g.p("%s// %s", indent, m)
	}
}

// marker returns one marker, or "".
func (g *gen) marker(kind string, onType bool) string {
	v := "+kubebuilder:validation:"
	if g.chance(25) {
		return g.general(onType)
	}
	if item, ok := strings.CutPrefix(kind, "slice:"); ok && g.chance(40) {
		m := g.marker(item, onType)
		if rest, ok := strings.CutPrefix(m, v); ok && !strings.HasPrefix(rest, "items:") &&
			!strings.Contains(rest, "OneOf") &&
			!strings.HasPrefix(rest, "EmbeddedResource") {
			return v + "items:" + rest
		}
	}
	switch {
	case kind == "string":
		return pick(g,
			v+"MaxLength=63", v+"MaxLength=10", v+"MinLength=1", v+"MinLength=0", v+"Pattern=`^[a-z]+(-[a-z]+)*$`",
			v+"Pattern=\"^\\\\d+$\"",
			v+"Pattern=^a.*$", v+"Enum=a;b;c", v+"Enum={\"a\",\"b\"}", v+"Enum=\"\";1;true;x y", v+"Format=date-time",
			v+"Format=uuid", v+"Type=string",
			"+kubebuilder:default=a", "+kubebuilder:default=\"a b\"", "+kubebuilder:default=100Mi",
			"+kubebuilder:default=\"\"",
			"+default=\"a\"", "+default=ref(Foo)", "+kubebuilder:example=x:y", "+k8s:enum")
	case kind == "int":
		return pick(g,
			v+"Maximum=100", v+"Maximum=65535", v+"Minimum=0", v+"Minimum=-5", v+"Minimum=1", v+"ExclusiveMinimum=true",
			v+"ExclusiveMaximum=false",
			v+"MultipleOf=5", v+"Maximum=9007199254740993", v+"Maximum=1e3", v+"Format=int64", v+"Format=int32",
			v+"Enum=1;2;3", v+"Type=integer",
			"+kubebuilder:default=3", "+kubebuilder:default=-1", "+default=3", "+default=9007199254740993",
			"+k8s:minimum=2 # comment", "+k8s:maximum=7", "+kubebuilder:example=5")
	case kind == "bool":
		return pick(g, "+kubebuilder:default=true", "+default=false", v+"Enum=true", "+kubebuilder:example=false")
	case strings.HasPrefix(kind, "slice"):
		return pick(g,
			v+"MaxItems=10", v+"MinItems=1", v+"UniqueItems=true", "+listType=atomic", "+listType=set", "+listType=map",
			"+listMapKey=name",
			"+k8s:listType=atomic", "+k8s:maxItems=5 # note", "+kubebuilder:default={}", "+kubebuilder:default={a,b}",
			"+kubebuilder:default=1;2",
			"+default=[]", "+default=[\"a\", 1, {\"b\": null}]")
	case kind == "map":
		return pick(g, v+"MaxProperties=3", v+"MinProperties=1", "+mapType=atomic", "+mapType=granular",
			"+kubebuilder:default={}",
			"+kubebuilder:default={a: b, \"c\": {d: 1}}", "+default={\"a\": 1.5}")
	case kind == "struct":
		return pick(g, v+"MinProperties=1", "+structType=atomic", "+structType=granular", "+kubebuilder:default={}",
			"+default={}",
			"+kubebuilder:default={name: x, size: 3}", v+"XValidation:rule=\"has(self.name)\"",
			v+"AtMostOneOf=name;size", v+"ExactlyOneOf={mode,port}", v+"AtLeastOneOf=labels;extra")
	}
	if g.chance(10) {
		return pick(g, v+"Type=string", v+"Type=object", v+"MaxLength=5")
	}
	return pick(g, v+"XIntOrString", v+"Format=date-time", v+"Enum=a;b",
		"+kubebuilder:pruning:PreserveUnknownFields", "+kubebuilder:default=1s", "+kubebuilder:default=5")
}

// general returns a marker that suits all types.
func (g *gen) general(onType bool) string {
	v := "+kubebuilder:validation:"
	list := []string{
		v + "XValidation:rule=\"self == oldSelf\",message=\"is immutable\"",
		v + "XValidation:rule=`self.size() > 0`,messageExpression=\"'x' + " +
			"\\\"y\\\"\",reason=FieldValueForbidden,fieldPath=.name",
		v + "XValidation:rule=\"true\",optionalOldSelf=true",
		v + "XPreserveUnknownFields", v + "XEmbeddedResource", "+kubebuilder:pruning:PreserveUnknownFields",
		"+kubebuilder:title=A title", "+kubebuilder:title=\"T\"", "+kubebuilder:externalDocs:url=http://a.b/c",
		"+genclient", "+k8s:deepcopy-gen=true", "+patchStrategy=merge",
	}
	if !onType {
		list = append(list, "+nullable", v+"EmbeddedResource", v+"Schemaless", "+kubebuilder:example={a: 1}",
			"+kubebuilder:example=x",
			"+optional", "+k8s:immutable", "+k8s:required", v+"Schemaless", "+kubebuilder:default={a:1}")
	}
	return pick(g, list...)
}
