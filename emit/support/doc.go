// Package support holds the functions that generated Go carries along: an ordinary, tested package, of which
// emit/gocode copies the declarations that generated code uses into a file beside it.
//
// The copies live in other people's packages. So every name that the package declares begins with crd and is not
// exported, no file imports another package of crdproof, an import has the same name in all files, and there is no init
// and no variable that changes. What only some schemas need, such as formats or semantic versions, is reached through
// declarations of its own, so that nobody else gains the dependency.
package support
