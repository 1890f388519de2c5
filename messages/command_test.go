package messages_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

func TestCommandLogValue(t *testing.T) {
	t.Parallel()
	t.Run("contains only the organization and the author", func(t *testing.T) {
		t.Parallel()
		var log bytes.Buffer
		slog.New(slog.NewJSONHandler(&log, nil)).Info("refused", "command", messages.Command{
			Organization: organization.ID{1}, By: "ada", IdempotencyKey: "secret", Fingerprint: "secret",
			Body:        organization.Amend{Patch: []byte("secret")},
			Particulars: []messages.Particular{{Field: "phone", Value: json.RawMessage(`"secret"`)}},
		})
		if line := log.String(); strings.Contains(line, "secret") || !strings.Contains(line, "01000000-0000-0000-0000-000000000000") || !strings.Contains(line, "ada") {
			t.Error(line)
		}
	})
}

func TestFirst(t *testing.T) {
	t.Parallel()
	t.Run("returns the first record of the type", func(t *testing.T) {
		t.Parallel()
		one, two := &captable.Legend{LegendTerms: captable.LegendTerms{Name: "1"}}, &captable.Legend{LegendTerms: captable.LegendTerms{Name: "2"}}
		records := []any{&captable.Security{}, one, two}
		if legend, ok := messages.First[*captable.Legend](records); !ok || legend != one {
			t.Errorf("got %v", legend)
		}
		if member, ok := messages.First[*organization.Member](records); ok || member != nil {
			t.Errorf("got %v", member)
		}
	})
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	t.Run("shared by all callers are not modified by With", func(t *testing.T) {
		t.Parallel()
		for _, shared := range []*captable.Error{messages.ErrOutcomeUnknown, messages.ErrUnavailable, messages.ErrMembersMoved, messages.ErrKeyReused} {
			if own := shared.With("figure", "1"); shared.Details != nil || own == shared || shared.Message == "" {
				t.Errorf("%+v", shared)
			}
		}
	})
}
