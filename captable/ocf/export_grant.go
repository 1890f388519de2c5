package ocf

import (
	"encoding/json"
	"strconv"

	"equity/captable"
	"equity/captable/vesting"
)

// grant is a grant at its creation and as stated now. In the format, a partial cancellation
// ends the grant and its balance is issued under another id.
type grant struct {
	stated[captable.GrantIssue]
	voided bool

	// live holds the amounts as in the cap table, in shares after the splits so far. The
	// terms are stated in shares of the grant date.
	live       captable.GrantAmounts
	happenings []vesting.Happening
	// pieces are the ids of the grant: its own id and the id of each balance. accelerated counts
	// its accelerations.
	pieces      []piece
	accelerated int
	// termination is the end of the holder's service, after which vesting stops.
	termination *captable.Termination
	// order is the comment about a split on the grant date.
	order []string
}

// piece is an id of a grant. It is in use up to its end, which is zero before the end.
type piece struct {
	id  string
	end captable.Date
}

func (x *Exporter) granted(issue captable.GrantIssue) {
	id := x.name(toSecurity, issue.ExternalID, issue.ID.String())
	x.grants[issue.ID] = &grant{
		stated: enter(x, id, issue, issue.Source), live: issue.GrantAmounts, order: x.afterSplit(issue.Security, issue.IssueDate),
		pieces: []piece{{id: id}},
	}
	for _, split := range x.splitsAfter(issue.Security, issue.IssueDate) {
		x.grants[issue.ID].live = split.AmountsAfter(&x.grants[issue.ID].live, x.places(issue.Security))
	}
}

// happen records a transaction of the grant. The transaction uses the id of the grant on its
// date. An end can be recorded later for an earlier day. The transaction then belongs to the
// balance, or is left out without a balance. It is also left out after a lapse.
func (x *Exporter) happen(id captable.GrantID, date captable.Date, source *captable.Source, object func(g *grant, security string) any) {
	g := x.grants[id]
	if g == nil {
		return
	}
	from := len(g.pieces) - 1
	x.transactions = append(x.transactions, &transaction{
		place: x.place(source), source: source, date: date, grant: g,
		wanted: func() bool { return !g.lapsedBefore(date) && (source != nil || g.idOn(date, from) != "") },
		object: func() any { return object(g, g.idOn(date, from)) },
	})
}

// vest records a change of the vesting. It is left out after the holder's service.
func (x *Exporter) vest(id captable.GrantID, date captable.Date, source *captable.Source, object func(g *grant, security string) any) {
	x.happen(id, date, source, object)
	t := x.transactions[len(x.transactions)-1]
	wanted := t.wanted
	t.wanted = func() bool {
		return wanted() && (source != nil || t.grant.termination == nil || date <= t.grant.termination.Date)
	}
}

// current returns the security id under which the grant continues.
func (g *grant) current() string { return g.pieces[len(g.pieces)-1].id }

// idOn returns the id in use on the day. If several are, it prefers the given position and then
// the next one. It returns an empty string if the grant ended before the day.
func (g *grant) idOn(day captable.Date, from int) string {
	for from > 0 && day < g.pieces[from-1].end {
		from--
	}
	for _, p := range g.pieces[from:] {
		if p.end.IsZero() || day <= p.end {
			return p.id
		}
	}
	return ""
}

// nextID returns the id of the next balance: the imported one, or the id of the grant with a
// number.
func (g *grant) nextID(balance *captable.Source) string {
	var issuance struct {
		Security string `json:"security_id"`
	}
	if balance != nil && json.Unmarshal(balance.Object, &issuance) == nil && issuance.Security != "" {
		return issuance.Security
	}
	return g.id + "-" + strconv.Itoa(len(g.pieces)+1)
}

// applyGrant folds the events of grants.
func (x *Exporter) applyGrant(event captable.Event) {
	switch e := event.(type) {
	case captable.OptionGranted:
		x.granted(e.GrantIssue)
	case captable.OptionAccepted:
		x.happen(e.ID, e.Date, e.Source, func(_ *grant, security string) any {
			return transactionObject{e.ID.String() + "-accepted", typeGrantPrefix + "ACCEPTANCE", e.Date, security}
		})
	case captable.OptionAmended:
		if g := x.grants[e.ID]; g != nil {
			g.keep()
			g.now.GrantDetails, g.changed = e.Details, true
		}
	case captable.OptionCorrected:
		if g := x.grants[e.ID]; g != nil {
			g.restate(e.GrantIssue)
			g.live, g.order = e.GrantAmounts, x.restatedOrder(&g.place, e.Security, e.IssueDate)
		}
	case captable.OptionVoided:
		if g := x.grants[e.ID]; g != nil {
			g.voided = true
		}
	case captable.OptionRetracted:
		x.happen(e.ID, e.Date, e.Source, func(_ *grant, security string) any {
			return endingObject{
				ID: e.ID.String() + "-retracted", Type: typeGrantPrefix + "RETRACTION", Date: e.Date, Security: security,
				Reason: reason(e.Reason, "Retracted."),
			}
		})
	case captable.OptionVestingChanged:
		x.vestingChanged(e)
	case captable.OptionRepriced:
		x.repriced(e)
	case captable.OptionExercised:
		x.exercised(e)
	case captable.OptionReduced:
		x.taken(e)
	default:
		x.applyHolding(event)
	}
}

// repriced writes a new exercise price. A grant may have several repricings on one day.
func (x *Exporter) repriced(e captable.OptionRepriced) {
	g := x.grants[e.ID]
	if g == nil {
		return
	}
	g.live.ExercisePrice, g.live.Repricings = &e.To, append(g.live.Repricings, e.Repricing)
	n := strconv.Itoa(len(g.live.Repricings))
	x.happen(e.ID, e.Date, e.Source, func(g *grant, security string) any {
		return repricingObject{transactionObject{g.id + "-repriced-" + n, typeRepricing, e.Date, security}, x.money(&e.To)}
	})
}

// exercised writes an exercise or release and the resulting shares.
func (x *Exporter) exercised(e captable.OptionExercised) {
	x.happen(e.ID, e.Deduction.Date, e.Source, func(g *grant, security string) any {
		object := endingObject{
			ID: e.Result.ID.String() + "-" + string(e.Deduction.Kind), Type: typeGrantPrefix + "EXERCISE", Date: e.Deduction.Date,
			Security: security,
			Quantity: &e.Deduction.Quantity, Results: []string{x.security(e.Result.ID)},
		}
		if e.Withheld.Sign() > 0 {
			object.comment(e.Withheld.String() + " of the shares were withheld.")
		}
		if e.Deduction.Kind == captable.StatusReleased {
			object.Type, object.Settled = typeGrantPrefix+"RELEASE", e.Deduction.Date
			object.Released = &captable.Money{Currency: x.currency}
			if value := x.money(g.now.MarketValue); value != nil {
				object.Released = value
			}
		}
		return object
	})
	x.issued(e.Result)
	if g := x.grants[e.ID]; g != nil {
		g.take(e.Deduction)
	}
}

// taken writes a cancellation, forfeiture or expiry.
func (x *Exporter) taken(e captable.OptionReduced) {
	g := x.grants[e.ID]
	if g == nil {
		return
	}
	if e.Termination != nil {
		g.termination = e.Termination
	}
	if e.Deduction.Quantity.IsZero() {
		return
	}
	if last := g.now.ExpirationDate; e.Deduction.Kind == captable.StatusExpired && e.Source == nil && last != 0 && e.Deduction.Date > last {
		g.take(e.Deduction)
		return // implied by the expiration date
	}
	left := g.live.Left().Sub(e.Deduction.Quantity)
	balance := ""
	before := g.current()
	if left.Sign() > 0 && (e.Source == nil || e.Balance != nil) {
		balance = g.nextID(e.Balance)
	}
	if left.Sign() <= 0 || balance != "" {
		g.pieces[len(g.pieces)-1].end = e.Deduction.Date
	}
	if balance != "" {
		g.pieces = append(g.pieces, piece{id: balance})
	}
	x.transactions = append(x.transactions, &transaction{
		place: x.place(e.Source), source: e.Source, date: e.Deduction.Date, grant: g, object: func() any {
			object := endingObject{
				ID: before + "-" + string(e.Deduction.Kind), Type: typeGrantPrefix + "CANCELLATION", Date: e.Deduction.Date,
				Security: before,
				Quantity: &e.Deduction.Quantity, Balance: balance,
				Reason: reason(e.Deduction.Reason, "Ended: "+string(e.Deduction.Kind)+"."),
			}
			if !e.Returns && x.returnsTo(g.now.Pool) {
				object.comment(commentRetired)
			}
			return object
		},
	})
	if e.Returns && e.Source == nil {
		x.returned(g.now.Pool, before, e.Deduction.Quantity, &transaction{date: e.Deduction.Date, grant: g})
	}
	g.take(e.Deduction)
	if balance != "" {
		x.balance(g, balance, left, e)
	}
}

// returnsTo reports whether the plan of a pool is written with the return of cancelled shares.
func (x *Exporter) returnsTo(pool captable.PoolID) bool {
	p := x.plans[pool]
	return p != nil && p.now.CancellationBehavior == captable.ReturnToPool
}

// returned writes the return of shares to a pool if the plan's cancellation behaviour does
// not return them.
func (x *Exporter) returned(pool captable.PoolID, security string, shares captable.Decimal, t *transaction) {
	t.place = x.place(nil)
	t.object = func() any {
		return returnObject{transactionObject{security + "-returned", typeReturn, t.date, security}, x.plans[pool].id, shares, "Cancelled."}
	}
	t.wanted = func() bool { return x.plans[pool] != nil && !x.returnsTo(pool) }
	x.transactions = append(x.transactions, t)
}

// balance issues the remainder of the grant. Its instalments are listed explicitly: they are
// those of the whole grant without the quantities already taken.
func (x *Exporter) balance(g *grant, id string, left captable.Decimal, e captable.OptionReduced) {
	vestings, price := g.remaining(left, e.Deduction.Date), g.live.ExercisePrice
	x.transactions = append(x.transactions, &transaction{
		place: x.place(e.Balance), source: e.Balance, date: e.Deduction.Date, grant: g, object: func() any {
			issue := g.now
			issue.Quantity, issue.VestingSchedule, issue.Terms, issue.Vestings = left, "", nil, vestings
			issue.IssueDate, issue.ExercisePrice = e.Deduction.Date, price
			object := x.grantObject(g, issue)
			object.ID, object.Security = id+"-issued", id
			return object
		},
	})
}

func (g *grant) take(deduction captable.Deduction) {
	g.live.Deductions = append(g.live.Deductions, deduction)
}

// splitGrants converts the amounts of the grants of a class to shares after a split.
func (x *Exporter) splitGrants(e captable.SecuritySplit, places int) {
	for _, g := range x.grants {
		if g.now.Security == e.ID {
			g.live = e.AmountsAfter(&g.live, places)
		}
	}
}

// remaining lists the instalments of a remainder of the grant on the given day. Instalments
// vested by then are dated that day. Exercises and releases consume the first instalments;
// cancellations consume the last ones.
func (g *grant) remaining(left captable.Decimal, day captable.Date) []vesting.Vesting {
	made := captable.Grant{GrantTerms: g.now.GrantTerms, GrantAmounts: g.live, Happenings: g.happenings}
	schedule := made.Schedule(day)
	taken := captable.Decimal{}
	for _, deduction := range g.live.Deductions {
		if deduction.Kind == captable.StatusExercised || deduction.Kind == captable.StatusReleased {
			taken = taken.Add(deduction.Quantity)
		}
	}
	var rest []vesting.Vesting
	for _, instalment := range schedule {
		quantity := instalment.Quantity
		skipped := quantity.Min(taken)
		taken, quantity = taken.Sub(skipped), quantity.Sub(skipped).Min(left)
		left = left.Sub(quantity)
		if quantity.Sign() <= 0 {
			continue
		}
		on := max(instalment.Date, day)
		if last := len(rest) - 1; last >= 0 && rest[last].Date == on {
			rest[last].Quantity = rest[last].Quantity.Add(quantity)
		} else {
			rest = append(rest, vesting.Vesting{Date: on, Quantity: quantity})
		}
	}
	return rest
}

func (x *Exporter) vestingChanged(e captable.OptionVestingChanged) {
	g := x.grants[e.ID]
	if g == nil {
		return
	}
	if e.Happening != nil {
		for _, condition := range g.waiting(e.Happening.Condition) {
			x.vest(e.ID, e.Happening.Date, e.Source, func(_ *grant, security string) any {
				return vestingStart{
					transactionObject{e.ID.String() + "-" + condition, typeVestingEvent, e.Happening.Date, security},
					condition,
					realizedComment(e.Happening.Realized),
				}
			})
		}
		g.happenings = append(g.happenings, *e.Happening)
	}
	if e.Acceleration != nil {
		g.live.Accelerations = append(g.live.Accelerations, *e.Acceleration)
		g.accelerated++ // counted separately, because a split may round an acceleration to zero
		n := strconv.Itoa(g.accelerated)
		x.vest(e.ID, e.Acceleration.Date, e.Source, func(_ *grant, security string) any {
			return endingObject{
				ID: e.ID.String() + "-accelerated-" + n, Type: typeAcceleration, Date: e.Acceleration.Date, Security: security,
				Quantity: &e.Acceleration.Quantity, Reason: reason(e.Reason, "Accelerated."),
			}
		})
	}
}

// waiting returns the ids of the conditions that the event triggers.
func (g *grant) waiting(event string) (conditions []string) {
	if g.now.Terms == nil {
		return nil
	}
	for i := range g.now.Terms.Conditions {
		c := &g.now.Terms.Conditions[i]
		if c.When.Kind == vesting.OnEvent && (c.ID == event || c.When.Event == event) {
			conditions = append(conditions, c.ID)
		}
	}
	return conditions
}
