package bench

import (
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
)

// NewPlainFiles returns a handler that stores the file of a form under the name of the path, and sends it, without checks. Like the server, it
// answers after the bytes are on the disk.
func NewPlainFiles(directory string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /{name}", func(w http.ResponseWriter, r *http.Request) {
		if err := keepPlain(filepath.Join(directory, filepath.Base(r.PathValue("name"))), r); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Length", "0")
		w.WriteHeader(http.StatusCreated)
	})
	mux.HandleFunc("GET /{name}", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join(directory, filepath.Base(r.PathValue("name"))))
	})
	return mux
}

// keepPlain streams the first part of the form to the file.
func keepPlain(path string, r *http.Request) error {
	form, err := r.MultipartReader()
	if err != nil {
		return err
	}
	part, err := form.NextPart()
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) //nolint:gosec // a folder of this run
	if err != nil {
		return err
	}
	_, err = io.Copy(file, part)
	return errors.Join(err, file.Sync(), file.Close())
}
