package object

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/crdproof/crdproof/schema"
)

// scale returns the statements that check the fields which the scale subresource reads.
func scale(k *Kind) []jen.Code {
	sub := k.CRD.Versions[k.Version].Subresources
	if sub == nil || sub.Scale == nil {
		return nil
	}
	check := func(method string, path schema.Text) jen.Code {
		arguments := []jen.Code{jen.Id("obj"), jen.Lit(path.V)}
		for _, name := range strings.Split(strings.TrimPrefix(path.V, "."), ".") {
			arguments = append(arguments, jen.Lit(name))
		}
		return state(method, arguments...)
	}
	body := []jen.Code{check("replicas", sub.Scale.SpecReplicasPath), check("replicas", sub.Scale.StatusReplicasPath)}
	if selector := sub.Scale.LabelSelectorPath; selector != nil {
		body = append(body, check("selector", *selector))
	}
	return body
}
