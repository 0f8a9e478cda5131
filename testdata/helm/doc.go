// Package helm renders the templates of CRDs with Helm's own engine.
package helm
