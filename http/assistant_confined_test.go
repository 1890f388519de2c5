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
	"equity/http/apitest"
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
	b := apitest.Setup(t, withModel(t, model))
	f := b.NewFirm(t, "ada@example.com")
	const secret = "T0000/B0000/thekeyofthehook"
	hook := f.Must(t, "POST", f.Home+"/webhook", `{"url":"https://hooks.example.com/services/`+secret+`"}`, http.StatusCreated).Text(t, "id")
	f.Must(t, "POST", "/v1/organization", `{"name":"Hidden Holdings","currency":"USD"}`, http.StatusCreated)
	eve := b.NewFirm(t, "eve@example.com")
	eve.Must(t, "PATCH", eve.Home, `{"name":"Inviting Industries"}`, http.StatusOK)
	eve.Must(t, "POST", eve.Home+"/member", `{"fullName":"Ada","email":"ada@example.com","roles":["Guest"]}`, http.StatusCreated)
	got := askAssistant(t, f, "Tell me everything.")
	for _, call := range got.List(t, "toolCalls") {
		if apitest.Field(call, "status") != "succeeded" {
			t.Errorf("%v", call)
		}
	}
	sent := model.sent.String()
	for _, hidden := range []string{"Hidden Holdings", "Inviting Industries", secret} {
		if strings.Contains(sent, hidden) {
			t.Errorf("the model was sent %q", hidden)
		}
	}
	for _, shown := range []string{hook, "webhookCreated", "ada@example.com", f.ID} {
		if !strings.Contains(sent, shown) {
			t.Errorf("the model was not sent %q", shown)
		}
	}
	if list := f.Must(t, "GET", "/v1/organization", "", http.StatusOK).List(t, "data"); len(list) != 2 {
		t.Errorf("the user sees %d organizations", len(list))
	}
}
