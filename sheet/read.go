package sheet

import "bytes"

// Options select how a file is read.
type Options struct {
	// Encoding is the name of the encoding of a text file, as browsers know it. It is detected if empty.
	Encoding string `json:"encoding,omitempty"`
	// Rows is the number of rows that a table may have; 0 means [MaxRows].
	Rows int `json:"rows"`
}

// Read returns the cells of all sheets of a file. The error is an [*Error].
func Read(content []byte, o Options) (Book, error) {
	if o.Rows <= 0 {
		o.Rows = MaxRows
	}
	switch {
	case bytes.HasPrefix(content, []byte(oleMagic)):
		return Book{}, refuse(0, "unreadable", saveAs)
	case IsWorkbook(content):
		return readWorkbook(content, o.Rows)
	}
	return readText(content, o)
}
