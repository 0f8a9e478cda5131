// Package support is the runtime of generated Go code. It is an ordinary, tested package, with two copies: the module
// crd, which generated code imports, and the declarations that emit/gocode copies into a file beside the generated one
// if users want no dependency.
//
// What generated code names is exported; everything else is not. Since copies become part of packages that users own,
// the declarations there begin with crd: Eq becomes crdEq, and readRequest crdReadRequest. Fields and methods keep
// their names. So no variable has the name of a declaration, no file imports another package of crdproof, and an import
// has the same name in all files. There are neither init functions nor variables that change. What only some schemas
// need, such as formats or semantic versions, is reached through declarations of its own, so that copies in other
// packages do not get the dependency.
package support
