package messages_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

func TestCommandLogValue(t *testing.T) {
	t.Parallel()
	t.Run("the log value of a command has only the organization and the author", func(t *testing.T) {
		t.Parallel()
		var log bytes.Buffer
		slog.New(slog.NewJSONHandler(&log, nil)).Info("refused", "command", messages.Command{
			Organization: organization.ID{1}, By: "ada", IdempotencyKey: "secret", Fingerprint: "secret",
			Body:        organization.Amend{Patch: []byte("secret")},
			Particulars: []messages.Particular{{Field: "phone", Value: json.RawMessage(`"secret"`)}},
		})
		if line := log.String(); strings.Contains(line, "secret") || !strings.Contains(
			line, "01000000-0000-0000-0000-000000000000",
		) || !strings.Contains(line, "ada") {
			t.Error(line)
		}
	})
}

func TestResult(t *testing.T) {
	t.Parallel()
	t.Run("the result of a command is that of its body", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		body := organization.TableCommand(captable.CreateLegend{LegendTerms: captable.LegendTerms{Name: "1", Text: "T"}})
		events := b.do(body)
		result, ok := messages.With(messages.Command{}, body).Result(events, b.state)
		legend, err := messages.ResultOf[*captable.Legend](messages.Reply{Result: result})
		if err != nil || !ok || legend.Name != "1" {
			t.Errorf("got %v, %v", legend, err)
		}
	})
	t.Run("a result of another type is an error", func(t *testing.T) {
		t.Parallel()
		if member, err := messages.ResultOf[*organization.Member](messages.Reply{Result: &captable.Legend{}}); err == nil {
			t.Errorf("got %v", member)
		}
	})
	t.Run("a missing result is an error", func(t *testing.T) {
		t.Parallel()
		if member, err := messages.ResultOf[*organization.Member](messages.Reply{}); err == nil {
			t.Errorf("got %v", member)
		}
	})
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	t.Run("shared by all callers are not modified by With", func(t *testing.T) {
		t.Parallel()
		for _, shared := range []*fault.Error{messages.ErrOutcomeUnknown, messages.ErrUnavailable, messages.ErrMembersChanged, messages.ErrKeyReused} {
			if own := shared.With("figure", "1"); shared.Details != nil || own == shared || shared.Message == "" {
				t.Errorf("%+v", shared)
			}
		}
	})
}
