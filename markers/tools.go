package markers

// Tools returns the table of the markers that the generators rbac and webhook of controller-tools read (pkg/rbac,
// pkg/webhook). controller-tools decides what it accepts; the table serves to report mistakes at their places.
func Tools() *Table {
	text := func(name string, optional bool) Param {
		return Param{Name: name, Shape: of(String), Optional: optional}
	}
	list := func(name string, optional bool) Param {
		return Param{Name: name, Shape: listOf(String), Optional: optional}
	}
	mutating := Param{Name: "mutating", Shape: of(Bool)}
	return NewTable([]Definition{
		{Name: "kubebuilder:rbac", Targets: Package, Repeatable: true,
			Params: []Param{
				list("groups", true), list("resources", true), list("resourceNames", true), list("verbs", false),
				list("urls", true), text("namespace", true), text("roleName", true),
			},
			Example: "+kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list;watch"},
		{Name: "kubebuilder:webhook", Targets: Package, Repeatable: true,
			Params: []Param{
				mutating, text("failurePolicy", false), text("matchPolicy", true), text("sideEffects", true),
				{Name: "timeoutSeconds", Shape: of(Int), Optional: true},
				list("groups", false), list("resources", false), list("verbs", false), list("versions", false),
				text("name", false), text("serviceName", true), text("serviceNamespace", true), text("path", true),
				{Name: "servicePort", Shape: of(Int), Optional: true},
				list("webhookVersions", true), list("admissionReviewVersions", false), text("reinvocationPolicy", true),
				text("url", true), text("patch", true),
			},
			Example: "+kubebuilder:webhook:path=/validate-example-com-v1-widget,mutating=false,failurePolicy=fail," +
				"sideEffects=None,groups=example.com,resources=widgets,verbs=create;update,versions=v1," +
				"name=widget.example.com,admissionReviewVersions=v1"},
		{Name: "kubebuilder:webhookconfiguration", Targets: Package, Repeatable: true,
			Params:  []Param{mutating, text("name", true)},
			Example: "+kubebuilder:webhookconfiguration:mutating=true,name=widgets"},
	})
}
