package http_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"

	"equity/actors"
	"equity/actors/assistant"
	equityhttp "equity/http"
	"equity/persistence"
)

// curious is a language model that calls the tools and keeps what it is sent.
type curious struct {
	calls []assistant.Call
	mu    sync.Mutex
	sent  strings.Builder
}

func (*curious) Name() string  { return "curious" }
func (*curious) Model() string { return "model" }

// Complete calls all tools at once, and then answers.
func (m *curious) Complete(_ context.Context, prompt assistant.Prompt, _ func(string)) (assistant.Completion, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	fmt.Fprintf(&m.sent, "%s\n%+v\n", prompt.System, prompt.Messages)
	if last := prompt.Messages[len(prompt.Messages)-1]; len(last.Results) > 0 {
		return assistant.Completion{Text: "Done."}, nil
	}
	return assistant.Completion{Calls: m.calls}, nil
}

// withModel replaces the language model of the assistant.
func withModel(tb testing.TB, model assistant.Provider) func(*equityhttp.Settings, *equityhttp.Services) {
	tb.Helper()
	return func(_ *equityhttp.Settings, services *equityhttp.Services) {
		changes, _ := services.Assistant.Changes.(*assistant.Changes)
		conversations, _ := services.Assistant.Conversations.(*persistence.Conversations)
		organizations, is := services.Assistant.Limits.(*actors.Organizations)
		if !is || changes == nil || conversations == nil {
			tb.Fatal("the assistant has other services")
		}
		services.Assistant.Engine = assistant.NewEngine(
			assistant.Settings{MaxOutputTokens: 100}, model, changes, conversations, organizations, rand.Reader,
		)
	}
}

func TestModelIsSentNoOtherCompanyAndNoSecretAddress(t *testing.T) {
	t.Parallel()
	model := &curious{}
	for i, name := range []string{"listOrganizations", "currentUser", "listOwnHoldings", "listReceivedInvitations", "listWebhooks", "listJournal"} {
		model.calls = append(model.calls, assistant.Call{ID: strconv.Itoa(i), Name: name, Arguments: json.RawMessage(`{}`)})
	}
	b := setup(t, withModel(t, model))
	f := b.firm(t, "ada@example.com")
	const secret = "T0000/B0000/thekeyofthehook"
	hook := f.must(t, "POST", f.home+"/webhook", `{"url":"https://hooks.example.com/services/`+secret+`"}`, http.StatusCreated).text(t, "id")
	f.must(t, "POST", "/v1/organization", `{"name":"Hidden Holdings","currency":"USD"}`, http.StatusCreated)
	eve := b.firm(t, "eve@example.com")
	eve.must(t, "PATCH", eve.home, `{"name":"Inviting Industries"}`, http.StatusOK)
	eve.must(t, "POST", eve.home+"/member", `{"fullName":"Ada","email":"ada@example.com","roles":["Guest"]}`, http.StatusCreated)
	got := f.asks(t, "Tell me everything.")
	for _, call := range got.list(t, "toolCalls") {
		if field(call, "status") != "succeeded" {
			t.Errorf("%v", call)
		}
	}
	sent := model.sent.String()
	for _, hidden := range []string{"Hidden Holdings", "Inviting Industries", secret} {
		if strings.Contains(sent, hidden) {
			t.Errorf("the model was sent %q", hidden)
		}
	}
	for _, shown := range []string{hook, "webhookCreated", "ada@example.com", f.id} {
		if !strings.Contains(sent, shown) {
			t.Errorf("the model was not sent %q", shown)
		}
	}
	if list := f.must(t, "GET", "/v1/organization", "", http.StatusOK).list(t, "data"); len(list) != 2 {
		t.Errorf("the user sees %d organizations", len(list))
	}
}
