package certificate_test

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/go-text/typesetting/font"

	"equity/certificate/typeface"
)

// This file parses the output of Render as far as the tests need it: pages, their texts with positions, and the
// outlines of the embedded fonts.

// text is one shown string, in points from the page's lower left corner.
type text struct {
	font       string // "letters0", "plate0", ...
	chars      string
	x, y, size float64
}

// box is the bounding box of ink.
type box struct{ x0, y0, x1, y1 float64 }

type document struct {
	t       testing.TB
	objects map[int][]byte
	pages   [][]text
	lines   [][]box // of each page
	faces   map[string]*font.Face
	glyphs  map[string][]byte // by font name: the glyph of every character
}

func read(tb testing.TB, data []byte) *document {
	tb.Helper()
	d := &document{t: tb, objects: map[int][]byte{}, faces: map[string]*font.Face{}, glyphs: map[string][]byte{}}
	d.index(data)
	fonts := map[string]string{}
	for _, object := range d.objects {
		for _, m := range regexp.MustCompile(`/F([0-9a-f]{40}) (\d+) 0 R`).FindAllSubmatch(object, -1) {
			fonts[string(m[1])] = d.openFont(d.number(m[2]))
		}
	}
	for _, i := range d.sorted() {
		if bytes.Contains(d.objects[i], []byte("/Type /Page\n")) {
			contents := d.reference(d.objects[i], "Contents")
			d.pages = append(d.pages, texts(d.stream(contents), fonts))
			d.lines = append(d.lines, lines(d.stream(contents)))
		}
	}
	return d
}

// index finds the objects through the file's cross-reference table, which must be correct.
func (d *document) index(data []byte) {
	d.t.Helper()
	start := regexp.MustCompile(`startxref\n(\d+)\n%%EOF`).FindSubmatch(data)
	if start == nil {
		d.t.Fatal("no cross-reference table")
	}
	rows := regexp.MustCompile(`(\d{10}) 00000 n`).FindAllSubmatch(data[d.number(start[1]):], -1)
	for i, row := range rows {
		offset := d.number(row[1])
		prefix := fmt.Sprintf("%d 0 obj", i+1)
		if !bytes.HasPrefix(data[offset:], []byte(prefix)) {
			d.t.Fatalf("object %d is not where the table says", i+1)
		}
		object := data[offset:]
		end := bytes.Index(object, []byte("endobj"))
		if at := bytes.Index(object[:end], []byte("stream\n")); at >= 0 {
			length := regexp.MustCompile(`/Length (\d+)`).FindSubmatch(object[:at])
			end = at + len("stream\n") + d.number(length[1])
		}
		d.objects[i+1] = object[:end]
	}
}

func (d *document) sorted() []int {
	var numbers []int
	for i := range d.objects {
		numbers = append(numbers, i)
	}
	slices.Sort(numbers)
	return numbers
}

func (d *document) number(s []byte) int {
	d.t.Helper()
	n, err := strconv.Atoi(strings.TrimLeft(string(s), "0") + "")
	if err != nil {
		d.t.Fatalf("%q is no number", s)
	}
	return n
}

func (d *document) reference(object []byte, name string) int {
	d.t.Helper()
	m := regexp.MustCompile(`/` + name + ` \[?(\d+) 0 R`).FindSubmatch(object)
	if m == nil {
		d.t.Fatalf("object has no %s", name)
	}
	return d.number(m[1])
}

// stream returns the decompressed content of a stream object.
func (d *document) stream(object int) []byte {
	d.t.Helper()
	data := d.objects[object]
	data = data[bytes.Index(data, []byte("stream\n"))+len("stream\n"):]
	reader, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		d.t.Fatalf("stream %d: %v", object, err)
	}
	plain, err := io.ReadAll(reader)
	if err != nil {
		d.t.Fatalf("stream %d: %v", object, err)
	}
	return plain
}

// openFont parses an embedded font and returns its name.
func (d *document) openFont(object int) string {
	d.t.Helper()
	outer := d.objects[object]
	name := string(regexp.MustCompile(`/BaseFont /utf8(\w+)`).FindSubmatch(outer)[1])
	if d.faces[name] != nil {
		return name
	}
	inner := d.objects[d.reference(outer, "DescendantFonts")]
	descriptor := d.objects[d.reference(inner, "FontDescriptor")]
	face, err := font.ParseTTF(bytes.NewReader(d.stream(d.reference(descriptor, "FontFile2"))))
	if err != nil {
		d.t.Fatalf("embedded font %s: %v", name, err)
	}
	d.faces[name] = face
	d.glyphs[name] = d.stream(d.reference(inner, "CIDToGIDMap"))
	return name
}

// texts returns the shown strings of a page: "BT /font size Tf ET" selects a font, and "BT x y Td (string) Tj ET"
// shows a string.
func texts(content []byte, fonts map[string]string) []text {
	var all []text
	var current text
	for {
		at := bytes.Index(content, []byte("BT "))
		if at < 0 {
			return all
		}
		content = content[at+len("BT "):]
		fields := bytes.SplitN(content[:min(100, len(content))], []byte(" "), 4)
		switch {
		case len(fields) > 3 && bytes.HasPrefix(fields[3], []byte("ET")) && content[0] == '/':
			current.font = fonts[string(fields[0][len("/F"):])]
			current.size, _ = strconv.ParseFloat(string(fields[1]), 64)
		case len(fields) > 3 && bytes.Equal(fields[2], []byte("Td")) && fields[3][0] == '(':
			current.x, _ = strconv.ParseFloat(string(fields[0]), 64)
			current.y, _ = strconv.ParseFloat(string(fields[1]), 64)
			current.chars, content = literal(content[len(fields[0])+len(fields[1])+len("  Td ("):])
			all = append(all, current)
		}
	}
}

// lines returns the drawn lines of a page: "x y m x y l S" draws one.
func lines(content []byte) []box {
	var all []box
	for _, m := range regexp.MustCompile(`([\d.]+) ([\d.]+) m ([\d.]+) ([\d.]+) l S`).FindAllSubmatch(content, -1) {
		var at [4]float64
		for i, number := range m[1:] {
			at[i], _ = strconv.ParseFloat(string(number), 64)
		}
		all = append(all, box{at[0], at[1], at[2], at[3]})
	}
	return all
}

// literal reads a string up to its closing parenthesis and returns the rest.
func literal(content []byte) (string, []byte) {
	var raw []byte
	i := 0
	for ; content[i] != ')'; i++ {
		if content[i] == '\\' {
			i++
			if content[i] == 'r' {
				raw = append(raw, '\r')
				continue
			}
		}
		raw = append(raw, content[i])
	}
	units := make([]uint16, len(raw)/2)
	for k := range units {
		units[k] = binary.BigEndian.Uint16(raw[2*k:])
	}
	return string(utf16.Decode(units)), content[i:]
}

// words returns the text of a page, line by line.
func (d *document) words(page int) string {
	var letters []text
	for _, text := range d.pages[page] {
		if strings.HasPrefix(text.font, "letters") {
			letters = append(letters, text)
		}
	}
	slices.SortStableFunc(letters, func(a, b text) int {
		return cmp.Or(cmp.Compare(b.y, a.y), cmp.Compare(a.x, b.x))
	})
	var b strings.Builder
	for i, text := range letters {
		if i > 0 && letters[i-1].y != text.y {
			b.WriteByte('\n')
		}
		b.WriteString(text.chars)
	}
	return b.String()
}

// allWords returns the text of all pages.
func (d *document) allWords() string {
	words := make([]string, len(d.pages))
	for i := range d.pages {
		words[i] = d.words(i)
	}
	return strings.Join(words, "\n")
}

// ink returns the boxes of a text's glyphs, without blanks.
func (d *document) ink(s text) []box {
	face, glyphs := d.faces[s.font], d.glyphs[s.font]
	em := s.size
	x := s.x
	var boxes []box
	for _, char := range utf16.Encode([]rune(s.chars)) {
		glyph := font.GID(binary.BigEndian.Uint16(glyphs[2*int(char):]))
		if x0, y0, x1, y1, ok := typeface.Outline(face, glyph).Bounds(); ok {
			boxes = append(boxes, box{x + x0*em, s.y + y0*em, x + x1*em, s.y + y1*em})
		}
		x += float64(face.HorizontalAdvance(glyph)) / float64(face.Upem()) * em
	}
	return boxes
}
