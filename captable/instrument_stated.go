package captable

import (
	"math/big"
	"strings"

	"equity/captable/conversion"
	"equity/captable/exact"
)

// The wishes that packages state: what happened to an instrument elsewhere is not judged
// here by its terms, only by what there is.
type (
	// RetractInstrument asks to undo an instrument before its holder accepted it.
	RetractInstrument struct {
		ID     InstrumentID
		Date   Date
		Reason string
		Source *Source
	}
	// DivideInstrument records a transfer or a cancellation of which everything that came
	// is stated in full.
	DivideInstrument struct {
		ID InstrumentID
		// Kind is transferred or cancelled.
		Kind Status
		Date Date
		// Size is how much of it was affected: a part of the principal, or of what a
		// warrant gave still.
		Size Decimal
		// Result is the new holder's, of a transfer; Balance what was not affected.
		Result, Balance *IssueInstrument
		Reason          string
		Source          *Source
	}
	// SettleInstrument records the shares that came of all of an instrument.
	SettleInstrument struct {
		ID InstrumentID
		// Kind is converted or exercised.
		Kind   Status
		Date   Date
		Result Result
		Source *Source
	}
)

// basisStated is a price that a package states without saying how it came about.
const basisStated conversion.Basis = "stated"

// decide undoes an issue that nobody accepted and nobody acted on.
func (c RetractInstrument) decide(s *State, m Moment) ([]Event, error) {
	i, err := s.outstandingInstrument(c.ID)
	switch {
	case err != nil:
		return nil, err
	case !i.AcceptedOn.IsZero():
		return nil, Refuse(CodeConflict, "The holding was accepted: it cannot be retracted.").With("acceptedOn", i.AcceptedOn.String())
	case len(i.Exercises) > 0 || i.Account != nil && len(i.Account.Repayments) > 0:
		return nil, Refuse(CodeHasResults, "It was repaid or exercised.")
	}
	var faults Faults
	i.checkChange(s, &faults, c.Date, m)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	ended := InstrumentEnded{Kind: StatusRetracted, ID: c.ID, Date: c.Date, Size: i.size(), Reason: strings.TrimSpace(c.Reason), Source: c.Source}
	return []Event{ended}, nil
}

// decide checks that the parts are the whole, and of the same kind, currency and security.
func (c DivideInstrument) decide(s *State, m Moment) ([]Event, error) {
	i, err := s.outstandingInstrument(c.ID)
	if err != nil {
		return nil, err
	}
	var faults Faults
	i.checkChange(s, &faults, c.Date, m)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	ended := InstrumentEnded{Kind: c.Kind, ID: c.ID, Date: c.Date, Size: c.Size, Reason: strings.TrimSpace(c.Reason), Source: c.Source}
	if ended.Result, err = s.stated(c.Result, i, c.Date, m); err != nil {
		return nil, err
	}
	if ended.Balance, err = s.stated(c.Balance, i, c.Date, m); err != nil {
		return nil, err
	}
	if rest := i.size().Sub(c.Size); !rest.Equal(ended.Balance.size()) {
		return nil, Refuse(CodeConflict, "The balance is not what remains.").With("remaining", rest.String())
	}
	if c.Kind == StatusTransferred && !ended.Result.size().Equal(c.Size) {
		return nil, Refuse(CodeConflict, "What came of it is not what was transferred.").
			With("results", ended.Result.size().String()).With("ended", c.Size.String())
	}
	if ended.Balance != nil && ended.Balance.Entity != i.Entity {
		return nil, Refuse(CodeConflict, "The balance belongs to another holder.")
	}
	return []Event{ended}, nil
}

// stated is a part of an instrument as a package states it; none of none.
func (s *State) stated(as *IssueInstrument, of *Instrument, date Date, m Moment) (*InstrumentIssue, error) {
	if as == nil {
		return nil, nil //nolint:nilnil // nothing was stated, and nothing is wrong with that
	}
	part := *as
	part.IssueDate = date
	issue, err := part.prepare(s, m, nil, len(of.Before) > 0)
	switch {
	case err != nil:
		return nil, err
	case issue.Kind != of.Kind || issue.Security != of.Security || of.convertible() && issue.Principal.Currency != of.Principal.Currency:
		return nil, Refuse(CodeConflict, "A part of a holding is of its kind, its currency and its security.")
	}
	return &issue, nil
}

// size is the principal of a convertible, or what a warrant gives; none of none.
func (f *InstrumentIssue) size() Decimal {
	switch {
	case f == nil:
		return Decimal{}
	case f.convertible():
		return f.Principal.Amount
	default:
		return f.Quantity
	}
}

func (c SettleInstrument) decide(s *State, m Moment) ([]Event, error) {
	i, err := s.outstandingInstrument(c.ID)
	if err != nil {
		return nil, err
	}
	if i.convertible() != (c.Kind == StatusConverted) {
		return nil, Refuse(CodeConflict, "A warrant is exercised, any other holding converts.").With("kind", string(i.Kind))
	}
	var faults Faults
	i.checkChange(s, &faults, c.Date, m)
	if !i.Security.IsZero() && c.Result.Security != i.Security {
		faults.Add("/results/0/security", "otherSecurity", "The warrant gives shares of another security.")
	}
	if c.Result.Holder.Entity != i.Entity {
		faults.Add("/results/0/entity", "otherHolder", "What comes of a holding is its holder's.")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	scratch, freed := s.forNumbers(false), room{i.Security, i.reserved()} // the warrant makes room for its shares
	scratch.use(i.Security, c.Date, freed.shares.Neg())
	result, err := scratch.enter(c.Result, c.Date, m, "/results/0", &freed)
	if err != nil {
		return nil, err
	}
	if c.Kind == StatusConverted {
		return []Event{InstrumentConverted{ID: c.ID, Date: c.Date, InstrumentConversion: i.converted(result, c.Date), Result: result, Source: c.Source}}, nil
	}
	exercise, err := i.exercised(result, c.Date)
	if err != nil {
		return nil, err
	}
	return []Event{WarrantExercised{ID: c.ID, Exercise: exercise, Result: result, Source: c.Source}}, nil
}

// converted is a conversion of which only the shares are known.
func (i *Instrument) converted(into Issue, day Date) InstrumentConversion {
	converts, due := i.converting(day)
	price := new(big.Rat).Quo(converts, into.Shares.Rat())
	return InstrumentConversion{
		Shareholding: into.ID, Basis: basisStated, PricePerShare: exact.RoundHalfUp(price, exact.Places), Amount: exact.RoundHalfUp(converts, exact.Places),
		Interest:    exact.RoundHalfUp(new(big.Rat).Sub(converts, i.Owed(day).Principal), exact.Places),
		InterestDue: exact.RoundHalfUp(due, exact.Places),
	}
}

// exercised is an exercise of all that a warrant gives, of which only the shares are
// known: where they are fewer, the others paid the price.
func (i *Instrument) exercised(into Issue, day Date) (Exercise, error) {
	exercise := Exercise{Date: day, Quantity: i.Left, Payment: PayCash, Shareholding: into.ID}
	switch into.Shares.Cmp(i.Left) {
	case -1:
		exercise.Payment = PayNet
	case 1:
		if !i.Security.IsZero() {
			return exercise, insufficient("The warrant gives fewer shares.", AuthorizedOf(i.Left), into.Shares)
		}
		exercise.Quantity = into.Shares // the number was an estimate, or not known
	}
	return exercise, nil
}
