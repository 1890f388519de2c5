package captable

import (
	"math/big"
	"strconv"
	"strings"

	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/fault"
)

// The commands for events that an imported package states. They are checked against the existing
// records, not against the terms of the instrument.
type (
	// RetractInstrument undoes an instrument before its acceptance.
	RetractInstrument struct {
		ID     InstrumentID
		Date   Date
		Reason string
		Source *Source
	}
	// DivideInstrument records a transfer or a cancellation with completely stated results.
	DivideInstrument struct {
		ID InstrumentID
		// Kind is transferred or cancelled.
		Kind Status
		Date Date
		// Size is the affected part of the principal, or of the remaining shares of a warrant.
		Size Decimal
		// Result is the instrument of the new holder after a transfer. Balance is the unaffected
		// part.
		Result, Balance *IssueInstrument
		Reason          string
		Source          *Source
	}
	// SettleInstrument records the shares that resulted from an instrument, or from a part of a
	// convertible.
	SettleInstrument struct {
		ID InstrumentID
		// Kind is converted or exercised.
		Kind   Status
		Date   Date
		Result Result
		// Others are further shareholdings that resulted from a convertible.
		Others []Result
		// Balance is the part of a convertible that did not convert. It is nil after a full
		// conversion.
		Balance *IssueInstrument
		// Converted is the converted amount, if the package states it.
		Converted *Decimal
		Source    *Source
	}
)

// basisStated is the basis of a price that a package states without its derivation.
const basisStated conversion.Basis = "stated"

// decide undoes an issue without an acceptance, exercises and repayments.
func (c RetractInstrument) decide(s *State, m DecideContext) ([]Event, error) {
	i, err := s.instruments.outstanding(c.ID)
	switch {
	case err != nil:
		return nil, err
	case !i.AcceptedOn.IsZero():
		return nil, fault.Refuse(
			fault.Conflict, "An accepted holding cannot be retracted: cancel it instead.",
		).With("acceptedOn", i.AcceptedOn.String())
	case len(i.Exercises) > 0 || i.Account != nil && len(i.Account.Repayments) > 0:
		return nil, fault.Refuse(fault.HasResults, "The holding cannot be retracted: it was repaid or exercised.")
	}
	var faults fault.Fields
	i.checkChange(s, &faults, c.Date, m)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	ended := InstrumentEnded{
		Kind: StatusRetracted, ID: c.ID, Date: c.Date, Size: i.size(), Reason: strings.TrimSpace(c.Reason), Source: c.Source,
	}
	return []Event{ended}, nil
}

// decide checks that the parts sum to the whole and have the same kind, currency and class.
func (c DivideInstrument) decide(s *State, m DecideContext) ([]Event, error) {
	i, err := s.instruments.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	var faults fault.Fields
	if c.lapses(i) {
		i.checkOrder(s, &faults, c.Date, m)
	} else {
		i.checkChange(s, &faults, c.Date, m)
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	ended := InstrumentEnded{Kind: c.Kind, ID: c.ID, Date: c.Date, Size: c.Size, Reason: strings.TrimSpace(c.Reason), Source: c.Source}
	if ended.Result, err = statedIssue(s, c.Result, i, c.Date, m); err != nil {
		return nil, err
	}
	if ended.Balance, err = statedIssue(s, c.Balance, i, c.Date, m); err != nil {
		return nil, err
	}
	if rest := i.size().Sub(c.Size); !rest.Equal(ended.Balance.size()) {
		return nil, fault.Refuse(fault.Conflict, "The balance must be the remainder, "+rest.String()+".").With("remaining", rest.String())
	}
	if c.Kind == StatusTransferred && !ended.Result.size().Equal(c.Size) {
		return nil, fault.Refuse(fault.Conflict, "The result must be the transferred part, "+c.Size.String()+".").
			With("results", ended.Result.size().String()).With("ended", c.Size.String())
	}
	if ended.Balance != nil && ended.Balance.Entity != i.Entity {
		return nil, fault.Refuse(fault.Conflict, "The balance must belong to the same holder.")
	}
	return []Event{ended}, nil
}

// lapses reports whether the command states the end of a whole warrant, which packages also record
// after its last day.
func (c DivideInstrument) lapses(i *Instrument) bool {
	return c.Kind == StatusCancelled && c.Balance == nil && c.Size.Equal(i.size())
}

// statedIssue returns the issue of a part of an instrument as a package states it, or nil if as is
// nil.
func statedIssue(s *State, as *IssueInstrument, of *Instrument, date Date, m DecideContext) (*InstrumentIssue, error) {
	if as == nil {
		return nil, nil //nolint:nilnil // a missing part is valid
	}
	part := *as
	part.IssueDate = date
	issue, err := part.prepare(s, m, nil)
	switch {
	case err != nil:
		return nil, err
	case issue.Kind != of.Kind || issue.Security != of.Security || of.IsConvertible() && issue.Principal.Currency != of.Principal.Currency:
		return nil, fault.Refuse(fault.Conflict, "A part of a holding must have the kind, the currency and the security of the whole.")
	}
	return &issue, nil
}

// size returns the principal of a convertible or the quantity of a warrant. A nil issue has size
// zero.
func (f *InstrumentIssue) size() Decimal {
	switch {
	case f == nil:
		return Decimal{}
	case f.IsConvertible():
		return f.Principal.Amount
	default:
		return f.Quantity
	}
}

func (c SettleInstrument) decide(s *State, m DecideContext) ([]Event, error) {
	i, err := s.instruments.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	if i.IsConvertible() != (c.Kind == StatusConverted) {
		return nil, fault.Refuse(
			fault.Conflict, "A warrant can only be exercised, and any other holding only converted.",
		).With("kind", string(i.Kind))
	}
	var faults fault.Fields
	i.checkChange(s, &faults, c.Date, m)
	if !i.Security.IsZero() && c.Result.Security != i.Security {
		faults.Add("/results/0/security", "otherSecurity", "The security must be that of the warrant.")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	issues, err := c.enter(s, i, m)
	if err != nil {
		return nil, err
	}
	if c.Kind == StatusConverted {
		return c.converted(s, i, issues, m)
	}
	exercise, err := i.exercised(issues[0], c.Date)
	if err != nil {
		return nil, err
	}
	return []Event{WarrantExercised{ID: c.ID, Exercise: exercise, Result: issues[0], Source: c.Source}}, nil
}

// results returns the stated shareholdings.
func (c SettleInstrument) results() []Result { return append([]Result{c.Result}, c.Others...) }

// enter checks and numbers the shareholdings. The reserve of a warrant is available for its
// shares.
func (c SettleInstrument) enter(s *State, i *Instrument, m DecideContext) (issues []Issue, err error) {
	scratch, freed := copyForNumbers(s, len(c.Others) > 0), room{i.Security, i.reserved()}
	scratch.classes.use(i.Security, c.Date, freed.shares.Neg())
	for n, result := range c.results() {
		issue, err := enterResult(scratch, result, c.Date, m, "/results/"+strconv.Itoa(n), &freed)
		if err != nil {
			return nil, err
		}
		if len(c.Others) > 0 {
			scratch.claim(&Shareholding{Issue: issue})
		}
		issues = append(issues, issue)
	}
	return issues, nil
}

// converted returns the event of a stated conversion. The balance has a smaller principal than the
// convertible and the same holder. See ruling 51.
func (c SettleInstrument) converted(s *State, i *Instrument, issues []Issue, m DecideContext) ([]Event, error) {
	balance, err := statedIssue(s, c.Balance, i, c.Date, m)
	if err != nil {
		return nil, err
	}
	if balance != nil && balance.Entity != i.Entity {
		return nil, fault.Refuse(fault.Conflict, "The balance must belong to the same holder.")
	}
	part := i.size().Sub(balance.size())
	if part.Sign() <= 0 {
		return nil, fault.Refuse(
			fault.Conflict, "The balance must be less than the principal, "+i.size().String()+".",
		).With("remaining", i.size().String())
	}
	shares := Decimal{}
	for _, issue := range issues {
		shares = shares.Add(issue.Shares)
	}
	made := i.converted(issues[0].ID, shares, part, c.Date)
	if c.Converted != nil && balance != nil && (c.Converted.Cmp(part) < 0 || c.Converted.Cmp(
		made.Amount.Add(made.InterestDue).Max(part),
	) > 0) {
		return nil, fault.Refuse(fault.Conflict, "The converted amount and the balance must sum to the principal.").
			With("results", c.Converted.String()).With("remaining", part.String())
	}
	return []Event{InstrumentConverted{
		ID: c.ID, Date: c.Date, InstrumentConversion: made,
		Result: issues[0], Others: issues[1:], Balance: balance, Source: c.Source,
	}}, nil
}

// converted returns the conversion of a part of the principal for which only the shares are known.
// The interest is divided in proportion to the principal.
func (i *Instrument) converted(first ShareholdingID, shares, part Decimal, day Date) InstrumentConversion {
	all, due := i.ConvertingAmount(day)
	of := func(amount *big.Rat) *big.Rat {
		return quotient(new(big.Rat).Mul(amount, part.Rat()), i.size().Rat())
	}
	converts := of(all)
	return InstrumentConversion{
		Shareholding: first, Basis: basisStated, PricePerShare: exact.RoundHalfUp(new(big.Rat).Quo(converts, shares.Rat()), exact.Places),
		Amount:      exact.RoundHalfUp(converts, exact.Places),
		Interest:    exact.RoundHalfUp(new(big.Rat).Sub(converts, of(i.Owed(day).Principal)), exact.Places),
		InterestDue: exact.RoundHalfUp(of(due), exact.Places),
	}
}

// exercised returns an exercise of all remaining shares of a warrant for which only the resulting
// shares are known. If these are fewer, the missing shares paid the exercise price.
func (i *Instrument) exercised(into Issue, day Date) (Exercise, error) {
	exercise := Exercise{Date: day, Quantity: i.Left, Payment: PayCash, Shareholding: into.ID}
	switch into.Shares.Cmp(i.Left) {
	case -1:
		exercise.Payment = PayNet
	case 1:
		if !i.Security.IsZero() {
			return exercise, insufficient(
				"The warrant gives "+i.Left.String()+" shares; "+into.Shares.String()+" were requested.", AuthorizedOf(i.Left), into.Shares,
			)
		}
		exercise.Quantity = into.Shares // the quantity was an estimate or unknown
	}
	return exercise, nil
}
