package persistence

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"equity/messages"
)

// An append of an import may have a hundred thousand rows. It is stored in one transaction like any other, by a committer
// of its own, so that on PostgreSQL the appends of other organizations do not wait for it. The transaction contains the
// compressed rows, and the unpacker moves them to the journal afterwards; see journal_unpack.go. Other rows leave in
// slices: each statement is answered within the store timeout, and the memory for encoding is that of one slice.
const (
	sliceRows  = 2_000 // rows of a slice
	slicePacks = 32
	// bulkTimePerRow extends the deadline of a bulk: a store that takes fewer rows a second is too slow.
	bulkTimePerRow = time.Millisecond
)

func isBulk(batch *messages.Append) bool { return batch.Large() }

// bulkTime returns the time that a group has in addition to the store timeout.
func bulkTime(group []messages.Append) time.Duration {
	if len(group) == 1 && isBulk(&group[0]) {
		return time.Duration(len(group[0].Rows)) * bulkTimePerRow
	}
	return 0
}

// sliced divides the append without its packs into slices. Stored in their order, they have the effect of the append.
func sliced(batch messages.Append) []messages.Append {
	var all []messages.Append
	batch.Rows = batch.Unpacked()
	for first := true; first || len(batch.Rows)+len(batch.Resources)+len(batch.Memberships)+len(batch.Stakes)+
		len(batch.Particulars)+len(batch.Sealed)+len(batch.Wakes) > 0; first = false {
		all = append(all, messages.Append{
			Organization: batch.Organization,
			Rows:         take(&batch.Rows), Resources: take(&batch.Resources), Memberships: take(&batch.Memberships),
			Stakes: take(&batch.Stakes), Particulars: take(&batch.Particulars), Sealed: take(&batch.Sealed), Wakes: take(&batch.Wakes),
		})
	}
	return all
}

// take removes the items of a slice from the front of the list, and returns them.
func take[T any](list *[]T) []T {
	number := min(len(*list), sliceRows)
	taken := (*list)[:number:number]
	*list = (*list)[number:]
	return taken
}

// commitBulk stores the append in one transaction of several round trips. Until the commit is sent, every failure proves
// that nothing was stored.
func (s *postgresStore) commitBulk(ctx context.Context, batch messages.Append) error {
	defer func() { s.lastUsed = time.Now() }()
	batch.Pack()
	err := s.exec(ctx, "BEGIN")
	for _, slice := range sliced(batch) {
		if err == nil {
			err = s.conn.ExecBatch(ctx, s.encoder.encode([]messages.Append{slice})).Close()
		}
	}
	for packs := range slices.Chunk(batch.Packs, slicePacks) {
		if err == nil {
			err = s.conn.ExecBatch(ctx, s.encoder.encodePacks(&batch, packs)).Close()
		}
	}
	if err != nil {
		if s.conn.IsClosed() || s.exec(ctx, "ROLLBACK") != nil {
			_ = s.conn.Close(ctx)
			err = fmt.Errorf("%w: %w", errUnreachable, err)
		}
		return undone(err)
	}
	if err := s.exec(ctx, "COMMIT"); err != nil {
		if !s.conn.IsClosed() && s.conn.TxStatus() != 'I' {
			_ = s.conn.Close(ctx)
		}
		return outcome(err)
	}
	return nil
}

// undone converts an error of a transaction that was undone.
func undone(err error) error {
	fault, answered := errors.AsType[*pgconn.PgError](err)
	if answered && isFence(fault) {
		return fmt.Errorf("%w: %w", messages.ErrFenced, err)
	}
	return fmt.Errorf("%w: %w", messages.ErrNotStored, err)
}

// isFence reports whether another writer has stored the same sequence. PostgreSQL names the partition.
func isFence(fault *pgconn.PgError) bool {
	if fault.Code != postgresUnique {
		return false
	}
	table := fault.TableName
	if at := strings.LastIndex(table, "_p"); at > 0 && strings.Trim(table[at+2:], "0123456789") == "" {
		table = table[:at]
	}
	return table == "journal" || table == "journal_pack"
}

func (s *postgresStore) exec(ctx context.Context, statement string) error {
	_, err := s.conn.Exec(ctx, statement).ReadAll()
	return err
}
