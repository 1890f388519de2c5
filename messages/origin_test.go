package messages_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"equity/messages"
)

func TestOriginIsReadAsItWasSet(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		fields := rapid.MapOf(rapid.StringMatching(`[a-z]{1,5}`), rapid.String()).Draw(t, "fields")
		origin := rapid.SampledFrom([]messages.Origin{"", messages.OriginRequest, messages.OriginImport, messages.OriginSystem}).Draw(t, "origin")
		payload, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		row := messages.Row{Payload: payload}
		row.SetOrigin(origin)
		if !json.Valid(row.Payload) || row.Origin() != origin || string(row.Data()) != string(payload) {
			t.Errorf("%s: origin %q, data %s", row.Payload, row.Origin(), row.Data())
		}
		if got := strings.HasPrefix(
			string(row.Payload), string(messages.OriginPrefix(messages.OriginImport)),
		); got != (origin == messages.OriginImport) {
			t.Errorf("%s has the prefix of imports: %v", row.Payload, got)
		}
	})
}

func TestPayloadWithoutOriginHasNone(t *testing.T) {
	t.Parallel()
	for _, payload := range []string{`{}`, `{"a":"{\"$origin\":\"import\""}`, `{"origin":"import"}`, ` {"$origin":"import"}`, `{"$origin":"imp`, ``} {
		row := messages.Row{Payload: []byte(payload)}
		if row.Origin() != "" || string(row.Data()) != payload {
			t.Errorf("%s: origin %q, data %s", payload, row.Origin(), row.Data())
		}
	}
}

// The hash covers the origin also in the redacted form of a salted row.
func TestOriginOfSaltedRowIsProven(t *testing.T) {
	t.Parallel()
	row := messages.Row{By: "system:test", Type: "memberChanged", Payload: []byte(memberAdded)}
	row.SetOrigin(messages.OriginImport)
	row.Salt(func() [16]byte { return [16]byte{1} })
	row.Seal(messages.Hash{})
	redacted, proven := row.Redacted()
	if !proven || row.Origin() != messages.OriginImport || redacted.Origin() != messages.OriginImport || strings.Contains(
		string(redacted.Payload), "Engineer",
	) {
		t.Errorf("%s\n%s", row.Payload, redacted.Payload)
	}
	for _, one := range []messages.Row{row, redacted} {
		if !one.Fits(messages.Hash{}) {
			t.Errorf("%s does not fit", one.Payload)
		}
		one.Payload = []byte(strings.Replace(string(one.Payload), "import", "system", 1))
		if one.Fits(messages.Hash{}) {
			t.Errorf("%s fits with another origin", one.Payload)
		}
	}
}

func TestCommandWithoutOriginIsARequestOrOfTheServer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		command messages.Command
		want    messages.Origin
	}{
		{messages.Command{By: "01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10"}, messages.OriginRequest},
		{messages.Command{By: "system:scan"}, messages.OriginSystem},
		{messages.Command{By: "system:import", Origin: messages.OriginImport}, messages.OriginImport},
	} {
		if got := c.command.Source(); got != c.want {
			t.Errorf("%+v: %s", c.command, got)
		}
	}
}
