package captable_test

import (
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
)

// plans draws commands about plans, pools and schedules in addition to those about grants.
type plans struct {
	*grants
	classes          []captable.SecurityID
	allowed, refused int
}

func newPlans(t *testing.T, draw *rapid.T) *plans {
	t.Helper()
	p := &plans{grants: &grants{bundle: setup(drawing{t, draw}), draw: draw}}
	p.class = p.common("2000")
	other := captable.SecurityTerms{Name: "Other", ShareType: captable.ShareCommon, AuthorizedShares: limit("unlimited")}
	other.FractionalShares = rapid.Bool().Draw(draw, "fractional")
	p.classes = []captable.SecurityID{p.class, p.security(other)}
	p.ref = p.plan(planned(p.class, "300"))
	return p
}

// aim selects the class and the pool of the next command.
func (p *plans) aim() {
	p.class = rapid.SampledFrom(p.classes).Draw(p.draw, "class")
	var refs []captable.PoolRef
	for plan := range p.state.Plans() {
		for _, pool := range plan.Pools {
			refs = append(refs, captable.PoolRef{Plan: plan.ID, Pool: pool.ID})
		}
	}
	if len(refs) > 0 {
		p.ref = rapid.SampledFrom(refs).Draw(p.draw, "pool")
	}
}

func (p *plans) size() captable.Decimal {
	return number(rapid.SampledFrom([]string{"0", "20", "100", "300", "900"}).Draw(p.draw, "size"))
}

// terms draws the terms of a plan with up to three pools. It usually keeps the present pools of
// the plan.
func (p *plans) terms(of *captable.Plan) captable.PlanTerms {
	terms := captable.PlanTerms{PlanDetails: captable.PlanDetails{
		Name: rapid.SampledFrom([]string{"A", "B", "C"}).Draw(p.draw, "name"),
		CancellationBehavior: rapid.SampledFrom([]captable.CancellationBehavior{
			"", captable.Retire, captable.HoldAsCapitalStock, captable.ReturnToPool,
		}).Draw(p.draw, "behavior"),
	}}
	if rapid.IntRange(0, 3).Draw(p.draw, "approves") == 0 {
		quantity := p.size()
		terms.ApprovedEquities = []captable.ApprovedEquity{{Type: captable.GrantNSO, Quantity: &quantity}, {Type: captable.GrantRSU}}
	}
	for schedule := range p.state.VestingSchedules() {
		terms.VestingSchedules = append(terms.VestingSchedules, schedule.ID.String())
	}
	for i := range rapid.IntRange(0, 3).Draw(p.draw, "pools") {
		pool := captable.PoolTerms{
			Name: strconv.Itoa(i), Security: rapid.SampledFrom(p.classes).Draw(p.draw, "of"), TotalShares: p.size(), StrikePrice: price("2"),
		}
		if of != nil && i < len(of.Pools) && rapid.IntRange(0, 5).Draw(p.draw, "keep") > 0 {
			pool.ID, pool.Security = of.Pools[i].ID, of.Pools[i].Security
		}
		terms.Pools = append(terms.Pools, pool)
	}
	return terms
}

func (p *plans) scheduled() captable.VestingScheduleTerms {
	scheme := rapid.SampledFrom([]*vesting.Scheme{monthly(), {
		Allocation: vesting.CumulativeRoundDown,
		Discrete:   []vesting.Tranche{{Milestone: "launch", Fraction: number("0.5")}, {Date: exact.MustDate("2026-03-01"), Fraction: number("0.5")}},
	}}).Draw(p.draw, "scheme")
	return captable.VestingScheduleTerms{Name: rapid.SampledFrom([]string{"S", "T"}).Draw(p.draw, "schedule"), Scheme: *scheme}
}

func (p *plans) anySchedule() captable.VestingScheduleID {
	ids := []captable.VestingScheduleID{{}}
	for schedule := range p.state.VestingSchedules() {
		ids = append(ids, schedule.ID)
	}
	return rapid.SampledFrom(ids).Draw(p.draw, "which schedule")
}

// granted draws a grant with a vesting schedule.
func (p *plans) granted() captable.Command {
	command := p.option()
	command.Vesting, command.Vestings, command.VestingSchedule = nil, nil, p.anySchedule().String()
	return command
}

// award draws a new award, or a command that ends, voids or corrects shares.
func (p *plans) award() captable.Command {
	var ids []captable.ShareholdingID
	for held := range p.state.Shareholdings() {
		ids = append(ids, held.ID)
	}
	holder := rapid.SampledFrom([]captable.EntityID{ada, bob, cleo}).Draw(p.draw, "holder")
	fresh := award(holder, p.class, p.ref, p.some().String(), p.day().String())
	if len(ids) == 0 {
		return fresh
	}
	id := rapid.SampledFrom(ids).Draw(p.draw, "shares")
	return rapid.SampledFrom([]captable.Command{
		fresh, fresh,
		captable.CancelShareholding{ID: id, Shares: new(p.some()), Date: p.day(), Reason: "r"},
		captable.RepurchaseShareholding{ID: id, Shares: p.some(), Price: price("1"), Date: p.day(), ToTreasury: rapid.Bool().Draw(p.draw, "treasury")},
		captable.RetractShareholding{ID: id, Date: p.day(), Reason: "r"},
		captable.VoidShareholding{ID: id},
		captable.CorrectShareholding{
			ID: id, HolderRef: fresh.HolderRef, Security: fresh.Security, Shares: fresh.Shares, IssueDate: fresh.IssueDate,
			Award: fresh.Award, Reason: "r",
		},
	}).Draw(p.draw, "award")
}

func (p *plans) command() captable.Command {
	p.aim()
	all := slices.Collect(p.state.Plans())
	switch oneOf(p.draw, 21, "kind") {
	case 18, 19, 20:
		return p.award()
	case 0:
		return captable.CreatePlan{PlanTerms: p.terms(nil)}
	case 1, 2:
		if len(all) > 0 {
			plan := rapid.SampledFrom(all).Draw(p.draw, "plan")
			return captable.ReplacePlan{ID: plan.ID, PlanTerms: p.terms(plan)}
		}
		return captable.CreatePlan{PlanTerms: p.terms(nil)}
	case 3:
		return captable.AdjustPool{PoolRef: p.ref, TotalShares: p.size(), EffectiveDate: p.day()}
	case 4:
		return captable.CreateVestingSchedule{VestingScheduleTerms: p.scheduled()}
	case 5:
		return captable.SupersedeVestingSchedule{Old: p.anySchedule(), VestingScheduleTerms: p.scheduled()}
	case 6:
		return rapid.SampledFrom([]captable.Command{
			captable.DeleteVestingSchedule{Plan: p.ref.Plan, ID: p.anySchedule()}, captable.DeletePlan{ID: p.ref.Plan},
		}).Draw(p.draw, "delete")
	case 7:
		return leaving(rapid.SampledFrom([]captable.EntityID{ada, bob, cleo}).Draw(p.draw, "who"), p.day().String(), captable.VoluntaryOther)
	case 8:
		return rapid.SampledFrom([]captable.Command{
			captable.RetractGrant{ID: p.any(), Date: p.day()}, issue(ada, p.class, p.some().String(), p.day().String()),
		}).Draw(p.draw, "retract")
	case 9:
		return captable.HappenGrant{ID: p.any(), Happening: vesting.Happening{Condition: "launch", Date: p.day()}}
	case 10, 11:
		return p.granted()
	default:
		return p.grants.command()
	}
}

// step carries out a command and counts whether it was accepted.
func (p *plans) step() {
	before := len(p.recorded)
	p.carryOut(p.command())
	if len(p.recorded) > before {
		p.allowed++
	} else {
		p.refused++
	}
	for plan := range p.state.Plans() {
		for _, pool := range p.state.PlanOn(plan, exact.DateOf(p.now)-30).Pools {
			p.checkPool(pool.PoolFigures)
		}
	}
}

func TestPlanHistories(t *testing.T) {
	t.Parallel()
	t.Run("random histories of plans balance and are equal after a replay and from a snapshot", func(t *testing.T) {
		t.Parallel()
		allowed, refused := 0, 0
		rapid.Check(t, func(draw *rapid.T) {
			p := newPlans(t, draw)
			for range rapid.IntRange(10, 60).Draw(draw, "commands") {
				p.step()
			}
			if replayed := replay(p, p.recorded); string(packed(replayed)) != string(packed(p.state)) || dump(p, replayed) != dump(p, p.state) {
				p.Fatalf("the replayed state is another")
			}
			equal(p, "snapshot", dump(p, unpacked(p, packed(p.state))), dump(p, p.state))
			allowed, refused = allowed+p.allowed, refused+p.refused
		})
		t.Logf("%d commands were allowed, %d refused", allowed, refused)
	})
}
