module github.com/crdproof/crdproof/crd

go 1.24
