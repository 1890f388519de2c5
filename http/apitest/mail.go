package apitest

import (
	"bytes"
	"context"
	"slices"
	"testing"

	"equity/messages"
	"equity/persistence"
)

// Mails returns all mails to the address, in order.
func (b *Server) Mails(tb testing.TB, to string) []messages.Mail {
	tb.Helper()
	const all = 1000
	found, err := persistence.NewOutbox(b.DB).Claim(context.Background(), b.Clock.Now(), 0, all)
	if err != nil {
		tb.Fatal(err)
	}
	slices.SortFunc(found, func(a, b persistence.Mail) int { return bytes.Compare(a.ID[:], b.ID[:]) })
	found = append(b.letters(tb, to), slices.DeleteFunc(found, func(m persistence.Mail) bool { return m.To != to })...)
	slices.SortStableFunc(found, func(a, b messages.Mail) int { return a.CreatedAt.Compare(b.CreatedAt) })
	return found
}

// letters returns the mails to the address that events cause, in order. No consumer sends them here.
func (b *Server) letters(tb testing.TB, to string) (found []messages.Mail) {
	tb.Helper()
	rows, err := b.DB.Reader().QueryContext(context.Background(),
		`SELECT organization, name FROM sealed_value WHERE address = $1 AND name LIKE 'mail/%' ORDER BY created_at`, to)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	names := map[string][]byte{}
	var order []string
	for rows.Next() {
		var id []byte
		var name string
		if err := rows.Scan(&id, &name); err != nil {
			tb.Fatal(err)
		}
		names[name], order = id, append(order, name)
	}
	if err := rows.Err(); err != nil {
		tb.Fatal(err)
	}
	for _, name := range order {
		value, err := persistence.NewSealed(b.DB).Open(context.Background(), [16]byte(names[name]), name)
		if err != nil {
			tb.Fatal(err)
		}
		mail, err := messages.OpenLetter(value)
		if err != nil {
			tb.Fatal(err)
		}
		found = append(found, mail)
	}
	return found
}

// NewestMail returns the last mail to the address.
func (b *Server) NewestMail(tb testing.TB, to string) messages.Mail {
	tb.Helper()
	found := b.Mails(tb, to)
	if len(found) == 0 {
		tb.Fatalf("no mail to %s", to)
	}
	return found[len(found)-1]
}
