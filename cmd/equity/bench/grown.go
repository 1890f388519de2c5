package bench

import (
	"strconv"
	"time"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/exit"
	"equity/captable/vesting"
	"equity/messages"
	"equity/organization"
)

// grown is a company with all records that require computation: holders with
// shares, vesting grants, and convertibles.
type grown struct {
	*seeder
	table    *captable.State
	today    captable.Date
	security captable.SecurityID
	holders  []captable.EntityID
	grants   int
}

// The size of a company, and the growth factor of the larger one.
const (
	holdersOfTable       = 10_000
	holdersOfStartup     = 50
	convertiblesOfTable  = 50
	convertiblesOfFund   = 2_000
	grantsProjected      = 1_000
	instalmentsProjected = 48
	timesLarger          = 4
)

// discarded is a journal that stores nothing.
type discarded struct{}

func (discarded) Append(_ messages.Append, done func(error)) { done(nil) }

// newGrown creates a company with the given numbers of holders and convertibles, and half as many grants as holders.
func newGrown(holders int, convertibles int64) (*grown, error) {
	g := &grown{seeder: newSeeder(discarded{}, organization.NewSchema()), today: exact.DateOf(time.Now().UTC())}
	var err error
	founder := organization.Founder{User: newID(), Entity: newID(), Name: "Bench"}
	if g.security, g.holders, err = g.company(founder, "Grown", holders); err != nil {
		return nil, err
	}
	if err := g.issue(g.security, g.holders, g.last+uint64(len(g.holders))); err != nil {
		return nil, err
	}
	g.grants = holders / 2 //nolint:mnd // half
	if err := g.grant(g.grants); err != nil {
		return nil, err
	}
	g.table = g.state.Table()
	return g, g.agree(convertibles)
}

// monthly vests in 48 instalments after a cliff of a year.
func monthly() *vesting.Scheme {
	return &vesting.Scheme{Allocation: vesting.CumulativeRounding, Continuous: &vesting.Continuous{
		Length: vesting.Period{N: instalmentsProjected, Unit: vesting.Months}, Frequency: vesting.Period{N: 1, Unit: vesting.Months},
		Cliff: &vesting.Cliff{After: vesting.Period{N: 12, Unit: vesting.Months}},
	}}
}

// grant grants options to the holders in turn, one per day, starting a year before their shares;
// every fourth grant is partially exercised.
func (g *grown) grant(grants int) error {
	plan, err := seeded(g.seeder, organization.TableCommand(captable.CreatePlan{PlanTerms: captable.PlanTerms{
		PlanDetails: captable.PlanDetails{Name: "Plan"},
		Pools:       []captable.PoolTerms{{Name: "Pool", Security: g.security, TotalShares: exact.NewDecimal(1_000_000_000)}},
	}}))
	if err != nil {
		return err
	}
	first := exact.MustDate("2023-03-15")
	for i := range grants {
		day := first + captable.Date(i%365)
		grant, err := seeded(g.seeder, organization.TableCommand(captable.GrantOption{
			HolderRef: captable.HolderRef{Entity: g.holders[i%len(g.holders)]},
			GrantTerms: captable.GrantTerms{
				Plan: plan.ID, Pool: plan.Pools[0].ID, Type: captable.GrantNSO, IssueDate: day, VestingStart: day,
			},
			Quantity: exact.NewDecimal(int64(4800 + i%1000)), ExercisePrice: &captable.Price{Amount: exact.MustDecimal("0.5")},
			Vesting: monthly(),
		}))
		if err != nil {
			return err
		}
		if i%4 != 0 {
			continue
		}
		_, err = g.do(organization.Table{Command: captable.ExerciseGrant{
			ID: grant.ID, Quantity: exact.NewDecimal(1000), Date: day + 731, Payment: captable.PayCash,
		}})
		if err != nil {
			return err
		}
	}
	return nil
}

// agree issues SAFEs with different terms. Their sum depends little on their number, so that a round can be solved.
func (g *grown) agree(number int64) error {
	for i := range number {
		step := i * convertiblesOfTable / number // from 0 to convertiblesOfTable
		discount := exact.MustDecimal("0." + strconv.Itoa(int(10+i%15)))
		basis := "post"
		if i%3 == 0 {
			basis = "pre"
		}
		_, err := g.do(organization.Table{Command: captable.IssueInstrument{
			HolderRef: captable.HolderRef{Entity: g.holders[int(i)%len(g.holders)]},
			InstrumentFacts: captable.InstrumentFacts{
				Kind: captable.KindSAFE, IssueDate: exact.MustDate("2025-01-15"),
				Principal: &captable.Money{Amount: exact.NewDecimal((10_000+step*7919)*convertiblesOfTable/number + i%7), Currency: "USD"},
			},
			InstrumentTerms: captable.InstrumentTerms{ConvertibleTerms: captable.ConvertibleTerms{
				ValuationCap: &captable.Price{Amount: exact.NewDecimal(5_000_011 + i*1_300_021*convertiblesOfTable/number)},
				CapBasis:     basis, Discount: &discount,
			}},
		}})
		if err != nil {
			return err
		}
	}
	return nil
}

func (g *grown) moment() captable.DecideContext {
	return captable.DecideContext{Now: time.Now(), NewID: newID, Register: g.state, Currency: "USD"}
}

// round plans a round in which all convertibles convert.
func (g *grown) round() error {
	_, err := g.table.PlanRound(captable.RoundTerms{
		Date: g.today, PreMoney: new(exact.NewDecimal(80_000_000)),
		Security: captable.RoundSecurity{SecurityTerms: captable.SecurityTerms{Name: "Series A"}},
		NewMoney: []captable.RoundInvestment{{Investor: captable.RoundInvestor{Name: "Fund"}, Amount: exact.NewDecimal(20_000_000)}},
		Pool:     &captable.RoundPool{Increase: new(exact.NewDecimal(1_000_000))},
	}, g.moment(), g.state.NameOf)
	return err
}

// sale plans a sale at three prices.
func (g *grown) sale() error {
	_, err := exit.Plan(g.table, exit.Terms{
		Date: g.today, Values: []captable.Decimal{exact.NewDecimal(1_000_000), exact.NewDecimal(50_000_000), exact.NewDecimal(900_000_000)},
	}, g.moment(), g.state.NameOf)
	return err
}

// pools returns the figures of every pool on the day.
func (g *grown) pools() error {
	for plan := range g.table.Plans() {
		g.table.PlanOn(plan, g.today)
	}
	return nil
}

// tableOn computes the cap table of the day.
func (g *grown) tableOn(day captable.Date) error {
	g.table.TableOn(day, g.state.NameOf)
	return nil
}

// granting decides a grant and discards the events.
func (g *grown) granting() error {
	for plan := range g.table.Plans() {
		return g.decide(captable.GrantOption{
			HolderRef:  captable.HolderRef{Entity: g.holders[0]},
			GrantTerms: captable.GrantTerms{Plan: plan.ID, Pool: plan.Pools[0].ID, Type: captable.GrantNSO, IssueDate: g.today},
			Quantity:   exact.NewDecimal(1), ExercisePrice: &captable.Price{Amount: exact.MustDecimal("0.5")},
		})
	}
	return nil
}

// issuing decides an issue of shares and discards the events.
func (g *grown) issuing() error {
	return g.decide(captable.IssueShareholding{
		HolderRef: captable.HolderRef{Entity: g.holders[0]}, Security: g.security, Shares: exact.NewDecimal(1), IssueDate: g.today,
	})
}

func (g *grown) decide(command captable.Command) error {
	_, err := organization.Decide(g.state, organization.Table{Command: command}, organization.DecideContext{Now: time.Now(), NewID: newID})
	return err
}
