package equity

import (
	"context"
	"iter"

	"equity/captable"
	"equity/http/api"
)

// repurchasableRecord is the repurchasable part of a shareholding with its holder.
type repurchasableRecord struct {
	captable.Repurchasable
	Member captable.MemberID `json:"member,omitzero"`
	Holder string            `json:"holder"`
}

func (h holders) repurchasable(right captable.Repurchasable) repurchasableRecord {
	record := repurchasableRecord{Repurchasable: right, Holder: h.state.NameOf(right.Entity)}
	if member, ok := h.state.MemberOf(right.Entity); ok {
		record.Member = member.ID
	}
	return record
}

// listRepurchasableShares lists the shares of the day that the organization may buy back.
func (s shareholdings) listRepurchasableShares(_ context.Context, c *api.Call) (api.Answer, error) {
	return s.RenderRecord(c, func() (any, error) {
		id := func(right captable.Repurchasable) [16]byte { return right.Shareholding }
		found := api.Paged(c, id, repurchasable(c))
		return api.ShownPage(found, func(right captable.Repurchasable) any { return holdersOf(c).repurchasable(right) }), nil
	})
}

// repurchasable lists the repurchasable shares behind the cursor that the caller may see.
func repurchasable(c *api.Call) iter.Seq[captable.Repurchasable] {
	table, day := c.View.State.Table(), c.AsOf()
	return func(yield func(captable.Repurchasable) bool) {
		for h := range shareholdingsOf(c) {
			held, issued := h.On(day)
			if !issued {
				continue
			}
			if right, ok := table.RepurchasableOf(held, day); ok && !yield(right) {
				return
			}
		}
	}
}

// repurchasableShares sums the shares of a grant's exercises that may be bought back.
func repurchasableShares(table *captable.State, grant *captable.Grant, day captable.Date) *captable.Decimal {
	sum := captable.Decimal{}
	for _, right := range table.RepurchasableFrom(grant, day) {
		sum = sum.Add(right.Shares)
	}
	if sum.IsZero() {
		return nil
	}
	return &sum
}
