package ocf

import (
	"archive/zip"
	"fmt"
	"io"
	"time"
)

// File is one file of a package.
type File struct {
	// Name is the path within the package.
	Name    string
	Content []byte
}

// Archive holds the files of a written package. The manifest comes first, followed by one
// file for each object kind in the package.
type Archive struct{ Files []File }

// WriteZip writes the package as a zip archive. The output is deterministic: every file has
// the earliest timestamp that zip can represent.
func (a *Archive) WriteZip(w io.Writer) error {
	archive := zip.NewWriter(w)
	for _, file := range a.Files {
		header := &zip.FileHeader{Name: file.Name, Method: zip.Deflate, Modified: time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC)}
		entry, err := archive.CreateHeader(header)
		if err == nil {
			_, err = entry.Write(file.Content)
		}
		if err != nil {
			return fmt.Errorf("write %s: %w", file.Name, err)
		}
	}
	return archive.Close()
}
