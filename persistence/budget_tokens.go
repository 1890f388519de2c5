package persistence

import (
	"context"
	"crypto/sha256"
	"math"

	"equity/messages"
	"equity/organization"
)

// ModelBudget counts the tokens of language models by organization and by account.
type ModelBudget struct{ db *Database }

// NewModelBudget returns the ModelBudget of db.
func NewModelBudget(db *Database) *ModelBudget { return &ModelBudget{db} }

const (
	addOfOrganization = `INSERT INTO agent_usage (organization, month, tokens) VALUES ($1, $2, $3) ON CONFLICT (organization, month)
		DO UPDATE SET tokens = agent_usage.tokens + excluded.tokens WHERE agent_usage.tokens + excluded.tokens <= $4`
	addOfAccount = `INSERT INTO agent_account_usage (account, month, tokens) VALUES ($1, $2, $3) ON CONFLICT (account, month)
		DO UPDATE SET tokens = agent_account_usage.tokens + excluded.tokens WHERE agent_account_usage.tokens + excluded.tokens <= $4`
)

// Reserve adds tokens to the use of the month, or returns [messages.ErrBudgetSpent] or [messages.ErrAccountBudgetSpent] beyond a limit.
func (s *ModelBudget) Reserve(
	ctx context.Context, payer messages.ModelPayer, month string, tokens int64, limits messages.ModelLimits,
) error {
	return s.add(ctx, payer, month, tokens, limits)
}

// Settle adds the difference between used and reserved tokens, regardless of limits.
func (s *ModelBudget) Settle(ctx context.Context, payer messages.ModelPayer, month string, difference int64) error {
	return s.add(ctx, payer, month, difference, messages.ModelLimits{})
}

// add adds tokens to the rows of the payer. An organization pays without an account for its hooks, and an account without an organization
// before it has one.
func (s *ModelBudget) add(ctx context.Context, payer messages.ModelPayer, month string, tokens int64, limits messages.ModelLimits) error {
	within := func(limit int64) int64 {
		if limit == 0 {
			return math.MaxInt64
		}
		return limit
	}
	var charges []change
	charge := func(statement string, key []byte, limit int64, refused error) error {
		if tokens > limit {
			return refused
		}
		charges = append(charges, change{"count tokens", statement, []any{key, month, tokens, limit}, refused})
		return nil
	}
	var err error
	if !payer.Organization.IsZero() {
		err = charge(addOfOrganization, payer.Organization[:], within(limits.Organization), messages.ErrBudgetSpent)
	}
	switch {
	case err != nil:
	case !payer.User.IsZero():
		err = charge(addOfAccount, payer.User[:], within(limits.Account), messages.ErrAccountBudgetSpent)
	case payer.Organization.IsZero():
		if err = charge(addOfAccount, accountOf(payer.Network, month), within(limits.Account), messages.ErrAccountBudgetSpent); err == nil {
			err = charge(addOfAccount, payer.User[:], within(limits.Anonymous), messages.ErrAccountBudgetSpent)
		}
	}
	if err != nil {
		return err
	}
	return s.db.together(messages.WithoutChanges(ctx), charges...)
}

// accountOf returns the key of a network in the place of an account. It is a hash, and another one in each month.
func accountOf(network, month string) []byte {
	digest := sha256.Sum256([]byte(month + " " + network))
	return digest[:len(organization.UserID{})]
}

// Spent returns the number of tokens that an organization and an account used in the month.
func (s *ModelBudget) Spent(ctx context.Context, payer messages.ModelPayer, month string) (ofOrganization, ofAccount int64, err error) {
	err = s.db.reader.QueryRowContext(ctx, `SELECT
		(SELECT COALESCE(SUM(tokens), 0) FROM agent_usage WHERE organization = $1 AND month = $2),
		(SELECT COALESCE(SUM(tokens), 0) FROM agent_account_usage WHERE account = $3 AND month = $2)`,
		payer.Organization[:], month, payer.User[:]).Scan(&ofOrganization, &ofAccount)
	return ofOrganization, ofAccount, during("read used tokens", err)
}
