// Package support will hold the functions that generated Go carries along.
package support
