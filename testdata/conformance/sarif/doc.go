// Package sarif validates the findings that crdproof writes for code scanning: with the JSON schema of SARIF 2.1.0,
// and with GitHub's further requirements for a log.
package sarif
