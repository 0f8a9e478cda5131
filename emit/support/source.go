package support

import (
	"embed"
	"io/fs"
)

//go:embed *.go
var sources embed.FS

// Sources are the Go files of this package, tests included.
func Sources() fs.FS { return sources }
