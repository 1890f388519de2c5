package http_test

import (
	"archive/zip"
	"io"
	"testing"
)

func content(t *testing.T, file *zip.File) string {
	t.Helper()
	r, err := file.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
