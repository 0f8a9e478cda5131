// The module whose suites are run: a table of one row, with the checksum in go.sum.
module github.com/crdproof/crdproof/testdata/conformance/suites/openshift

go 1.26

require github.com/openshift/api v0.0.0-20240625084701-0689f006bcde
