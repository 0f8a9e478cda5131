package crd

// RandomCRD makes unusual CRDs whose texts have the pieces.
var RandomCRD = randomCRD

// Pieces are those of texts in tests.
var Pieces = bits
