// Package structural will prove a schema structural (KEP-2335), its list types sound and its defaults valid.
package structural
