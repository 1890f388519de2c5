package captable

import (
	"encoding/binary"
	"errors"
	"sync"

	"equity/captable/exact"
)

// Packer writes records into a snapshot or reads them back. The same code walks the fields of a
// record in both directions, so that the two directions cannot differ. Each method takes a
// pointer. A writing Packer reads the value and never modifies it, because other goroutines may
// read it concurrently. A reading Packer sets the value.
//
// Strings that are read share the memory of the snapshot. Reading a field therefore does not
// allocate, and the bytes of the snapshot stay in memory as long as its records.
type Packer struct {
	packed  []byte // when writing
	text    string // when reading
	at      int
	reading bool
	failed  bool
	prices  []Price // allocated for the next prices that are read
}

var errSnapshot = errors.New("captable: the snapshot ends early or is damaged")

// NewPacker returns a Packer that writes.
func NewPacker() *Packer { return &Packer{} }

// NewUnpacker returns a Packer that reads the output of another Packer. Bytes are copied; a string is
// not.
func NewUnpacker[S string | []byte](snapshot S) *Packer {
	return &Packer{text: string(snapshot), reading: true}
}

// Reading reports whether the Packer reads.
func (p *Packer) Reading() bool { return p.reading }

// Bytes returns the packed bytes.
func (p *Packer) Bytes() []byte { return p.packed }

// Err returns an error if packing failed, or if the snapshot is damaged, ends early or has unread
// bytes.
func (p *Packer) Err() error {
	if p.failed || p.reading && p.at != len(p.text) {
		return errSnapshot
	}
	return nil
}

// Uint packs a non-negative number as a varint.
func (p *Packer) Uint(v *uint64) {
	if !p.reading {
		p.packed = binary.AppendUvarint(p.packed, *v)
		return
	}
	var value uint64
	for shift := 0; shift < 64; shift += 7 {
		if p.at >= len(p.text) {
			break
		}
		b := p.text[p.at]
		p.at++
		value |= uint64(b&0x7f) << shift
		if b < 0x80 {
			*v = value
			return
		}
	}
	p.failed = true
}

// Len packs a count. A damaged count is read as 0.
func (p *Packer) Len(n int) int { return p.LenOf(n, 1) }

// LenOf packs a count of records of at least the given size in bytes. A count that exceeds the
// rest of the snapshot is damaged and is read as 0, so that it causes no large allocation.
func (p *Packer) LenOf(n, least int) int {
	v := uint64(n) //nolint:gosec // lengths are not negative
	p.Uint(&v)
	if p.reading && v > uint64((len(p.text)-p.at)/least) { //nolint:gosec // positions are not negative
		p.failed = true
		return 0
	}
	return int(v) //nolint:gosec // bounded by the length of the text
}

// Int packs a signed number.
func (p *Packer) Int(v *int64) {
	u := uint64(*v<<1) ^ uint64(*v>>63) //nolint:gosec // the zigzag encoding of binary.AppendVarint
	p.Uint(&u)
	if p.reading {
		*v = int64(u>>1) ^ -int64(u&1)
	}
}

// Bool packs a boolean.
func (p *Packer) Bool(v *bool) {
	var u uint64
	if *v {
		u = 1
	}
	p.Uint(&u)
	if p.reading {
		*v = u == 1
		p.failed = p.failed || u > 1
	}
}

// Text packs a string.
func (p *Packer) Text(v *string) {
	n := p.Len(len(*v))
	if !p.reading {
		p.packed = append(p.packed, *v...)
		return
	}
	*v = p.text[p.at : p.at+n]
	p.at += n
}

// UUID packs the 16 bytes of an id.
func (p *Packer) UUID(v *[16]byte) {
	if !p.reading {
		p.packed = append(p.packed, v[:]...)
		return
	}
	if len(p.text)-p.at < len(v) {
		p.failed = true
		return
	}
	p.at += copy(v[:], p.text[p.at:])
}

// Date packs a date.
func (p *Packer) Date(v *Date) {
	n := int64(*v)
	p.Int(&n)
	if p.reading {
		*v = Date(n) //nolint:gosec // packed from a Date
	}
}

// Instant packs an instant.
func (p *Packer) Instant(v *Instant) { p.Int((*int64)(v)) }

// Decimal packs an exact number. A header contains the sign and the scale. The digits follow as a
// number if they fit into 64 bits, else as text.
func (p *Packer) Decimal(v *Decimal) {
	const long, negative = 0x80, 0x40
	head, digits := uint64(0), uint64(0)
	if !p.reading {
		parts, ok := v.Parts()
		head, digits = uint64(parts.Scale), parts.Digits //nolint:gosec // not negative
		if parts.Negative {
			head |= negative
		}
		if !ok {
			head |= long
		}
	}
	p.Uint(&head)
	if head&long != 0 {
		p.longDecimal(v)
		return
	}
	p.Uint(&digits)
	if p.reading {
		parts := exact.Parts{Digits: digits, Scale: int(min(head&^negative, long)), Negative: head&negative != 0}
		var ok bool
		*v, ok = parts.Decimal()
		p.failed = p.failed || !ok
	}
}

func (p *Packer) longDecimal(v *Decimal) {
	text := ""
	if !p.reading {
		text = v.String()
	}
	p.Text(&text)
	if p.reading {
		err := v.UnmarshalText([]byte(text))
		_, short := v.Parts()
		p.failed = p.failed || err != nil || short
	}
}

// presence is the set of the packed fields of a record. The lowest bit belongs to the next field.
type presence uint64

// sparse packs the presence of fields that are mostly absent. The fields themselves follow, in the same
// order.
func (p *Packer) sparse(fields ...bool) presence {
	mask := uint64(0)
	for i, present := range fields {
		if present {
			mask |= 1 << i
		}
	}
	p.Uint(&mask)
	return presence(mask)
}

// next reports whether the next field is packed.
func (m *presence) next() bool {
	present := *m&1 == 1
	*m >>= 1
	return present
}

func (m *presence) text(p *Packer, v *string) {
	if m.next() {
		p.Text(v)
	}
}

func (m *presence) date(p *Packer, v *Date) {
	if m.next() {
		p.Date(v)
	}
}

// Blocks packs n independent parts. They are read concurrently, each by its own Packer.
func (p *Packer) Blocks(n int, walk func(p *Packer, i int)) {
	blocks := make([]Packer, n)
	if !p.reading {
		for i := range blocks {
			walk(&blocks[i], i)
			size := uint64(len(blocks[i].packed))
			p.Uint(&size)
			p.packed = append(p.packed, blocks[i].packed...)
			blocks[i].packed = nil
		}
		return
	}
	var read sync.WaitGroup
	for i := range blocks {
		p.Text(&blocks[i].text)
		blocks[i].reading, blocks[i].failed = true, p.failed
		read.Go(func() { blocks[i].contain(walk, i) })
	}
	read.Wait()
	for i := range blocks {
		p.failed = p.failed || blocks[i].Err() != nil
	}
}

// contain treats a panic of the walk as damaged input. A panic in this goroutine cannot be
// recovered by the caller of Blocks.
func (p *Packer) contain(walk func(*Packer, int), i int) {
	defer func() { p.failed = recover() != nil || p.failed }()
	walk(p, i)
}

// Optional packs a value that may be absent.
func Optional[T any](p *Packer, v **T, walk func(*T)) {
	present := *v != nil
	p.Bool(&present)
	if !present {
		return
	}
	if p.reading {
		*v = new(T)
	}
	walk(*v)
}

// List packs a slice. An empty slice is read as nil.
func List[T any](p *Packer, v *[]T, walk func(*T)) {
	n := p.Len(len(*v))
	if p.reading && n > 0 {
		*v = make([]T, n)
	}
	for i := 0; i < n && !p.failed; i++ {
		walk(&(*v)[i])
	}
}
