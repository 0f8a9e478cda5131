module github.com/crdproof/crdproof/testdata/minors

go 1.25.0
