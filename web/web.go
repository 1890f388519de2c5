// Package web serves the browser app. Vite builds its files into dist, and the program embeds them.
package web

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// The prefix "all:" includes names that begin with an underscore, as chunks may.
//
//go:embed all:dist
var dist embed.FS

const (
	indexName = "index.html"
	// assetsPath holds files with the hash of their content in their name.
	assetsPath = "/assets/"
)

var errNoIndex = errors.New("the files of the app have no " + indexName)

// Settings are the settings of the app.
type Settings struct {
	// Frame is the origin that the app may show in a frame, beside its own; may be empty.
	Frame string
	// Pages are the paths that answer every client with the app, for example the targets of links in mails.
	// Other pages of the app answer browsers only.
	Pages []string
}

// App serves the files of the browser app from memory. It is safe for concurrent use.
type App struct {
	files map[string]*file // by path
	index *file
	pages map[string]bool
}

// Files returns the built files that the program embeds.
func Files() (fs.FS, error) {
	root, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, fmt.Errorf("files of the app: %w", err)
	}
	return root, nil
}

// New reads the built files.
func New(files fs.FS, settings Settings) (*App, error) {
	a := &App{files: map[string]*file{}, pages: map[string]bool{"/": true}}
	for _, page := range settings.Pages {
		a.pages[page] = true
	}
	html, err := fs.ReadFile(files, indexName)
	if err != nil {
		return nil, errors.Join(errNoIndex, err)
	}
	policy := []string{Policy(html, settings.Frame)}
	err = fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		a.files["/"+name], err = readFile(files, name, policy)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("files of the app: %w", err)
	}
	a.index = a.files["/"+indexName]
	return a, nil
}

// Has reports whether the path is a file of the app, or a page that answers every client.
func (a *App) Has(path string) bool { return a.files[path] != nil || a.pages[path] }

// Serve answers a request with the method GET or HEAD, and reports whether it did. A path without a file is answered with
// the start page if it is a page of the app: it is not below /assets/, has no file extension, and the client
// accepts HTML. The start page never replaces a missing file, because a browser would execute or store it as that file.
func (a *App) Serve(w http.ResponseWriter, r *http.Request) bool {
	found := a.files[r.URL.Path]
	if found == nil && a.isPage(r) {
		found = a.index
	}
	if found == nil {
		return false
	}
	if found == a.index && r.URL.RawQuery == "" {
		w.Header().Del("X-Robots-Tag") // only addresses with a query contain tokens
	}
	found.serve(w, r)
	return true
}

// isPage reports whether the request is a navigation to a page of the app.
func (a *App) isPage(r *http.Request) bool {
	if a.pages[r.URL.Path] {
		return true
	}
	return !strings.HasPrefix(r.URL.Path, assetsPath) && path.Ext(r.URL.Path) == "" && acceptsHTML(r.Header["Accept"])
}
