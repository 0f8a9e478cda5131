// Package sarif holds the findings that crdproof writes for code scanning against the JSON schema of SARIF 2.1.0, and
// against what GitHub demands of a log beyond it.
package sarif
