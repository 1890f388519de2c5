package messages_test

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"equity/messages"
	"equity/organization"
)

// large returns an append of many rows with a record for each.
func large(rows int) messages.Append {
	batch := messages.Append{Organization: organization.ID{1}}
	var previous messages.Hash
	for i := range rows {
		row := messages.Row{
			Organization: batch.Organization, Sequence: uint64(i) + 7, RecordedAt: time.UnixMicro(1_700_000_000_000_000 + int64(i/3)).UTC(),
			By: "system:test", Type: "somethingHappened", Payload: fmt.Appendf(nil, `{"n":%d}`, i), IdempotencyKey: "k", Fingerprint: "f",
		}
		row.Seal(previous)
		previous = row.Hash
		batch.Rows = append(batch.Rows, row)
		batch.Resources = append(batch.Resources, messages.Resource{ID: [16]byte{byte(i >> 8), byte(i)}, Kind: "shareholding"})
	}
	return batch
}

func TestUnpackedRowsEqualThePackedOnes(t *testing.T) {
	t.Parallel()
	batch := large(5_000)
	batch.Pack()
	if len(batch.Unpacked()) != 2 || len(batch.Resources) != 0 {
		t.Fatalf("%d rows and %d records are not packed", len(batch.Unpacked()), len(batch.Resources))
	}
	resources := 0
	for _, pack := range batch.Packs {
		first, last := batch.Rows[pack.From], batch.Rows[pack.From+pack.Rows-1]
		got, err := messages.Unpack(pack.Content, batch.Organization, first.Sequence, first.RecordedAt, first.PreviousHash, last.Hash)
		if err != nil || len(got.Rows) != pack.Rows {
			t.Fatalf("%d of %d rows: %v", len(got.Rows), pack.Rows, err)
		}
		resources += len(got.Resources)
		for i := range got.Rows {
			want := batch.Rows[pack.From+i]
			if got.Rows[i].Hash != want.Hash || !bytes.Equal(got.Rows[i].Payload, want.Payload) || !got.Rows[i].Fits(want.PreviousHash) {
				t.Fatalf("row %d: %+v, not %+v", i, got.Rows[i], want)
			}
		}
	}
	if resources != 5_000 {
		t.Errorf("%d records", resources)
	}
}

func TestSmallAppendIsNotPacked(t *testing.T) {
	t.Parallel()
	if batch := large(2_000); !batch.Large() {
		if batch.Pack(); len(batch.Packs) != 0 || len(batch.Unpacked()) != 2_000 {
			t.Errorf("%d packs", len(batch.Packs))
		}
	}
}

func TestDamagedPackIsRefused(t *testing.T) {
	t.Parallel()
	batch := large(3_000)
	batch.Pack()
	pack := batch.Packs[0]
	first, last := batch.Rows[pack.From], batch.Rows[pack.From+pack.Rows-1]
	for at := 0; at < len(pack.Content); at += 97 {
		content := bytes.Clone(pack.Content)
		content[at] ^= 0x10
		if got, err := messages.Unpack(
			content, batch.Organization, first.Sequence, first.RecordedAt, first.PreviousHash, last.Hash,
		); err == nil && len(got.Rows) != pack.Rows {
			t.Fatalf("byte %d: %d rows", at, len(got.Rows))
		}
		if _, err := messages.Unpack(
			pack.Content[:at], batch.Organization, first.Sequence, first.RecordedAt, first.PreviousHash, last.Hash,
		); err == nil {
			t.Fatalf("%d of %d bytes are accepted", at, len(pack.Content))
		}
	}
}
