package captable

import (
	"slices"
	"strconv"
	"strings"

	"equity/fault"
)

// ShareholdingEnded records the end of shareholdings together with the resulting shareholdings. One event
// contains both, so that no intermediate state is visible. The event type follows from the
// kind: one of the kind transferred is the event shareholdingTransferred.
type ShareholdingEnded struct {
	Kind Status `json:"kind"`
	// From are the ended shareholdings: several for a consolidation, otherwise one.
	From []ShareholdingID `json:"from"`
	Date Date             `json:"date"`
	// Shares is the affected part of the shares of From. The rest is in Balance.
	Shares Decimal `json:"shares"`
	// Results replace the affected shares, for example those of a new holder or of another
	// security.
	Results []Issue `json:"results,omitempty"`
	// Balance holds the unaffected shares, or is nil if all shares are affected.
	Balance *Issue `json:"balance,omitempty"`
	// TransferKind is sale, gift, inheritance or internal for a transfer.
	TransferKind string `json:"transferKind,omitempty"`
	Price        *Price `json:"price,omitempty"`
	// ToTreasury means that repurchased shares remain issued as treasury shares.
	ToTreasury bool `json:"toTreasury,omitempty"`
	// CashFraction is the fraction of a share that a conversion paid in cash.
	CashFraction Decimal `json:"cashFraction,omitzero"`
	// Returns reports whether awarded shares return to their pool.
	Returns bool    `json:"returns,omitempty"`
	Reason  string  `json:"reason,omitempty"`
	Source  *Source `json:"source,omitempty"`
}

// EventType returns the name of the event in the journal, which follows from the kind, such as
// shareholdingTransferred.
func (e ShareholdingEnded) EventType() string {
	if e.Kind == "" {
		return "shareholdingEnded"
	}
	return "shareholding" + strings.ToUpper(string(e.Kind[:1])) + string(e.Kind[1:])
}

// Creates returns the results and the balance.
func (e ShareholdingEnded) Creates() []Created {
	var created []Created
	for _, issue := range e.issues() {
		created = append(created, Created{issue.ID, kindShareholding})
	}
	return created
}

// Records returns the ended shareholdings, then the results, then the balance.
func (e ShareholdingEnded) Records(s *State) []any {
	var all []any
	for _, id := range e.From {
		all = append(all, records(s.Shareholding(id))...)
	}
	for _, issue := range e.issues() {
		all = append(all, records(s.Shareholding(issue.ID))...)
	}
	return all
}

// shareholdingEnds returns the kinds of a [ShareholdingEnded].
func shareholdingEnds() []Status {
	return []Status{
		StatusTransferred, StatusRepurchased, StatusCancelled, StatusConverted,
		StatusReissued, StatusConsolidated, StatusRetracted,
	}
}

// Result is a new shareholding that results from ended ones, without id and certificate
// number.
type Result struct {
	Holder   HolderRef
	Security SecurityID
	Shares   Decimal
	Award
	ShareholdingDetails
	CostBasis *CostBasis
	// FromTreasury is the number of shares from the treasury that a package states. It applies to
	// [DeferLimits] only.
	FromTreasury Decimal
	Source       *Source
}

// replacement is a request to end shareholdings and to replace them by others.
type replacement struct {
	kind    Status
	from    []ShareholdingID
	date    Date
	shares  *Decimal // of from; nil means all
	results []Result
	balance *Result              // replaces the computed balance
	faults  fault.Fields         // faults found by the caller
	said    CancellationBehavior // the disposition of awarded shares; empty means the behavior of the plan
}

// decide checks the rules common to all endings and numbers the results:
//
//  1. The shareholdings are outstanding.
//  2. The date is not before the issue and not in the future. The quantities count in shares of
//     the date, and splits with a later date restate the results.
//  3. The quantity is at most the total, and whole unless the security is fractional.
//  4. A retraction affects all shares, and only shares that were not accepted.
//  5. The balance has the same holder, security and terms.
func (r replacement) decide(s *State, m DecideContext) (*ShareholdingEnded, []*Shareholding, error) {
	from := make([]*Shareholding, 0, len(r.from))
	total, faults := Decimal{}, r.faults
	m.checkDate(&faults, "/date", r.date)
	for _, id := range r.from {
		h, err := s.shares.outstanding(id)
		if err != nil {
			return nil, nil, err
		}
		if r.date < h.IssueDate && !r.date.IsZero() {
			faults.Add("/date", "beforeIssue", "The date must not be before the issue of the shares, "+h.IssueDate.String()+".")
		}
		if security, _ := s.Security(h.Security); h.awarded() { // the pool counts awarded shares after the splits
			security.checkPast(&faults, "/date", r.date)
		}
		h = h.countedOn(r.date)
		total = total.Add(h.Shares)
		from = append(from, h)
	}
	security, _ := s.Security(from[0].Security)
	shares := total
	if r.shares != nil {
		shares = *r.shares
		checkShares(&faults, "/shares", shares, security)
	}
	if err := faults.Err(); err != nil {
		return nil, nil, err
	}
	if shares.Cmp(total) > 0 {
		return nil, nil, insufficient(
			"The shareholding has "+total.String()+" shares; "+shares.String()+" were requested.", AuthorizedOf(total), shares,
		)
	}
	if r.kind == StatusRetracted && (from[0].Status == StatusAccepted || !shares.Equal(total)) {
		return nil, nil, fault.Refuse(fault.Conflict, "Shares can only be retracted as a whole and before their acceptance.")
	}
	ending := &ShareholdingEnded{
		Kind: r.kind, From: r.from, Date: r.date, Shares: shares, Returns: s.plans.returnsAward(from[0], r.kind, r.said),
	}
	if err := r.number(s, m, ending, from, total.Sub(shares)); err != nil {
		return nil, nil, err
	}
	return ending, from, nil
}

// number assigns an id, a serial number and a certificate to each result and to the balance.
func (r replacement) number(s *State, m DecideContext, ending *ShareholdingEnded, from []*Shareholding, rest Decimal) error {
	several := len(r.results) > 1 || !rest.IsZero()
	scratch := copyForNumbers(s, several)
	freed := room{from[0].Security, Decimal{}}
	for _, h := range from { // ended shares free room in their class
		scratch.classes.changeTotals(h.Security, func(security *Security) { security.end(h.Shares, r.date) })
		freed.shares = freed.shares.Add(h.Shares)
	}
	enter := func(result Result, pointer string) (Issue, error) {
		issue, err := enterResult(scratch, result, r.date, m, pointer, &freed)
		if err == nil && several {
			scratch.claim(&Shareholding{Issue: issue})
		}
		return issue, err
	}
	for i, result := range r.results {
		result.Award = r.award(from, result)
		issue, err := enter(result, "/results/"+strconv.Itoa(i))
		if err != nil {
			return err
		}
		ending.Results = append(ending.Results, issue)
	}
	if rest.IsZero() {
		return nil
	}
	balance := r.balance
	if balance == nil {
		balance = from[0].balance(rest)
	}
	kept := *balance
	kept.Award = from[0].Award
	if r.balance == nil && (r.kind == StatusCancelled || r.kind == StatusRepurchased) {
		kept.Vestings = from[0].listedUpTo(rest) // the ended shares are those that vest last
	}
	issue, err := enter(kept, "/balance")
	if err != nil {
		return err
	}
	ending.Balance = &issue
	return nil
}

// copyForNumbers returns a state for the numbering of several new shareholdings in a row. It
// copies only the affected trees and shares the others, because a copy makes the next change
// of the original more expensive. Most endings have one result.
func copyForNumbers(s *State, several bool) *State {
	scratch := *s
	scratch.classes.securities = s.classes.securities.Copy()
	if several {
		scratch.shares.certificates, scratch.externalIDs.index = s.shares.certificates.Copy(), s.externalIDs.index.Copy()
	}
	return &scratch
}

// balance returns the remaining shares of the holder as a result.
func (h *Shareholding) balance(rest Decimal) *Result {
	gone := h.Shares.Sub(rest).Max(Decimal{})
	details := h.portion(gone)
	details.Consideration = h.paid().less(details.Consideration)
	details.Vestings = h.listedRest(gone)
	return &Result{Holder: HolderRef{Entity: h.Entity}, Security: h.Security, Shares: rest, ShareholdingDetails: details}
}

// room is a number of shares of a class that other endings freed on the same day.
type room struct {
	security SecurityID
	shares   Decimal
}

// take uses up the freed shares and returns the number of shares that need further room.
func (r *room) take(security SecurityID, shares Decimal) Decimal {
	if r.security != security {
		return shares
	}
	taken := shares.Min(r.shares)
	r.shares = r.shares.Sub(taken)
	return shares.Sub(taken)
}

// enterResult checks and numbers one result. Shares beyond the freed room are new shares or come
// from the treasury. The totals of s already include the freed room.
func enterResult(s *State, r Result, date Date, m DecideContext, pointer string, freed *room) (Issue, error) {
	var faults fault.Fields
	security, known := s.Security(r.Security)
	if !known {
		faults.Add("/security", "unknownReference", "There is no such security.")
	}
	holder, found := m.Register.Holder(r.Holder)
	if !found {
		faults.Add("/to", "unknownReference", "There is no such holder in this organization.")
	}
	checkShares(&faults, pointer, r.Shares, security)
	details := r.ShareholdingDetails
	details.PricePerShare = details.PricePerShare.in(m.Currency)
	details.cost(r.CostBasis, m.Currency)
	details.check(s, &faults, r.Shares)
	details.checkVestings(&faults, r.Shares, date)
	if err := faults.Err(); err != nil {
		return Issue{}, err
	}
	if err := s.externalIDs.checkUnused(kindShareholding, r.ExternalID, [16]byte{}); err != nil {
		return Issue{}, err
	}
	fromTreasury := Decimal{}
	switch further := freed.take(r.Security, r.Shares); {
	case s.classes.unlimited:
		fromTreasury = r.FromTreasury.Min(r.Shares)
	case !further.IsZero():
		if err := security.checkRoom(r.Shares, date, pointer); err != nil {
			return Issue{}, err
		}
		fromTreasury = security.fromTreasury(r.Shares, date)
	}
	if details.ShareholderName == "" {
		details.ShareholderName = holder.Name
	}
	issue := Issue{
		ID: m.NewID(), Entity: holder.Entity, Security: r.Security, Shares: r.Shares, IssueDate: date,
		SerialNumber: security.Serials + 1, FromTreasury: fromTreasury, Award: r.Award,
		ShareholdingDetails: details, Source: r.Source,
	}
	return issue, s.shares.number(&issue, security)
}

// apply ends the shareholdings and enters the results. All results have all ended
// shareholdings as their origin, because one certificate can be split and several can be
// consolidated.
func (e ShareholdingEnded) apply(s *State, stamp Stamp) {
	var results []ShareholdingID
	for _, issue := range e.issues() {
		results = append(results, issue.ID)
	}
	for i, id := range e.From {
		old, ok := s.Shareholding(id)
		if !ok {
			continue
		}
		s.shares.change(id, stamp, func(h *Shareholding) {
			h.Status, h.Results, h.EndedShares, h.EndedSplits = e.Kind, results, e.Shares, uint64(len(h.Before))
			h.End = &End{Date: e.Date, Reason: e.Reason, At: stamp.At, By: stamp.By}
		})
		ended, _ := s.Shareholding(id)
		s.classes.changeTotals(old.Security, func(security *Security) {
			security.endFor(old, ended)
			security.keepFrom(e.kept(i, old.countedOn(e.Date)), e.Date)
		})
		e.endAward(s, old, stamp)
	}
	made := make([]*Shareholding, 0, len(results))
	for _, issue := range e.issues() {
		made = append(made, &Shareholding{
			Issue: issue, Status: StatusActive, Origin: &Origin{Kind: e.Kind, From: e.From}, Meta: NewMeta(stamp),
		})
	}
	inherited := e.inheritance(s, made)
	received := inherited.received()
	for i, h := range made {
		if i < len(received) {
			h.receive(received[i])
		}
		h.PreferencePrice = inherited.preferencePrice(s, h.Security)
		h.inheritTermination(s)
		s.restateShares(h, stamp)
		s.hold(h)
	}
}

// kept returns the number of shares that the treasury receives from the end of the i-th
// shareholding: repurchased shares, or the treasury shares of a retracted issue.
func (e ShareholdingEnded) kept(i int, old *Shareholding) Decimal {
	switch {
	case e.ToTreasury && i == 0:
		return e.Shares
	case e.Kind == StatusRetracted:
		return old.FromTreasury
	default:
		return Decimal{}
	}
}

// issues returns the results and the balance.
func (e ShareholdingEnded) issues() []Issue {
	if e.Balance == nil {
		return e.Results
	}
	return append(slices.Clip(e.Results), *e.Balance)
}
