package captable_test

import (
	"bytes"
	"math"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
)

// everything is a record with a field of every kind that a Packer supports.
type everything struct {
	count   uint64
	signed  int64
	yes     bool
	text    string
	id      [16]byte
	day     captable.Date
	moment  captable.Instant
	amount  captable.Decimal
	maybe   *captable.Decimal
	several []string
	meta    captable.Meta
}

func (e *everything) pack(p *captable.Packer) {
	p.Uint(&e.count)
	p.Int(&e.signed)
	p.Bool(&e.yes)
	p.Text(&e.text)
	p.UUID(&e.id)
	p.Date(&e.day)
	p.Instant(&e.moment)
	p.Decimal(&e.amount)
	captable.Optional(p, &e.maybe, p.Decimal)
	captable.List(p, &e.several, p.Text)
	p.Meta(&e.meta)
}

func anything(t *rapid.T) everything {
	e := everything{
		count: rapid.Uint64().Draw(t, "count"), signed: rapid.Int64().Draw(t, "signed"), yes: rapid.Bool().Draw(t, "yes"),
		text: rapid.String().Draw(t, "text"), id: [16]byte(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id")),
		day: captable.Date(rapid.Int32().Draw(t, "day")), moment: captable.Instant(rapid.Int64().Draw(t, "moment")),
		amount:  decimals().Draw(t, "amount"),
		several: rapid.SliceOfN(rapid.String(), 1, 5).Draw(t, "several"),
		meta:    captable.Meta{CreatedAt: 1, UpdatedAt: -2, Version: math.MaxUint64},
	}
	if rapid.Bool().Draw(t, "present") {
		e.maybe = new(decimals().Draw(t, "maybe"))
	}
	return e
}

func TestPacker(t *testing.T) {
	t.Parallel()
	t.Run("a snapshot is read back unchanged, and a shorter or longer one is refused", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(t *rapid.T) {
			want := anything(t)
			p := captable.NewPacker()
			want.pack(p)
			var got everything
			u := captable.NewUnpacker(p.Bytes())
			got.pack(u)
			if u.Err() != nil || !same(got, want) {
				t.Fatalf("got %v, %v; want %v", got, u.Err(), want)
			}
			short := captable.NewUnpacker(p.Bytes()[:rapid.IntRange(0, len(p.Bytes())-1).Draw(t, "cut")])
			got = everything{}
			got.pack(short)
			if short.Err() == nil {
				t.Fatal("half a snapshot was read")
			}
			long := captable.NewUnpacker(append(slices.Clone(p.Bytes()), 0))
			got = everything{}
			got.pack(long)
			if long.Err() == nil {
				t.Fatal("more than a snapshot was read")
			}
		})
	})
	t.Run("unpacked text does not share the bytes of the snapshot", func(t *testing.T) {
		t.Parallel()
		p, text := captable.NewPacker(), "abc"
		p.Text(&text)
		snapshot := p.Bytes()
		u := captable.NewUnpacker(snapshot)
		var read string
		u.Text(&read)
		clear(snapshot)
		equal(t, "text", read, "abc")
	})
}

func same(a, b everything) bool {
	equalMaybe := a.maybe == b.maybe || a.maybe != nil && b.maybe != nil && *a.maybe == *b.maybe
	equalSeveral := slices.Equal(a.several, b.several)
	a.maybe, b.maybe, a.several, b.several = nil, nil, nil, nil
	return equalMaybe && equalSeveral && a.count == b.count && a.signed == b.signed && a.yes == b.yes && a.text == b.text &&
		a.id == b.id && a.day == b.day && a.moment == b.moment && a.amount == b.amount && a.meta == b.meta
}

func TestPackerRefusesDamage(t *testing.T) {
	t.Parallel()
	for claim, snapshot := range map[string][]byte{
		"a decimal of two billion places":    {0xbf, 0xff, 0xff, 0xff, 0x0f, 1},
		"a decimal of 21 places":             {21, 1},
		"a decimal with a needless zero":     {1, 10},
		"a zero with a sign":                 {0x40, 0},
		"a zero with places":                 {2, 0},
		"a long decimal that is none":        {0x80, 0x01, 1, 'x'},
		"a long decimal that would be short": {0x80, 0x01, 1, '5'},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			var d captable.Decimal
			u := captable.NewUnpacker(snapshot)
			u.Decimal(&d)
			if u.Err() == nil {
				t.Errorf("%v was read", snapshot)
			}
		})
	}
	t.Run("a number of more than 64 bits", func(t *testing.T) {
		t.Parallel()
		var n uint64
		u := captable.NewUnpacker(bytes.Repeat([]byte{0xff}, 11))
		u.Uint(&n)
		if u.Err() == nil {
			t.Errorf("%d was read", n)
		}
	})
	t.Run("a yes or no that is neither", func(t *testing.T) {
		t.Parallel()
		var yes bool
		u := captable.NewUnpacker([]byte{2})
		u.Bool(&yes)
		if u.Err() == nil {
			t.Errorf("%t was read", yes)
		}
	})
	t.Run("a list longer than the snapshot, without making room for it", func(t *testing.T) {
		t.Parallel()
		p, count := captable.NewPacker(), uint64(1)<<60
		p.Uint(&count)
		u := captable.NewUnpacker(append(p.Bytes(), make([]byte, 100)...))
		var list []string
		captable.List(u, &list, u.Text)
		if u.Err() == nil || list != nil {
			t.Errorf("read %d", len(list))
		}
	})
}

func TestPackDoesNotTouchTheState(t *testing.T) {
	t.Parallel()
	t.Run("several goroutines may pack and read one state at the same time", func(t *testing.T) {
		t.Parallel()
		b := full(t)
		want := packed(b.state)
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				if !bytes.Equal(packed(b.state), want) {
					t.Error("the snapshots differ")
				}
				for h := range b.state.Shareholdings() {
					_ = h.SharesOn(exact.MustDate(today))
				}
			})
		}
		group.Wait()
	})
}

func FuzzUnpack(f *testing.F) {
	f.Add(packed(full(f).state))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, snapshot []byte) {
		s, u := captable.NewState(), captable.NewUnpacker(snapshot)
		s.Pack(u)
		if u.Err() != nil {
			return
		}
		again := unpacked(t, packed(s))
		if !bytes.Equal(packed(again), packed(s)) {
			t.Fatal("what was read packs differently")
		}
	})
}

// decimals draws decimals of the whole range that the contract permits.
func decimals() *rapid.Generator[captable.Decimal] {
	return rapid.Map(rapid.StringMatching(`-?[0-9]{1,19}(\.[0-9]{1,10})?`), exact.MustDecimal)
}
