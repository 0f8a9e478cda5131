// Package support holds the functions that generated Go code uses. It is an ordinary, tested package. emit/gocode
// copies the declarations that the generated code uses into a file beside it.
//
// The copies become part of packages that users own. So every declared name begins with crd and is not exported, no
// file imports another package of crdproof, and an import has the same name in all files. There are neither init
// functions nor variables that change. What only some schemas need, such as formats or semantic versions, is reached
// through declarations of its own, so that other packages do not get the dependency.
package support
