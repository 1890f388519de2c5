package persistence

import (
	"context"
	"crypto/sha256"
	"database/sql"
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
func (s *ModelBudget) Reserve(ctx context.Context, payer messages.ModelPayer, month string, tokens int64, limits messages.ModelLimits) error {
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
	return s.db.Transact(messages.WithoutChanges(ctx), func(tx *sql.Tx) error {
		if !payer.Organization.IsZero() {
			limit := within(limits.Organization)
			if tokens > limit {
				return messages.ErrBudgetSpent
			}
			added, err := affect(ctx, tx, "count tokens", addOfOrganization, payer.Organization[:], month, tokens, limit)
			if err != nil {
				return err
			}
			if !added {
				return messages.ErrBudgetSpent
			}
		}
		if payer.User.IsZero() && !payer.Organization.IsZero() {
			return nil
		}
		charge := func(account []byte, limit int64) error {
			if tokens > limit {
				return messages.ErrAccountBudgetSpent
			}
			added, err := affect(ctx, tx, "count tokens", addOfAccount, account, month, tokens, limit)
			if err == nil && !added {
				err = messages.ErrAccountBudgetSpent
			}
			return err
		}
		if !payer.User.IsZero() {
			return charge(payer.User[:], within(limits.Account))
		}
		if err := charge(accountOf(payer.Network, month), within(limits.Account)); err != nil {
			return err
		}
		return charge(payer.User[:], within(limits.Anonymous))
	})
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
