//go:build !unix

package filestate

import "io/fs"

// Owner returns no owner: the system has no numbers of users.
func Owner(fs.FileInfo) (user int, known bool) { return 0, false }
