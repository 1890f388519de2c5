package captable_test

import (
	"testing"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/explain"
	"equity/captable/vesting"
)

// explains checks that the explanation of the figure as of the day has the value want.
func (b *bundle) explains(figure string, day captable.Date, want captable.Decimal) {
	b.Helper()
	equal(b, figure+" on "+day.String(), b.explainOn(figure, day).Value.String(), want.String())
}

// explainsTable checks the explanations of the option and warrant figures in the table of the
// day.
func (b *bundle) explainsTable(day captable.Date) {
	b.Helper()
	table := b.on(day.String())
	b.explains("total/options", day, table.Totals.Options)
	b.explains("total/warrants", day, table.Totals.Warrants)
	b.explains("total/fullyDiluted", day, table.Totals.FullyDiluted)
	for _, holder := range table.Holders {
		of := "holder/" + holder.Entity.String() + "/"
		b.explains(of+"options", day, holder.Options)
		b.explains(of+"warrants", day, holder.Warrants)
		b.explains(of+"percentFullyDiluted", day, holder.PercentFullyDiluted)
	}
	for _, line := range table.Securities {
		of := "security/" + line.ID.String() + "/"
		b.explains(of+"reserved", day, line.Reserved)
		b.explains(of+"fullyDiluted", day, line.FullyDiluted)
		b.explains(of+"percentFullyDiluted", day, line.PercentFullyDiluted)
	}
	for _, line := range table.Pools {
		of := "pool/" + line.Pool.String() + "/"
		b.explains(of+"fullyDiluted", day, line.FullyDiluted)
		b.explains(of+"percentFullyDiluted", day, line.PercentFullyDiluted)
	}
}

// checkExplainedGrants checks the explanations of a pool and of a grant on a random day.
func (g *grants) checkExplainedGrants() {
	g.Helper()
	day := exact.DateOf(g.now) + captable.Date(rapid.SampledFrom([]int{-50, -10, 0, 0, 500}).Draw(g.draw, "explained day"))
	g.explainsPool(day)
	g.checkSums(day)
	if rapid.IntRange(0, 5).Draw(g.draw, "explain all") == 0 {
		g.explainsTable(day)
	}
	if grant, ok := g.state.Grant(g.any()); ok {
		g.explainsGrant(grant, day)
	}
}

func (g *grants) explainsPool(day captable.Date) {
	g.Helper()
	plan, there := g.state.Plan(g.ref.Plan)
	if !there {
		return
	}
	of, f := "", captable.PoolFigures{}
	for _, pool := range g.state.PlanOn(plan, day).Pools {
		if pool.ID == g.ref.Pool {
			of, f = "pool/"+pool.ID.String()+"/", pool.PoolFigures
		}
	}
	if of == "" { // the plan has no such pool
		return
	}
	for which, want := range map[string]captable.Decimal{
		"reserve": f.Reserve, "granted": f.Granted, "outstanding": f.Outstanding(), "exercised": f.Exercised, "cancelled": f.Cancelled,
		"returned": f.Returned, "retired": f.Retired(), "available": f.Available(), "reserved": f.Reserved(),
		"used": f.Reserve.Sub(f.Available()),
	} {
		g.explains(of+which, day, want)
	}
}

func (g *grants) explainsGrant(grant *captable.Grant, day captable.Date) {
	g.Helper()
	of, f := "option/"+grant.ID.String()+"/", grant.On(day)
	for which, want := range map[string]captable.Decimal{
		"quantity": f.Quantity, "vested": f.Vested, "unvested": f.Unvested, "exercisable": f.Exercisable, "releasable": f.Releasable,
		"exercised": f.Exercised, "released": f.Released, "cancelled": f.Cancelled, "expired": f.Expired, "outstanding": f.Outstanding,
	} {
		g.explains(of+which, day, want)
	}
}

func TestPoolsAndGrantsAreExplained(t *testing.T) {
	t.Parallel()
	granted := func(t *testing.T) (*bundle, captable.PoolRef, captable.GrantID) {
		t.Helper()
		b := setup(t)
		ref := b.plan(planned(b.common("1000"), "300"))
		command := option(ada, ref, "100", "2025-01-01")
		command.Vestings = []vesting.Vesting{
			{Date: exact.MustDate("2025-02-01"), Quantity: number("40")}, {Date: exact.MustDate("2035-01-01"), Quantity: number("60")},
		}
		return b, ref, b.grant(command)
	}
	t.Run("the available shares of a pool are explained down to its plan and grants", func(t *testing.T) {
		t.Parallel()
		b, ref, id := granted(t)
		b.do(captable.ExerciseGrant{ID: id, Quantity: number("10"), Date: exact.MustDate("2025-03-01")})

		term := b.explain("pool/" + ref.Pool.String() + "/available")

		equal(t, "available", term.Value.String(), "200")
		equal(t, "the reserve comes from", term.Terms[0].Terms[0].Records[0].Kind, "plan")
		used := term.Terms[1]
		equal(t, "outstanding", used.Terms[0].Value.String(), "90")
		equal(t, "whose", used.Terms[0].Terms[0].Label, "Ada Lovelace, NSO of 2025-01-01")
		equal(t, "explained further", used.Terms[0].Terms[0].Figure, "option/"+id.String()+"/outstanding")
		equal(t, "exercised", used.Terms[1].Terms[0].Label, "exercised on 2025-03-01")
		equal(t, "by", used.Terms[1].Terms[0].Records[0].ID, [16]byte(id))
	})
	t.Run("the exercisable options of a grant are explained by instalment", func(t *testing.T) {
		t.Parallel()
		b, _, id := granted(t)
		b.do(captable.ExerciseGrant{ID: id, Quantity: number("10"), Date: exact.MustDate("2025-03-01")})

		term := b.explain("option/" + id.String() + "/exercisable")

		equal(t, "exercisable", term.Value.String(), "30")
		free := term.Terms[0]
		equal(t, "the instalment", free.Terms[0].Terms[0].Label, "vested on 2025-02-01")
		equal(t, "of the events", free.Terms[0].Terms[0].Records[0].Events[0], "optionGranted")
		equal(t, "taken", free.Terms[1].Value.String(), "10")
	})
	t.Run("the quantity of a grant and the reserve of its pool are explained with a split", func(t *testing.T) {
		t.Parallel()
		b, ref, id := granted(t)
		class := b.granted(id).Security
		b.do(captable.SplitSecurity{ID: class, Numerator: number("2"), Denominator: number("1"), Date: exact.MustDate(today)})

		term := b.explain("option/" + id.String() + "/quantity")

		equal(t, "quantity", term.Value.String(), "200")
		equal(t, "by the split", term.Terms[1].Value.String(), "100")
		equal(t, "the pool by it", len(b.explain("pool/"+ref.Pool.String()+"/reserve").Terms), 2)
	})
	t.Run("a retracted grant is explained with a quantity of zero", func(t *testing.T) {
		t.Parallel()
		b, ref, id := granted(t)
		b.do(captable.RetractGrant{ID: id, Date: exact.MustDate(today)})
		equal(t, "quantity", b.explain("option/"+id.String()+"/quantity").Value.String(), "0")
		equal(t, "outstanding", b.explain("pool/"+ref.Pool.String()+"/outstanding").Value.String(), "0")
		equal(t, "options of the table", b.on(today).Totals.Options.String(), "0")
	})
	t.Run("unknown figures of pools and grants are refused", func(t *testing.T) {
		t.Parallel()
		b, ref, id := granted(t)
		for _, figure := range []string{
			"pool/" + ref.Pool.String() + "/colour", "pool/" + id.String() + "/available", "option/" + id.String() + "/", "option/x/vested",
		} {
			if _, err := explain.Figure(b.state, figure, exact.MustDate(today), b.nameOf); err == nil {
				t.Errorf("%q was explained", figure)
			}
		}
	})
}
