// Package typeface contains the fonts of certificates and chooses one for each character.
//
// The fonts are uncompressed in the program's read-only data, where they use no heap. A font is parsed when a
// certificate first needs it, and garbage-collected when it is unused, so that an idle server holds no parsed
// fonts.
package typeface

import (
	"embed"
	"fmt"
	"sync"
	"weak"

	"github.com/go-text/typesetting/font"
)

//go:embed fonts/*.ttf fonts/*.otf
var files embed.FS

// Library is the set of embedded fonts. It is safe for concurrent use.
type Library struct {
	mu     sync.Mutex
	parsed map[string]weak.Pointer[font.Font]
}

// NewLibrary returns the library. It parses no font.
func NewLibrary() *Library {
	return &Library{parsed: map[string]weak.Pointer[font.Font]{}}
}

// load returns the parsed font of a file. It panics if the file is missing or broken: the fonts are part of the
// program, and its tests load every one.
func (l *Library) load(name string) *font.Font {
	l.mu.Lock()
	defer l.mu.Unlock()
	if known := l.parsed[name].Value(); known != nil {
		return known
	}
	file, err := files.Open("fonts/" + name)
	if err != nil {
		panic(fmt.Errorf("typeface: open %s: %w", name, err))
	}
	// An embedded file reads in place. Closing it has no effect.
	resource, ok := file.(font.Resource)
	if !ok {
		panic(fmt.Errorf("typeface: %s cannot be read at an offset", name))
	}
	face, err := font.ParseTTF(resource)
	if err != nil {
		panic(fmt.Errorf("typeface: parse %s: %w", name, err))
	}
	l.parsed[name] = weak.Make(face.Font)
	return face.Font
}

// Loaded returns the number of fonts in memory.
func (l *Library) Loaded() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, font := range l.parsed {
		if font.Value() != nil {
			n++
		}
	}
	return n
}

// Names returns the names of all fonts, sorted.
func (l *Library) Names() []string {
	entries, err := files.ReadDir("fonts")
	if err != nil {
		panic(fmt.Errorf("typeface: list fonts: %w", err))
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = entry.Name()
	}
	return names
}
