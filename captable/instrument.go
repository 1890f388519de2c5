package captable

import (
	"math/big"
	"slices"

	"equity/captable/conversion"
	"equity/captable/exact"
)

// InstrumentKind is what sort of right an instrument is.
type InstrumentKind string

// The kinds of holdings that are instruments.
const (
	// KindNote is a loan that converts.
	KindNote InstrumentKind = "convertibleNote"
	// KindSAFE is a simple agreement for future equity: money that converts and is no debt.
	KindSAFE InstrumentKind = "safe"
	// KindCustom is any other agreement that converts, such as a SAFT.
	KindCustom InstrumentKind = "custom"
	// KindWarrant is a right to buy shares at a price.
	KindWarrant InstrumentKind = "warrant"
)

// InstrumentFacts are what moves totals: who has a right to how much, since when.
type InstrumentFacts struct {
	Kind      InstrumentKind `json:"kind"`
	IssueDate Date           `json:"issueDate"`
	// Principal is what a convertible was bought for; none for a warrant.
	Principal *Money `json:"principal,omitempty"`
	// Security is what a warrant gives; it may name none as long as that is not known.
	Security SecurityID `json:"security,omitzero"`
	// Quantity is how many shares a warrant gives, as splits since have restated it; zero
	// where it follows from its coverage.
	Quantity Decimal `json:"quantity,omitzero"`
}

// InstrumentIssue is everything that brings an instrument into being.
type InstrumentIssue struct { //nolint:recvcheck // begun gives a new record, the others only look
	ID     InstrumentID `json:"id"`
	Entity EntityID     `json:"entity"`
	InstrumentFacts
	InstrumentTerms
	Source *Source `json:"source,omitempty"`
}

// Account is what came in for a convertible and what was repaid of it. A part of a note
// that was divided goes on with the account of the whole, of which it is a portion.
type Account struct {
	// Principal came in on the day Since.
	Principal  Decimal                `json:"principal"`
	Since      Date                   `json:"since"`
	Repayments []conversion.Repayment `json:"repayments,omitempty"`
	Portions   []conversion.Portion   `json:"portions,omitempty"`
}

// InstrumentOrigin tells what an instrument came from.
type InstrumentOrigin struct {
	// Kind is transferred or cancelled, after what ended its forebear.
	Kind Status         `json:"kind"`
	From []InstrumentID `json:"from"`
}

// WarrantCount holds the figures of an instrument until an exercise or a split changed them:
// those of a warrant, or the terms of a convertible that are counted in shares.
type WarrantCount struct {
	Until         Date    `json:"until"`
	Quantity      Decimal `json:"quantity"`
	Left          Decimal `json:"left"`
	ExercisePrice *Price  `json:"exercisePrice,omitempty"`
	// Ratio is that of a split; absent for an exercise.
	Ratio           Ratio            `json:"ratio,omitzero"`
	Exercises       []Exercise       `json:"exercises,omitempty"`
	FixedConversion *FixedConversion `json:"fixedConversion,omitempty"`
	// ConversionPrice is what a share of a conversion cost.
	ConversionPrice *Decimal `json:"conversionPrice,omitempty"`
}

// Instrument is a right to shares that are not issued yet: a convertible note, a SAFE,
// a custom agreement or a warrant. The record is immutable: an event about it makes a
// new one.
type Instrument struct {
	InstrumentIssue
	Status Status `json:"status"`
	// AcceptedOn is when the holder accepted it; none before.
	AcceptedOn Date              `json:"acceptedOn,omitzero"`
	Origin     *InstrumentOrigin `json:"origin,omitempty"`
	// Results are the instruments that came from it, the new holder's before the balance.
	Results []InstrumentID `json:"results,omitempty"`
	// Account is that of a convertible; nil for a warrant.
	Account *Account `json:"account,omitempty"`
	// Left is how many shares a warrant gives still.
	Left Decimal `json:"left,omitzero"`
	// Before holds the earlier figures, oldest first.
	Before []WarrantCount `json:"before,omitempty"`
	// Exercises are those of a warrant, oldest first.
	Exercises []Exercise `json:"exercises,omitempty"`
	// Conversion is what a convertible became.
	Conversion *InstrumentConversion `json:"conversion,omitempty"`
	End        *End                  `json:"end,omitempty"`
	Meta
}

// IsDebt reports whether the principal is owed: a note's is, and that of a custom
// agreement which bears interest.
func (f *InstrumentIssue) IsDebt() bool {
	return f.Kind == KindNote || f.Kind == KindCustom && f.Interest != nil
}

// convertible reports whether it has a principal that converts.
func (f *InstrumentFacts) convertible() bool { return f.Kind != KindWarrant }

// size is what can be divided: the principal of a convertible, what a warrant gives still.
func (i *Instrument) size() Decimal {
	if i.convertible() {
		return i.Principal.Amount
	}
	return i.Left
}

// Owed gives principal and unpaid interest at the end of the day, to fractions of a
// cent: nothing before issue and from its end on.
func (i *Instrument) Owed(day Date) conversion.Standing {
	ended := i.End != nil && i.End.Date <= day
	if !i.convertible() || i.IssueDate > day || ended || i.Status == StatusVoided {
		return conversion.Standing{Principal: new(big.Rat), Interest: new(big.Rat)}
	}
	return i.ledger().On(day)
}

func (i *Instrument) ledger() conversion.Ledger {
	ledger := conversion.Ledger{
		Principal: i.Account.Principal, Since: i.Account.Since, Repayments: i.Account.Repayments, Portions: i.Account.Portions,
	}
	if i.Interest != nil {
		ledger.Interest = *i.Interest
	}
	return ledger
}

// Balance gives what is owed at the end of the day, and the interest in it, rounded half
// up to the places of the contract. What has more digits than that is the largest number.
func (i *Instrument) Balance(day Date) (balance, interest Decimal) {
	owed := i.Owed(day)
	return held(owed.Balance()), held(owed.Interest)
}

// held rounds an amount to what a number of the contract holds.
func held(amount *big.Rat) Decimal {
	if most := exact.Largest(); amount.Cmp(most.Rat()) > 0 {
		return most
	}
	return exact.RoundHalfUp(amount, exact.Places)
}

// LeftOn gives how many shares the warrant gave still at the end of the day: none before
// issue, from its end on and after it expired.
func (i *Instrument) LeftOn(day Date) Decimal {
	ended := i.End != nil && i.End.Date <= day || i.ExpiredOn(day)
	if i.convertible() || i.IssueDate > day || ended || i.Status == StatusVoided {
		return Decimal{}
	}
	for _, count := range i.Before {
		if day < count.Until {
			return count.Left
		}
	}
	return i.Left
}

// ExpiredOn reports whether the day is behind the last on which a warrant is exercised.
func (i *Instrument) ExpiredOn(day Date) bool {
	return !i.ExpirationDate.IsZero() && day > i.ExpirationDate
}

// reserved is how many shares of its security are set aside for it: for what has expired
// too, until that is recorded.
func (i *Instrument) reserved() Decimal {
	if !i.Status.Outstanding() || i.Security.IsZero() {
		return Decimal{}
	}
	return i.Left
}

// On gives the instrument as it stood at the end of the day, by the dates of what
// happened to it; false when it had not been issued by then. A voided one stays voided
// on every day.
func (i *Instrument) On(day Date) (*Instrument, bool) {
	if i.IssueDate > day {
		return nil, false
	}
	was := i.counted(day)
	was.Exercises = until(was.Exercises, func(e Exercise) bool { return e.Date <= day })
	if i.Account != nil {
		account := *i.Account
		account.Repayments = until(account.Repayments, func(r conversion.Repayment) bool { return r.Date <= day })
		was.Account = &account
	}
	if i.AcceptedOn > day {
		was.AcceptedOn = 0
	}
	if i.Status == StatusVoided {
		return &was, true
	}
	if i.End != nil && i.End.Date > day {
		was.End, was.Results, was.Conversion, was.Status = nil, nil, nil, StatusAccepted
	}
	if was.Status == StatusAccepted && was.AcceptedOn.IsZero() {
		was.Status = StatusActive
	}
	return was.Lapsing(day), true
}

// counted returns a copy of the instrument with its figures in shares of the day.
func (i *Instrument) counted(day Date) Instrument {
	was := *i
	for n, count := range i.Before {
		if day >= count.Until {
			continue
		}
		was.Before = i.Before[:n:n]
		if i.convertible() {
			was.FixedConversion = count.FixedConversion
		} else {
			was.Quantity, was.Left, was.ExercisePrice = count.Quantity, count.Left, count.ExercisePrice
		}
		if i.Conversion != nil && count.ConversionPrice != nil {
			conversion := *i.Conversion
			conversion.PricePerShare = *count.ConversionPrice
			was.Conversion = &conversion
		}
		for _, split := range i.Before[n:] { // only a split restates the exercises
			if split.Ratio.positive() {
				was.Exercises = split.Exercises
				break
			}
		}
		break
	}
	return was
}

// Lapsing gives the instrument with the status that it has at the end of the day: a warrant
// has expired behind its last day, whether that is recorded or not.
func (i *Instrument) Lapsing(day Date) *Instrument {
	if !i.Status.Outstanding() || !i.ExpiredOn(day) {
		return i
	}
	lapsed := *i
	lapsed.end(StatusExpired, i.ExpirationDate+1, "", Stamp{})
	return &lapsed
}

// Instrument finds an instrument, ended and voided ones too.
func (s *State) Instrument(id InstrumentID) (*Instrument, bool) { return s.instruments.Get(id) }

func (s *State) instrument(id InstrumentID) (*Instrument, error) {
	if i, ok := s.Instrument(id); ok {
		return i, nil
	}
	return nil, Refuse(CodeNotFound, "There is no such holding.")
}

func (s *State) outstandingInstrument(id InstrumentID) (*Instrument, error) {
	i, err := s.instrument(id)
	if err == nil && !i.Status.Outstanding() {
		return nil, Refuse(CodeConflict, "The holding has ended.").With("status", string(i.Status))
	}
	return i, err
}

// setInstrument enters the record in the place of the one before, and moves with it what
// is reserved for it and the names that it takes.
func (s *State) setInstrument(next *Instrument, stamp Stamp) {
	was := &Instrument{}
	if old, known := s.instruments.Set(next.ID, next); known {
		was = old
		s.rights.Delete(rightKey{was.Entity, was.ID})
	}
	s.rights.Set(rightKey{next.Entity, next.ID})
	s.reserve(was.Security, was.reserved().Neg(), stamp)
	s.reserve(next.Security, next.reserved(), stamp)
	s.useInstead(was, next)
	s.setExternalID(kindHolding, was.ExternalID, next.ExternalID, next.ID)
}

func (s *State) changeInstrument(id InstrumentID, stamp Stamp, change func(*Instrument)) {
	if old, ok := s.Instrument(id); ok {
		next := *old
		change(&next)
		next.Touch(stamp)
		s.setInstrument(&next, stamp)
	}
}

// end notes how the instrument ended.
func (i *Instrument) end(status Status, date Date, reason string, stamp Stamp) {
	i.Status = status
	i.End = &End{Date: date, Reason: reason, At: stamp.At, By: stamp.By}
}

// count notes what the warrant gave until the day.
func (i *Instrument) count(until Date) {
	i.Before = append(slices.Clone(i.Before), WarrantCount{Until: until, Quantity: i.Quantity, Left: i.Left, ExercisePrice: i.ExercisePrice})
}

// packInstruments packs the instruments; the index of their holders follows from them.
func (s *State) packInstruments(p *Packer) {
	packFew(p, s.instruments, func(r *Instrument) InstrumentID { return r.ID })
	if !p.reading {
		return
	}
	for i := range s.Instruments() {
		s.rights.Set(rightKey{i.Entity, i.ID})
	}
}
