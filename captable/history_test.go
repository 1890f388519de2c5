package captable_test

import (
	"bytes"
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
)

// history draws random commands, carries out the accepted ones and checks the invariants after
// each.
type history struct {
	*bundle
	draw *rapid.T
	// forward restricts the commands to those that do not change the past. The table of a past day
	// must then equal the table at the end of that day.
	forward bool
	// scarce classes have few shares, so that treasury shares are reissued often.
	scarce bool
	// reach is the maximum number of days by which a command is back-dated. 0 means up
	// to 100 days.
	reach   int
	classes []captable.SecurityID
	past    map[captable.Date]string
	held    map[captable.Date]map[captable.ShareholdingID]string
	copies  map[*captable.State][]byte
	allowed int
}

// drawing reports failures to rapid, which then shrinks the history.
type drawing struct {
	testing.TB
	draw *rapid.T
}

func (d drawing) Helper()                           { d.draw.Helper() }
func (d drawing) Errorf(format string, args ...any) { d.draw.Fatalf(format, args...) }
func (d drawing) Fatalf(format string, args ...any) { d.draw.Fatalf(format, args...) }
func (d drawing) Fatal(args ...any)                 { d.draw.Fatal(args...) }

func newHistory(t *testing.T, draw *rapid.T) *history {
	t.Helper()
	b := setup(drawing{t, draw})
	b.now = exact.MustDate("2020-01-01").Time().Add(8 * time.Hour)
	h := &history{
		bundle: b, draw: draw, past: map[captable.Date]string{}, held: map[captable.Date]map[captable.ShareholdingID]string{},
		copies: map[*captable.State][]byte{},
	}
	h.forward, h.scarce = rapid.Bool().Draw(draw, "forward"), rapid.Bool().Draw(draw, "scarce")
	for i := range rapid.IntRange(1, 3).Draw(draw, "classes") {
		h.create(i)
	}
	return h
}

func (h *history) create(i int) {
	terms := captable.SecurityTerms{
		Name: "Class " + strconv.Itoa(i), ShareType: captable.ShareCommon, FractionalShares: rapid.Bool().Draw(h.draw, "fractional"),
		AuthorizedShares: rapid.SampledFrom([]captable.Authorized{limit("50"), limit("120"), limit("500"), limit("unlimited")}).Draw(h.draw, "limit"),
		Price:            price("1.5"),
	}
	if h.scarce {
		terms.AuthorizedShares = limit("60")
	}
	if i > 0 {
		terms.Conversion = h.conversion()
	}
	h.classes = append(h.classes, h.security(terms))
}

func (h *history) conversion() *captable.Conversion {
	ratio := rapid.SampledFrom([]string{"1", "0.5", "1.3333333333", "3", "0.0000000001"}).Draw(h.draw, "ratio")
	return &captable.Conversion{Security: rapid.SampledFrom(h.classes).Draw(h.draw, "into"), Ratio: number(ratio)}
}

// try carries out the command if it is accepted. A refusal must be a *fault.Error.
func (h *history) try(command captable.Command) {
	events, err := h.decide(command)
	if refusal := new(fault.Error); err != nil && !errors.As(err, &refusal) {
		h.Fatalf("%T: %v", command, err)
	}
	if err == nil {
		h.allowed++
		h.apply(events)
	}
}

func (h *history) shares() captable.Decimal {
	return exact.MustDecimal(rapid.SampledFrom([]string{"1", "2", "7", "10", "25", "40", "49.5", "50", "100", "0.3333333333"}).Draw(h.draw, "shares"))
}

func (h *history) day() captable.Date {
	now := exact.DateOf(h.now)
	if h.forward {
		return now
	}
	if h.reach > 0 {
		return now - captable.Date(rapid.IntRange(0, h.reach).Draw(h.draw, "days ago"))
	}
	return now - captable.Date(rapid.SampledFrom([]int{0, 0, 0, 1, 10, 100}).Draw(h.draw, "days ago"))
}

func (h *history) entity() captable.EntityID {
	return rapid.SampledFrom([]captable.EntityID{ada, bob, cleo}).Draw(h.draw, "holder")
}

func (h *history) class() captable.SecurityID {
	return rapid.SampledFrom(h.classes).Draw(h.draw, "class")
}

// any draws a shareholding. Outstanding shareholdings are more likely.
func (h *history) any() captable.ShareholdingID {
	var ids, ended []captable.ShareholdingID
	for held := range h.state.Shareholdings() {
		if held.Status.Outstanding() {
			ids = append(ids, held.ID)
		} else {
			ended = append(ended, held.ID)
		}
	}
	if len(ids) == 0 || rapid.IntRange(0, 9).Draw(h.draw, "ended") == 0 {
		ids = append(ids, ended...)
	}
	if len(ids) == 0 {
		h.draw.Skip("there are no shares yet")
	}
	return ids[len(ids)-1-rapid.IntRange(0, min(len(ids)-1, 12)).Draw(h.draw, "back")]
}

func (h *history) details() captable.ShareholdingDetails {
	details := captable.ShareholdingDetails{
		ExternalID:  rapid.SampledFrom([]string{"", "", "", "", "", "x"}).Draw(h.draw, "externalId"),
		Certificate: rapid.SampledFrom([]string{"", "", "", "", "", "C0-3"}).Draw(h.draw, "certificate"),
	}
	switch oneOf(h.draw, 3, "paid") {
	case 0:
		details.PricePerShare = price("0.3333333333")
	case 1:
		details.Consideration = &captable.Consideration{Cash: number("100"), IP: number("0.07")}
	}
	return details
}

func (h *history) issue(*rapid.T) {
	h.try(captable.IssueShareholding{
		HolderRef: holder(h.entity()), Security: h.class(), Shares: h.shares(), IssueDate: h.day(), ShareholdingDetails: h.details(),
	})
}

func (h *history) transfer(*rapid.T) {
	command := captable.TransferShareholding{Shareholding: h.any(), To: holder(h.entity()), Shares: h.shares(), Date: h.day(), Kind: "sale"}
	if rapid.Bool().Draw(h.draw, "priced") {
		command.PricePerShare = price("2")
	}
	h.try(command)
}

func (h *history) giveBack(*rapid.T) {
	shares := h.shares()
	if h.scarce && rapid.IntRange(0, 3).Draw(h.draw, "treasury") > 0 {
		id := h.any()
		shares = shares.Min(h.holding(id).Shares)
		h.try(captable.RepurchaseShareholding{ID: id, Shares: shares, Price: price("1"), Date: h.day(), ToTreasury: true})
		return
	}
	h.try(rapid.SampledFrom([]captable.Command{
		captable.CancelShareholding{ID: h.any(), Shares: &shares, Date: h.day(), Reason: "r"},
		captable.CancelShareholding{ID: h.any(), Date: h.day(), Reason: "r"},
		captable.RepurchaseShareholding{ID: h.any(), Shares: shares, Price: price("1"), Date: h.day(), ToTreasury: true},
		captable.RepurchaseShareholding{ID: h.any(), Shares: shares, Price: price("1"), Date: h.day()},
		captable.RetractShareholding{ID: h.any(), Date: h.day()},
	}).Draw(h.draw, "command"))
}

func (h *history) convert(*rapid.T) {
	h.try(captable.ConvertShareholding{ID: h.any(), Security: h.classes[0], Date: h.day()})
}

func (h *history) split(*rapid.T) {
	ratio := rapid.SampledFrom([][2]string{{"2", "1"}, {"1", "3"}, {"3", "2"}, {"1", "10"}, {"1.5", "1"}}).Draw(h.draw, "ratio")
	h.try(captable.SplitSecurity{
		ID: h.class(), Numerator: number(ratio[0]), Denominator: number(ratio[1]), Date: h.day(),
		KeepAuthorized: rapid.Bool().Draw(h.draw, "keep"),
	})
}

func (h *history) authorize(*rapid.T) {
	if h.scarce || rapid.IntRange(0, 2).Draw(h.draw, "seldom") > 0 {
		h.issue(nil)
		return
	}
	h.try(captable.AuthorizeShares{ID: h.class(), Quantity: h.shares(), EffectiveDate: h.day()})
}

func (h *history) replaceClass(*rapid.T) {
	if h.scarce {
		h.issue(nil)
		return
	}
	id := h.class()
	terms := h.bundle.class(id).SecurityTerms
	terms.AuthorizedShares = rapid.SampledFrom(
		[]captable.Authorized{limit("60"), limit("150"), limit("1000"), limit("unlimited")},
	).Draw(h.draw, "limit")
	terms.FractionalShares = rapid.Bool().Draw(h.draw, "fractional")
	if id != h.classes[0] {
		terms.Conversion = rapid.SampledFrom([]*captable.Conversion{nil, h.conversion()}).Draw(h.draw, "conversion")
	}
	h.try(captable.ReplaceSecurity{ID: id, SecurityTerms: terms})
}

func (h *history) replace(*rapid.T) {
	command := captable.ReplaceShareholding{
		Kind: rapid.SampledFrom(
			[]captable.Status{captable.StatusConsolidated, captable.StatusReissued, captable.StatusTransferred},
		).Draw(h.draw, "kind"),
		From: []captable.ShareholdingID{h.any()}, Date: h.day(),
	}
	if command.Kind == captable.StatusConsolidated {
		command.From = append(command.From, h.any())
	}
	total := captable.Decimal{}
	for _, id := range command.From {
		total = total.Add(h.holding(id).Shares)
	}
	first := h.holding(command.From[0])
	command.Results = []captable.Result{{Holder: holder(first.Entity), Security: first.Security, Shares: total}}
	h.try(command)
}

func (h *history) accept(*rapid.T) { h.try(captable.AcceptShareholding{ID: h.any(), Date: h.day()}) }

func (h *history) amend(*rapid.T) {
	h.try(amend(h.any(), rapid.SampledFrom([]string{
		`{"certificate":"C0-5"}`, `{"externalId":"x"}`, `{"externalId":null,"comments":["c"]}`, `{"block":"A","legends":[]}`,
	}).Draw(h.draw, "patch")))
}

// rewrite voids or corrects a shareholding, which changes past days.
func (h *history) rewrite(*rapid.T) {
	if h.forward {
		h.draw.Skip("the past stays")
	}
	if rapid.Bool().Draw(h.draw, "void") {
		h.try(captable.VoidShareholding{ID: h.any()})
		return
	}
	id := h.any()
	command := captable.CorrectShareholding{
		ID: id, HolderRef: holder(h.entity()), Security: h.class(), Shares: h.shares(), IssueDate: h.day(), Reason: "r",
		ShareholdingDetails: h.details(),
	}
	if old := h.holding(id); rapid.Bool().Draw(h.draw, "holder only") {
		command.Security, command.Shares, command.IssueDate = old.Security, old.Shares, old.IssueDate
	}
	h.try(command)
}

// sleep stores the table of the day and advances the clock to a later day.
func (h *history) sleep(*rapid.T) {
	today := exact.DateOf(h.now)
	h.past[today], h.held[today] = text(h, h.on(today.String())), h.standing(today)
	h.copies[h.state.Copy()] = packed(h.state)
	h.now = h.now.Add(24 * time.Hour * time.Duration(rapid.IntRange(1, 40).Draw(h.draw, "days")))
}

func TestHistory(t *testing.T) {
	t.Parallel()
	t.Run("a random history of commands keeps all invariants", func(t *testing.T) {
		t.Parallel()
		allowed := 0
		rapid.Check(t, func(draw *rapid.T) {
			h := newHistory(t, draw)
			draw.Repeat(map[string]func(*rapid.T){
				"issue": h.issue, "issue more": h.issue, "transfer": h.transfer, "give back": h.giveBack, "give more": h.giveBack, "convert": h.convert,
				"split": h.split, "authorize": h.authorize, "replace class": h.replaceClass, "replace": h.replace, "accept": h.accept,
				"amend": h.amend, "plan": h.plan, "replan": h.replan, "schedule": h.schedules, "rewrite": h.rewrite,
				"rewrite more": h.rewrite, "sleep": h.sleep, "": h.check,
			})
			h.checkPast()
			h.checkReplay()
			for state, want := range h.copies {
				if !bytes.Equal(packed(state), want) {
					h.Fatalf("a copy changed")
				}
			}
			allowed += h.allowed
		})
		t.Logf("%d commands were allowed", allowed)
	})
}

// planTerms draws the terms of a plan with up to three pools, each named by its position.
func (h *history) planTerms(name string) captable.PlanTerms {
	terms := captable.PlanTerms{PlanDetails: captable.PlanDetails{Name: name}}
	for i := range rapid.IntRange(0, 3).Draw(h.draw, "pools") {
		pool := captable.PoolTerms{Name: strconv.Itoa(i), Security: h.class(), TotalShares: h.shares(), StrikePrice: price("2")}
		if !h.forward && rapid.Bool().Draw(h.draw, "approved") {
			pool.BoardApprovalDate = h.day()
		}
		terms.Pools = append(terms.Pools, pool)
	}
	terms.BoardApprovalDate = h.day()
	return terms
}

func (h *history) plan(*rapid.T) {
	h.try(captable.CreatePlan{PlanTerms: h.planTerms(rapid.SampledFrom([]string{"A", "B", "C"}).Draw(h.draw, "name"))})
}

// replan replaces or deletes a plan, which changes past days.
func (h *history) replan(*rapid.T) {
	plans := slices.Collect(h.state.Plans())
	if len(plans) == 0 {
		h.draw.Skip("there are no plans yet")
	}
	plan := rapid.SampledFrom(plans).Draw(h.draw, "plan")
	if !h.forward && rapid.IntRange(0, 3).Draw(h.draw, "delete") == 0 {
		h.try(captable.DeletePlan{ID: plan.ID})
		return
	}
	terms := h.planTerms(plan.Name)
	for i := range plan.Pools {
		if i < len(terms.Pools) {
			terms.Pools[i].ID = plan.Pools[i].ID
		}
		if h.forward && i < len(terms.Pools) {
			terms.Pools[i].Security = plan.Pools[i].Security
		} else if h.forward {
			terms.Pools = append(terms.Pools, plan.Pools[i].PoolTerms)
		}
	}
	h.try(captable.ReplacePlan{ID: plan.ID, PlanTerms: terms})
}
