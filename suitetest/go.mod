module github.com/crdproof/crdproof/suitetest

go 1.23.0
