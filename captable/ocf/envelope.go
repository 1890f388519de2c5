package ocf

import (
	"bufio"
	"crypto/md5" //nolint:gosec // the format identifies file content by MD5; it has no security purpose
	"encoding/json"
	"errors"
	"io"
	"slices"
	"unicode/utf8"
)

// The files of a package are read twice: first their envelope, then the objects of the listed files in the order of the
// manifest. Each pass holds one object in memory.

// kindField and itemsField are the fields of a file.
const (
	kindField  = "file_type"
	itemsField = "items"
)

var (
	errNotText  = errors.New("it is not UTF-8")
	errNoFile   = errors.New("it is not an object")
	errNoList   = errors.New("items is not a list")
	errTrailing = errors.New("it continues after its end")
)

// examine reads the envelope of a file: its type, the number of its lists of objects, its other fields and its checksum.
func (f *file) examine(content io.Reader) error {
	sum := md5.New() //nolint:gosec // see the import
	text := newText(io.TeeReader(content, sum))
	f.err = f.envelope(json.NewDecoder(text))
	_, err := io.Copy(io.Discard, text)
	if errors.Is(err, errNotText) {
		f.err, err = errNotText, nil
		_, _ = io.Copy(sum, content)
	}
	f.sum = sum.Sum(nil)
	return err
}

func (f *file) envelope(decoder *json.Decoder) error {
	var raw json.RawMessage
	err := fieldsOf(decoder, func(name string) error {
		switch name {
		case kindField:
			return decoder.Decode(&f.kind)
		case itemsField:
			f.lists++
			return elements(decoder, func(int) error { return decoder.Decode(&raw) })
		default:
			f.extra = append(f.extra, name)
			return skip(decoder)
		}
	})
	if err != nil {
		return err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.Join(errTrailing, err)
	}
	return nil
}

// objects calls each for the objects of an examined file. The argument is valid during the call. It ends early if each
// returns false.
func (f *file) objects(content io.Reader, each func(at int, raw json.RawMessage) bool) error {
	decoder, lists := json.NewDecoder(newText(content)), 0
	var raw json.RawMessage
	err := fieldsOf(decoder, func(name string) error {
		if name == itemsField {
			lists++
		}
		if name != itemsField || lists < f.lists { // the last field of a name counts
			return skip(decoder)
		}
		return elements(decoder, func(at int) error {
			if err := decoder.Decode(&raw); err != nil {
				return err
			}
			if !each(at, raw) {
				return errEnough
			}
			return nil
		})
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

var errEnough = errors.New("no more objects are wanted")

// fieldsOf calls each for the fields of the next object. Each reads the value.
func fieldsOf(decoder *json.Decoder, each func(name string) error) error {
	if begin, err := decoder.Token(); err != nil || begin != json.Delim('{') {
		return errors.Join(errNoFile, err)
	}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return err
		}
		name, _ := token.(string)
		if err := each(name); err != nil {
			return err
		}
	}
	_, err := decoder.Token()
	return err
}

// elements calls each for the elements of the next value, a list or null. Each reads the element.
func elements(decoder *json.Decoder, each func(at int) error) error {
	begin, err := decoder.Token()
	if err != nil || begin == nil {
		return err
	}
	if begin != json.Delim('[') {
		return errNoList
	}
	for at := 0; decoder.More(); at++ {
		if err := each(at); err != nil {
			return err
		}
	}
	_, err = decoder.Token()
	return err
}

// skip reads the next value, token by token.
func skip(decoder *json.Decoder) error {
	for depth := 0; ; {
		token, err := decoder.Token()
		if err != nil {
			return err
		}
		switch token {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
		if depth == 0 {
			return nil
		}
	}
}

// text reads UTF-8 without a byte order mark, and fails at anything else.
type text struct {
	from *bufio.Reader
	// rest is the beginning of a character that the last chunk did not complete.
	rest []byte
}

const textBuffer = 64 << 10

// newText returns a reader of the text.
func newText(content io.Reader) *text {
	t := &text{from: bufio.NewReaderSize(content, textBuffer)}
	const mark = "\ufeff"
	if begin, _ := t.from.Peek(len(mark)); string(begin) == mark {
		_, _ = t.from.Discard(len(mark))
	}
	return t
}

// Read reads the next bytes of the text.
func (t *text) Read(into []byte) (int, error) {
	n, err := t.from.Read(into)
	part := into[:n]
	if len(t.rest) > 0 {
		part = slices.Concat(t.rest, part)
	}
	whole := len(part) - incomplete(part)
	if !utf8.Valid(part[:whole]) || whole < len(part) && errors.Is(err, io.EOF) {
		return 0, errNotText
	}
	t.rest = slices.Clone(part[whole:])
	return n, err
}

// incomplete returns the length of the incomplete character at the end of the text.
func incomplete(part []byte) int {
	for length := 1; length < utf8.UTFMax && length <= len(part); length++ {
		if end := part[len(part)-length:]; utf8.RuneStart(end[0]) {
			if utf8.FullRune(end) {
				return 0
			}
			return length
		}
	}
	return 0
}
