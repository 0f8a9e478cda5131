package main

import (
	"fmt"
	"slices"
	"strings"
)

// A kind is one version of a kind, as its template sees it.
type kind struct {
	// Area is the first label of the group.
	Area, Group, Version string
	// Kind is the Go type, Words its name in prose.
	Kind, Words, Plural, File string
	// Storage marks the version that is stored, where there are two.
	Storage bool
	Blocks  []block
}

// A block is a field of the spec, with the types that it needs.
type block struct {
	// Name is the field, and the name of the block's template.
	Name string
	JSON string
	// Type is the field's type, %s being the kind's name.
	Type string
	// Doc follows the field's name.
	Doc     string
	Markers []string
	// Body is the executed template.
	Body string
}

// Uses reports whether the kind has one of the blocks, and so needs its imports.
func (k kind) Uses(names ...string) bool {
	return slices.ContainsFunc(k.Blocks, func(b block) bool { return slices.Contains(names, b.Name) })
}

var (
	first = []string{
		"Amber", "Basic", "Central", "Daily", "Edge", "Fast", "Global", "Hosted", "Inner", "Joint", "Keyed", "Local",
		"Managed", "Nightly", "Outer", "Primary", "Quick", "Remote", "Shared", "Tiered", "Unified", "Virtual", "Weekly",
		"Zonal",
	}
	second = []string{
		"Archive", "Bucket", "Cache", "Database", "Endpoint", "Firewall", "Gateway", "Host", "Index", "Job", "Key",
		"Listener", "Mirror", "Node", "Operator", "Pipeline", "Queue", "Route", "Stream", "Table", "Upload", "Volume",
		"Worker", "Zone",
	}
	areas = []string{
		"apps", "backup", "billing", "cache", "cloud", "compute", "data", "dns", "edge", "events", "identity", "infra",
		"jobs", "logs", "metrics", "network", "ops", "policy", "queue", "secrets", "storage", "stream", "tracing",
		"web",
	}
)

// kindVersions returns the versions of the i-th kind. Ten kinds that follow each other share a group, every fourth kind
// has an older version beside v1, and every fortieth holds a pod template, by far the largest type in use.
func kindVersions(i int) []kind {
	name := first[i%len(first)] + second[i/len(first)%len(second)]
	words := strings.ToLower(first[i%len(first)] + " " + second[i/len(first)%len(second)])
	if round := i / (len(first) * len(second)); round > 0 {
		name += fmt.Sprint(round + 1)
	}
	area := areas[i/10%len(areas)]
	k := kind{
		Area:    area,
		Group:   area + ".example.com",
		Version: "v1",
		Kind:    name,
		Words:   words,
		Plural:  strings.ToLower(name) + "s",
		File:    strings.ToLower(name) + "_types.go",
		Blocks:  chooseBlocks(i),
	}
	if i%4 != 1 {
		return []kind{k}
	}
	older := k
	older.Version = "v1beta1"
	older.Blocks = slices.Clone(k.Blocks[1:])
	k.Storage = true
	return []kind{older, k}
}

// chooseBlocks takes four to seven blocks in the order of the list, different ones for neighbours.
func chooseBlocks(i int) []block {
	all := blocks()
	count := 4 + i%4
	step := []int{1, 5, 7, 11}[i/3%4] // without a common divisor with the number of blocks, so none is taken twice
	taken := make([]bool, len(all))
	for j := range count {
		taken[(i+j*step)%len(all)] = true
	}
	var chosen []block
	for j, b := range all {
		if taken[j] {
			chosen = append(chosen, b)
		}
	}
	if i%40 == 0 {
		chosen = append(chosen, block{Name: "Template", JSON: "template", Type: "*%sTemplate",
			Doc: "changes the pods."})
	}
	return chosen
}

func blocks() []block {
	return []block{
		{Name: "Workload", JSON: "workload", Type: "*%sWorkload", Doc: "is what runs."},
		{Name: "Ports", JSON: "ports", Type: "[]%sPort", Doc: "are the ports that are opened.",
			Markers: []string{"+listType=map", "+listMapKey=name", "+kubebuilder:validation:MaxItems=32"}},
		{Name: "Network", JSON: "network", Type: "%sNetwork", Doc: "is how the outside world gets in."},
		{Name: "Storage", JSON: "storage", Type: "*%sStorage", Doc: "is the volume of each process."},
		{Name: "Backup", JSON: "backups", Type: "[]%sBackup", Doc: "are the ways of saving the data.",
			Markers: []string{"+listType=atomic", "+kubebuilder:validation:MaxItems=4"}},
		{Name: "Autoscaling", JSON: "autoscaling", Type: "*%sAutoscaling", Doc: "follows the load."},
		{Name: "TLS", JSON: "tls", Type: "*%sTLS", Doc: "is how connections are encrypted."},
		{Name: "Probes", JSON: "probes", Type: "%sProbes", Doc: "are the checks of a process.",
			Markers: []string{"+kubebuilder:default={}"}},
		{Name: "Monitoring", JSON: "monitoring", Type: "*%sMonitoring", Doc: "says who scrapes the metrics."},
		{Name: "Access", JSON: "roles", Type: "[]%sRole", Doc: "are who may do what.",
			Markers: []string{"+listType=map", "+listMapKey=name", "+kubebuilder:validation:MaxItems=16"}},
		{Name: "JSON", JSON: "extensions", Type: "[]%sExtension", Doc: "are settings of plug-ins.",
			Markers: []string{"+listType=map", "+listMapKey=name", "+kubebuilder:validation:MaxItems=16"}},
		{Name: "Scheduling", JSON: "scheduling", Type: "*%sScheduling", Doc: "is where processes may run."},
	}
}
