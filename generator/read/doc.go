// Package read will turn CRD YAML into a schema.CRD, with positions in the YAML.
package read
