// Package emit holds the one type that all emitters produce. Emitters decide nothing and write nothing to disk.
package emit

// A File is a finished artifact in memory.
type File struct {
	// Path is relative to the output directory, with forward slashes. Once it is known where the file goes, it is that of the
	// file system, or "" for standard output.
	Path string
	// Data is the whole content.
	Data []byte
}
