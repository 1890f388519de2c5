package messages

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"equity/organization"
)

// Pack is the compressed content of consecutive rows of an append. It is stored with a small transaction; the rows are
// added to the journal afterwards. The content is independent of the position of the rows in the journal: sequences and
// hashes follow from the previous row.
type Pack struct {
	// From is the index of the first row within the append. Rows is their number.
	From, Rows int
	// Content holds the rows, and new records that are located by id.
	Content []byte
}

const (
	// largeRows is the number of rows from which an append is packed.
	largeRows = 2_000
	// packRows is the number of rows of a pack. Each pack is added to the journal in one transaction, for which the writes of
	// other organizations may have to wait.
	packRows = 500
)

// Pack packs the rows of a large append, except the first and the last one: those are stored at once, as the fence and as
// the end of the journal. New records move into the packs. Other appends are unchanged.
func (a *Append) Pack() {
	if !a.Large() || len(a.Packs) > 0 {
		return
	}
	last := len(a.Rows) - 1
	for from := 1; from < last; from += packRows {
		rows := a.Rows[from:min(from+packRows, last)]
		resources := a.Resources[:min(packRows, len(a.Resources))]
		if from+packRows >= last {
			resources = a.Resources
		}
		a.Resources = a.Resources[len(resources):]
		a.Packs = append(a.Packs, Pack{from, len(rows), packed(rows, resources)})
	}
}

// Large reports whether the rows of the append are stored in packs.
func (a *Append) Large() bool { return len(a.Rows) > largeRows }

// Unpacked returns the rows outside the packs.
func (a *Append) Unpacked() []Row {
	var rows []Row
	from := 0
	for _, pack := range a.Packs {
		rows = append(rows, a.Rows[from:pack.From]...)
		from = pack.From + pack.Rows
	}
	if from == 0 {
		return a.Rows
	}
	return append(rows, a.Rows[from:]...)
}

// packed encodes and compresses rows without their positions. Times are offsets from that of the first row.
func packed(rows []Row, resources []Resource) []byte {
	var content bytes.Buffer
	w, err := flate.NewWriter(&content, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is valid
	}
	var b []byte
	text := func(value string) {
		b = binary.AppendUvarint(b, uint64(len(value)))
		b = append(b, value...)
	}
	write := func() {
		_, _ = w.Write(b) // a buffer in memory does not fail
		b = b[:0]
	}
	b = binary.AppendUvarint(b, uint64(len(rows)))
	for i := range rows {
		r := &rows[i]
		b = binary.AppendVarint(b, r.RecordedAt.UnixMicro()-rows[0].RecordedAt.UnixMicro())
		text(r.By)
		text(r.Type)
		text(r.IdempotencyKey)
		text(r.Fingerprint)
		b = binary.AppendUvarint(b, uint64(len(r.Payload)))
		b = append(b, r.Payload...)
		write()
	}
	b = binary.AppendUvarint(b, uint64(len(resources)))
	for _, r := range resources {
		b = append(b, r.ID[:]...)
		text(r.Kind)
		write()
	}
	write()
	_ = w.Close() // a buffer in memory does not fail
	return content.Bytes()
}

// errPack reports packed content that differs from the stored one.
var errPack = errors.New("packed rows are damaged")

// Unpack returns the rows and the new records of packed content, as an append behind the row with the previous hash. Its
// first row has the sequence and the time, and its last row the hash; otherwise the content is damaged.
func Unpack(content []byte, id organization.ID, sequence uint64, at time.Time, previous, last Hash) (Append, error) {
	all, err := io.ReadAll(flate.NewReader(bytes.NewReader(content)))
	if err != nil {
		return Append{}, fmt.Errorf("%w: %w", errPack, err)
	}
	r := packReader{rest: all}
	into := Append{Organization: id, Rows: make([]Row, r.number())}
	for i := range into.Rows {
		row := &into.Rows[i]
		row.Organization, row.Sequence = id, sequence+uint64(i)
		row.RecordedAt = at.Add(time.Duration(r.offset()) * time.Microsecond)
		row.By, row.Type = string(r.text()), string(r.text())
		row.IdempotencyKey, row.Fingerprint = string(r.text()), string(r.text())
		row.Payload = r.text()
		row.Seal(previous)
		previous = row.Hash
	}
	into.Resources = make([]Resource, r.number())
	for i := range into.Resources {
		copy(into.Resources[i].ID[:], r.take(len(into.Resources[i].ID)))
		into.Resources[i].Kind = string(r.text())
	}
	if r.short || previous != last {
		return Append{}, errPack
	}
	return into, nil
}

// packReader reads decompressed content.
type packReader struct {
	rest  []byte
	short bool // the content ended early
}

func (r *packReader) take(number int) []byte {
	if number < 0 || number > len(r.rest) {
		r.short, r.rest = true, nil
		return nil
	}
	taken := r.rest[:number:number]
	r.rest = r.rest[number:]
	return taken
}

// number returns a number of items or bytes that follow. It is at most the number of remaining bytes.
func (r *packReader) number() int {
	value, size := binary.Uvarint(r.rest)
	r.take(max(size, 0))
	if size <= 0 || value > uint64(len(r.rest)) {
		r.short, r.rest = true, nil
		return 0
	}
	return int(value) //nolint:gosec // at most the length of a slice
}

func (r *packReader) offset() int64 {
	value, size := binary.Varint(r.rest)
	r.take(max(size, 0))
	r.short = r.short || size <= 0
	return value
}

func (r *packReader) text() []byte { return r.take(r.number()) }
