package assistant_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"equity/actors/assistant"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// script is a provider with prepared completions. It keeps its prompts.
type script struct {
	mu      sync.Mutex
	next    []assistant.Completion
	prompts []assistant.Prompt
	err     error
	hang    bool
}

func (*script) Name() string  { return "script" }
func (*script) Model() string { return "lines" }

// Complete returns the next line; the last one again and again.
func (s *script) Complete(ctx context.Context, prompt assistant.Prompt, text func(string)) (assistant.Completion, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.prompts = append(s.prompts, prompt)
	if s.hang {
		<-ctx.Done()
		return assistant.Completion{}, ctx.Err()
	}
	if s.err != nil {
		return assistant.Completion{}, s.err
	}
	made := s.next[0]
	if len(s.next) > 1 {
		s.next = s.next[1:]
	}
	if text != nil && made.Text != "" {
		text(made.Text)
	}
	return made, nil
}

// toolbox has one reading, two writing and one destructive tool. It counts executions by key.
type toolbox struct {
	mu       sync.Mutex
	body     string
	executed map[string]int
	refuse   *messages.ToolResult
}

func (t *toolbox) Tools(context.Context) ([]messages.Tool, error) {
	return []messages.Tool{
		{Name: "listMembers", Title: "List members", Class: messages.ToolRead, InputSchema: []byte(`{"type":"object"}`)},
		{Name: "addMember", Title: "Add a member", Class: messages.ToolWrite, InputSchema: []byte(`{"type":"object"}`)},
		{Name: "createRole", Title: "Create a role", Class: messages.ToolWrite, ConfirmAlways: true, InputSchema: []byte(`{"type":"object"}`)},
		{Name: "voidShares", Title: "Void shares", Class: messages.ToolDestructive, InputSchema: []byte(`{"type":"object"}`)},
	}, nil
}

func (t *toolbox) Tool(name string) (messages.Tool, bool) {
	all, _ := t.Tools(context.Background())
	for _, one := range all {
		if one.Name == name {
			return one, true
		}
	}
	return messages.Tool{}, false
}

func (t *toolbox) Call(_ context.Context, call messages.ToolCall) messages.ToolResult {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.refuse != nil && call.Mode == messages.ToolExecutes:
		return *t.refuse
	case call.Mode == messages.ToolExecutes:
		t.executed[call.Key]++
		return messages.ToolResult{Status: http.StatusCreated, Body: []byte(`{"done":true}`), Sequence: 8}
	case call.Mode == messages.ToolPreviews:
		return messages.ToolResult{Status: http.StatusOK, Body: []byte(`{"dryRun":true}`), Sequence: 7}
	}
	return messages.ToolResult{Status: http.StatusOK, Body: []byte(t.body)}
}

// open admits all exchanges.
type open struct{}

func (open) StartExchange(context.Context, organization.ID, messages.ExchangeStart) (func(), error) {
	return func() {}, nil
}

// bundle is an engine on SQLite with a prepared provider.
type bundle struct {
	engine  *assistant.Engine
	changes *assistant.Changes
	steps   *persistence.Steps
	script  *script
	tools   *toolbox
	caller  messages.ToolUser
	mu      sync.Mutex
	now     time.Time
}

func (b *bundle) clock() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now
}

func (b *bundle) advance(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.now = b.now.Add(d)
}

func newID() [16]byte { return uuid.Must(uuid.NewV7()) }

func setup(tb testing.TB, lines ...assistant.Completion) *bundle {
	tb.Helper()
	db := storetest.Open(tb, storetest.SQLite(tb))
	b := &bundle{
		script: &script{next: lines}, tools: &toolbox{body: `{"data":[]}`, executed: map[string]int{}}, now: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC),
	}
	user := messages.User{ID: organization.UserID(newID()), Entity: newID(), Email: "ada@example.com", Username: "ada", CreatedAt: b.now}
	if err := persistence.NewUsers(db).Create(tb.Context(), user); err != nil {
		tb.Fatal(err)
	}
	b.caller = messages.ToolUser{Organization: organization.ID(newID()), User: user.ID, Credential: "one", Tools: b.tools}
	b.steps = persistence.NewSteps(db)
	b.changes = assistant.NewChanges(b.steps, true, b.clock, newID, slog.New(slog.DiscardHandler))
	b.engine = assistant.NewEngine(assistant.Settings{}, b.script, b.changes, persistence.NewConversations(db), open{}, rand.Reader)
	return b
}

// ask sends a message.
func (b *bundle) ask(tb testing.TB, message string) (messages.ExchangeReply, error) {
	tb.Helper()
	return b.engine.Exchange(tb.Context(), messages.Question{ToolUser: b.caller, Message: message}, messages.ExchangeSink{})
}

// calls returns a completion with one call of the tool.
func calls(name string) assistant.Completion {
	return assistant.Completion{Calls: []assistant.Call{{ID: "a", Name: name, Arguments: json.RawMessage(`{}`)}}, Tokens: 10}
}

// says returns a completion with a text.
func says(text string) assistant.Completion { return assistant.Completion{Text: text, Tokens: 10} }
