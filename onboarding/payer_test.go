package onboarding_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"equity/messages"
	"equity/onboarding"
	"equity/organization"
)

// payers reads nothing, and remembers who pays.
type payers struct{ all []messages.ModelPayer }

func (p *payers) Read(_ context.Context, payer messages.ModelPayer, _ string) (messages.CompanyFacts, error) {
	p.all = append(p.all, payer)
	return company(), nil
}

func TestNetworkPaysUntilTheOnboardingIsLinked(t *testing.T) {
	t.Parallel()
	read := &payers{}
	b := setup(t, read)
	b.id = uuid.New()
	_, _, err := b.store.Create(t.Context(), messages.Once{}, messages.Onboarding{
		ID: b.id, Email: "ada@example.com", Status: messages.OnboardingCreated, CreatedAt: b.now, ExpiresAt: b.now.Add(onboarding.Valid),
		OnboardingWork: messages.OnboardingWork{Prompt: "A company.", Network: "192.0.2.1"},
	})
	must(t, err)
	_, err = b.Analyze(t.Context(), b.id, organization.UserID{}, "", patience)
	must(t, err)
	linked, err := b.Link(t.Context(), b.id, messages.User{ID: b.user, Email: "ada@example.com", EmailVerifiedAt: b.now})
	must(t, err)
	if linked.Network != "" {
		t.Errorf("the network %s is kept", linked.Network)
	}
	b.advance(time.Hour)
	_, err = b.Analyze(t.Context(), b.id, b.user, "Another company.", patience)
	must(t, err)
	if want := []messages.ModelPayer{{Network: "192.0.2.1"}, {User: b.user}}; !slices.Equal(read.all, want) {
		t.Errorf("%+v", read.all)
	}
}
