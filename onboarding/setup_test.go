package onboarding_test

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"equity/fault"
	"equity/messages"
	"equity/onboarding"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// reader returns prepared facts for each description.
type reader func(ctx context.Context) (messages.CompanyFacts, error)

func (r reader) Read(ctx context.Context, _ messages.ModelPayer, _ string) (messages.CompanyFacts, error) {
	return r(ctx)
}

// facts returns a reader of the same facts.
func facts(facts messages.CompanyFacts) reader {
	return func(context.Context) (messages.CompanyFacts, error) { return facts, nil }
}

// call is a carried out operation.
type call struct {
	operation, body, id string
}

// contract records the operations that it carries out, once for each key. Refuse prepares the results of operations.
type contract struct {
	mu     sync.Mutex
	user   organization.UserID
	calls  []call
	keys   map[string]messages.ToolResult
	refuse func(operation string) (messages.ToolResult, bool)
}

func (*contract) CheckBody(string, []byte) fault.Fields { return nil }

func (c *contract) As(context.Context, organization.UserID, organization.ID) (onboarding.Operations, error) {
	return c, nil
}

func (c *contract) Import(ctx context.Context, file messages.OnboardingFile, key string) messages.ToolResult {
	return c.Call(ctx, messages.ToolCall{Operation: "importPackage", Arguments: file.Content, Key: key})
}

func (c *contract) Call(_ context.Context, made messages.ToolCall) messages.ToolResult {
	c.mu.Lock()
	defer c.mu.Unlock()
	if made.Operation == "listMembers" {
		return messages.ToolResult{Status: http.StatusOK, Body: json.RawMessage(`{"data":[{"id":"own","entity":"self","user":"` + c.user.String() + `"}]}`)}
	}
	if c.refuse != nil {
		if result, refused := c.refuse(made.Operation); refused {
			return result
		}
	}
	if result, repeated := c.keys[made.Key]; repeated {
		return result
	}
	id := uuid.UUID(newID()).String()
	c.calls = append(c.calls, call{made.Operation, string(made.Arguments), id})
	result := messages.ToolResult{Status: http.StatusCreated, Body: json.RawMessage(`{"id":"` + id + `","entity":"entity of ` + id + `"}`)}
	c.keys[made.Key] = result
	return result
}

// operations returns the names of the carried out operations, in their order.
func (c *contract) operations() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	names := make([]string, len(c.calls))
	for i, one := range c.calls {
		names[i] = one.operation
	}
	return strings.Join(names, " ")
}

// bundle is a service on SQLite with an onboarding of a user.
type bundle struct {
	*onboarding.Service
	contract *contract
	store    *persistence.Onboardings
	user     organization.UserID
	id       messages.OnboardingID
	mu       sync.Mutex
	now      time.Time
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

// setup returns a service whose onboarding is linked to the user ada@example.com, and not analyzed.
func setup(tb testing.TB, read onboarding.Reader) *bundle {
	tb.Helper()
	db := storetest.Open(tb, storetest.SQLite(tb))
	b := &bundle{
		store: persistence.NewOnboardings(db), user: organization.UserID(newID()), id: uuid.New(),
		now: time.Date(2026, 3, 2, 10, 0, 0, 123456789, time.UTC),
	}
	account := messages.User{ID: b.user, Entity: newID(), Email: "ada@example.com", Username: "ada", CreatedAt: b.now}
	must(tb, persistence.NewUsers(db).Create(tb.Context(), account))
	_, _, err := b.store.Create(tb.Context(), messages.Once{}, messages.Onboarding{
		ID: b.id, Email: "ada@example.com", User: b.user, Status: messages.OnboardingCreated, CreatedAt: b.now, ExpiresAt: b.now.Add(onboarding.Valid),
		OnboardingWork: messages.OnboardingWork{Prompt: "A company."},
	})
	must(tb, err)
	b.contract = &contract{user: b.user, keys: map[string]messages.ToolResult{}}
	b.serve(tb, read)
	return b
}

// serve begins a service on the store. It is closed at the end of the test.
func (b *bundle) serve(tb testing.TB, read onboarding.Reader) {
	tb.Helper()
	b.Service = onboarding.New(onboarding.Services{Store: b.store, Reader: read, Node: "this server", Now: b.clock, Log: slog.New(slog.DiscardHandler)})
	b.Use(b.contract)
	tb.Cleanup(b.Close)
}

// patience is longer than all analyses and builds of the tests.
const patience = time.Minute

// analyzed returns the analyzed onboarding.
func (b *bundle) analyzed(tb testing.TB) messages.Onboarding {
	tb.Helper()
	found, err := b.Analyze(tb.Context(), b.id, b.user, "", patience)
	must(tb, err)
	return found
}

// answer answers the question with the text.
func (b *bundle) answer(tb testing.TB, question, answer string) messages.Onboarding {
	tb.Helper()
	found, err := b.Get(tb.Context(), b.id, b.user)
	must(tb, err)
	for _, one := range found.Questions {
		if strings.Contains(one.Text, question) {
			found, _, err = b.Answer(tb.Context(), b.id, b.user, one.ID, answer)
			must(tb, err)
			return found
		}
	}
	tb.Fatalf("there is no question %q: %+v", question, found.Questions)
	return found
}

// built returns the onboarding after a build.
func (b *bundle) built(tb testing.TB) messages.Onboarding {
	tb.Helper()
	found, err := b.Build(tb.Context(), b.id, b.user, false, patience)
	must(tb, err)
	return found
}

// titles returns the titles of the items of a kind.
func titles(o messages.Onboarding, kind string) string {
	var all []string
	for _, item := range o.Items {
		if item.Kind == kind {
			all = append(all, item.Title)
		}
	}
	return strings.Join(all, "; ")
}

// shareholdingOf returns the first shareholding of a plan.
func shareholdingOf(tb testing.TB, o messages.Onboarding) messages.PlanItem {
	tb.Helper()
	for _, item := range o.Items {
		if item.Kind == "shareholding" {
			return item
		}
	}
	tb.Fatal("the plan has no shareholding")
	return messages.PlanItem{}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// refused checks the code of an error.
func refused(tb testing.TB, err error, code fault.Code) {
	tb.Helper()
	var found *fault.Error
	if !errors.As(err, &found) || found.Code != code {
		tb.Errorf("the error is %v, not %s", err, code)
	}
}
