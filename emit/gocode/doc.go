// Package gocode will write Go functions that prune, default and validate objects as the API server would.
package gocode
