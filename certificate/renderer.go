package certificate

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/johnfercher/maroto/v2"
	"github.com/johnfercher/maroto/v2/pkg/components/col"
	"github.com/johnfercher/maroto/v2/pkg/components/row"
	"github.com/johnfercher/maroto/v2/pkg/config"
	"github.com/johnfercher/maroto/v2/pkg/core/entity"
	"github.com/johnfercher/maroto/v2/pkg/props"
	"github.com/phpdave11/gofpdf"

	"equity/certificate/truetype"
	"equity/certificate/typeface"
	"equity/certificate/typesetting"
)

// revision is increased with every change of this package or of its libraries that changes the bytes of a certificate.
const revision = "1"

// Edition identifies the renderer. Renderers of the same edition create the same bytes. The version of Go is a part of it, because its
// packages compress the file, and the architecture, because it may round coordinates differently.
func Edition() string {
	return strings.Join([]string{revision, runtime.Version(), runtime.GOARCH}, " ")
}

// Renderer renders certificates. It is safe for concurrent use. While it is idle, unused fonts are released.
type Renderer struct {
	plates      plates
	compositors sync.Pool
}

// sortCatalog makes the PDF writer list fonts in a fixed order. The setting is global to the writer, so it is set
// once, before the first document.
var sortCatalog = sync.OnceFunc(func() { gofpdf.SetDefaultCatalogSort(true) }) //nolint:gochecknoglobals // guards a global of the library

// NewRenderer engraves the ornaments and returns a renderer.
func NewRenderer() *Renderer {
	sortCatalog()
	library := typeface.NewLibrary()
	return &Renderer{
		plates:      castPlates(),
		compositors: sync.Pool{New: func() any { return typesetting.NewCompositor(library) }},
	}
}

// job is the rendering of one document.
type job struct {
	Document
	wording
	plates plates

	*typesetting.Compositor
	letters  *truetype.Cast
	drawings *truetype.Cast
	sheets   []*sheet
}

// The names of the fonts from a document's own casts.
const (
	lettersName  = "letters"
	drawingsName = "drawings"
)

// Render returns the document as PDF. It fails with ErrInvalid if the document cannot be printed, but never
// because of particular characters.
func (r *Renderer) Render(d Document) ([]byte, error) {
	if err := d.check(); err != nil {
		return nil, err
	}
	compositor, ok := r.compositors.Get().(*typesetting.Compositor)
	if !ok {
		return nil, fmt.Errorf("render certificate %q: no compositor", d.Number)
	}
	defer r.compositors.Put(compositor)
	j := &job{
		Document: d, wording: word(d), plates: r.plates, Compositor: compositor,
		letters: truetype.NewCast(truetype.Coarse), drawings: truetype.NewCast(truetype.Fine),
	}
	if err := j.compose(); err != nil {
		return nil, fmt.Errorf("render certificate %q: %w", d.Number, err)
	}
	data, err := j.print()
	if err != nil {
		return nil, fmt.Errorf("render certificate %q: %w", d.Number, err)
	}
	return data, nil
}

// compose lays out all pages.
func (j *job) compose() error {
	legends := j.newFoot()
	if err := j.front(legends); err != nil {
		return err
	}
	if legends.overleaf {
		j.overleaf()
	}
	return j.cross()
}

// add starts a page.
func (j *job) add() *sheet {
	s := &sheet{letters: j.letters}
	j.sheets = append(j.sheets, s)
	return s
}

// print writes the pages with maroto.
func (j *job) print() ([]byte, error) {
	fonts := append([]*entity.CustomFont{}, j.plates.fonts...)
	fonts = append(fonts, fontsOf(j.letters, lettersName)...)
	fonts = append(fonts, fontsOf(j.drawings, drawingsName)...)
	date, err := time.Parse(time.DateOnly, j.IssueDate)
	if err != nil {
		date = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)
	}
	const width, height = pageWidth / millimetre, pageHeight / millimetre
	document := maroto.New(config.NewBuilder().
		WithDimensions(width, height).
		WithLeftMargin(0).WithTopMargin(0).WithRightMargin(0).WithBottomMargin(0).
		WithCustomFonts(fonts).WithDefaultFont(&props.Font{Family: fonts[0].Family, Size: plateSize}).
		WithCompression(true).WithCreationDate(date).
		WithTitle(j.titleOfFile(), true).WithAuthor(labelled(j.Organization), true).
		Build())
	for _, s := range j.sheets {
		document.AddRows(row.New(height).Add(col.New().Add(s)))
	}
	generated, err := document.Generate()
	if err != nil {
		return nil, fmt.Errorf("write pdf: %w", err)
	}
	return dated(generated.GetBytes(), date), nil
}

// dated replaces the creation time in the PDF by the certificate's own date, so that the bytes do not depend on
// the current time.
func dated(pdf []byte, date time.Time) []byte {
	const layout = "20060102150405"
	mark := []byte("/ModDate (D:")
	if at := bytes.LastIndex(pdf, mark); at >= 0 && at+len(mark)+len(layout) <= len(pdf) {
		copy(pdf[at+len(mark):], date.Format(layout))
	}
	return pdf
}
