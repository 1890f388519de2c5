package captable

import (
	"math/big"
	"slices"

	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/fault"
)

// InstrumentKind is the kind of an instrument.
type InstrumentKind string

// The kinds of instruments.
const (
	// KindNote is a loan that converts.
	KindNote InstrumentKind = "convertibleNote"
	// KindSAFE is a simple agreement for future equity: money that converts and is not a debt.
	KindSAFE InstrumentKind = "safe"
	// KindCustom is any other agreement that converts, such as a SAFT.
	KindCustom InstrumentKind = "custom"
	// KindWarrant is a right to buy shares at a price.
	KindWarrant InstrumentKind = "warrant"
)

// InstrumentFacts are the fields of an instrument that affect totals.
type InstrumentFacts struct {
	Kind      InstrumentKind `json:"kind"`
	IssueDate Date           `json:"issueDate"`
	// Principal is the invested amount of a convertible. It is nil for a warrant.
	Principal *Money `json:"principal,omitempty"`
	// Security is the class of a warrant's shares. It is zero while the class is not known.
	Security SecurityID `json:"security,omitzero"`
	// Quantity is the number of shares of a warrant, as restated by splits. It is zero if the
	// coverage determines the number.
	Quantity Decimal `json:"quantity,omitzero"`
}

// InstrumentIssue is the complete content of a new instrument.
type InstrumentIssue struct { //nolint:recvcheck // begun returns a new record; the other methods only read
	ID     InstrumentID `json:"id"`
	Entity EntityID     `json:"entity"`
	InstrumentFacts
	InstrumentTerms
	// OfDay is set if the quantity and the prices count in shares of the issue date, so that recorded
	// splits with a later date restate them. Older events lack it: their terms are those of the entry.
	OfDay  bool    `json:"ofDay,omitempty"`
	Source *Source `json:"source,omitempty"`
}

// Account holds the principal of a convertible and its repayments. After a division, each part
// keeps the account of the whole and records its portion of it.
type Account struct {
	// Principal was received on the day Since.
	Principal  Decimal                `json:"principal"`
	Since      Date                   `json:"since"`
	Repayments []conversion.Repayment `json:"repayments,omitempty"`
	Portions   []conversion.Portion   `json:"portions,omitempty"`
}

// InstrumentOrigin is the origin of an instrument.
type InstrumentOrigin struct {
	// Kind is the ending of the original instrument: transferred, cancelled or converted.
	Kind Status         `json:"kind"`
	From []InstrumentID `json:"from"`
}

// WarrantCount holds the figures of an instrument before an exercise or a split: those of a
// warrant, or the share-based terms of a convertible.
type WarrantCount struct {
	Until         Date    `json:"until"`
	Quantity      Decimal `json:"quantity"`
	Left          Decimal `json:"left"`
	ExercisePrice *Price  `json:"exercisePrice,omitempty"`
	// Ratio is the ratio of a split. It is zero for an exercise.
	Ratio           Ratio            `json:"ratio,omitzero"`
	Exercises       []Exercise       `json:"exercises,omitempty"`
	FixedConversion *FixedConversion `json:"fixedConversion,omitempty"`
	// ConversionPrice is the price per share of a conversion.
	ConversionPrice *Decimal `json:"conversionPrice,omitempty"`
}

// Instrument is a right to unissued shares: a convertible note, a SAFE, a custom agreement or a
// warrant. The record is immutable: each event creates a new one. See ruling 15.
type Instrument struct {
	InstrumentIssue
	Status Status `json:"status"`
	// AcceptedOn is the day of the acceptance by the holder. It is zero before.
	AcceptedOn Date              `json:"acceptedOn,omitzero"`
	Origin     *InstrumentOrigin `json:"origin,omitempty"`
	// Results are the instruments that resulted from this one, the new holder's before the
	// balance.
	Results []InstrumentID `json:"results,omitempty"`
	// Account is the account of a convertible. It is nil for a warrant.
	Account *Account `json:"account,omitempty"`
	// Left is the remaining number of shares of a warrant.
	Left Decimal `json:"left,omitzero"`
	// Before holds the earlier figures, oldest first.
	Before []WarrantCount `json:"before,omitempty"`
	// Exercises are the exercises of a warrant, oldest first.
	Exercises []Exercise `json:"exercises,omitempty"`
	// Conversion is the result of the conversion of a convertible.
	Conversion *InstrumentConversion `json:"conversion,omitempty"`
	End        *End                  `json:"end,omitempty"`
	Meta
}

// IsDebt reports whether the principal is a debt. This holds for a note and for a custom agreement
// that bears interest.
func (f *InstrumentIssue) IsDebt() bool {
	return f.Kind == KindNote || f.Kind == KindCustom && f.Interest != nil
}

// IsConvertible reports whether the instrument has a principal that converts.
func (f *InstrumentFacts) IsConvertible() bool { return f.Kind != KindWarrant }

// size returns the divisible amount: the principal of a convertible or the remaining shares of a
// warrant.
func (i *Instrument) size() Decimal {
	if i.IsConvertible() {
		return i.Principal.Amount
	}
	return i.Left
}

// Owed returns the principal and unpaid interest at the end of the day, unrounded. Both are zero
// before the issue and from the end of the instrument on.
func (i *Instrument) Owed(day Date) conversion.Standing {
	ended := i.End != nil && i.End.Date <= day
	if !i.IsConvertible() || i.IssueDate > day || ended || i.Status == StatusVoided {
		return conversion.Standing{Principal: new(big.Rat), Interest: new(big.Rat)}
	}
	return i.Ledger().On(day)
}

// Ledger returns the debt of a convertible for the calculation of its balance.
func (i *Instrument) Ledger() conversion.Ledger {
	ledger := conversion.Ledger{
		Principal: i.Account.Principal, Since: i.Account.Since, Repayments: i.Account.Repayments, Portions: i.Account.Portions,
	}
	if i.Interest != nil {
		ledger.Interest = *i.Interest
	}
	return ledger
}

// Balance returns the debt and the interest in it at the end of the day, rounded half up to the
// decimal places of the contract. An amount with too many digits is replaced by the largest
// number.
func (i *Instrument) Balance(day Date) (balance, interest Decimal) {
	owed := i.Owed(day)
	return held(owed.Balance()), held(owed.Interest)
}

// held rounds an amount to the number format of the contract and limits it to the largest number.
func held(amount *big.Rat) Decimal {
	if most := exact.Largest(); amount.Cmp(most.Rat()) > 0 {
		return most
	}
	return exact.RoundHalfUp(amount, exact.Places)
}

// LeftOn returns the remaining shares of the warrant at the end of the day. It is zero before the
// issue, from the end of the warrant on and after its expiry.
func (i *Instrument) LeftOn(day Date) Decimal {
	ended := i.End != nil && i.End.Date <= day || i.ExpiredOn(day)
	if i.IsConvertible() || i.IssueDate > day || ended || i.Status == StatusVoided {
		return Decimal{}
	}
	for _, count := range i.Before {
		if day < count.Until {
			return count.Left
		}
	}
	return i.Left
}

// ExpiredOn reports whether the day is after the last day of exercise.
func (i *Instrument) ExpiredOn(day Date) bool {
	return !i.ExpirationDate.IsZero() && day > i.ExpirationDate
}

// expired returns the refusal of a command after the last day of exercise.
func (i *Instrument) expired() error {
	return fault.Refuse(
		fault.Conflict, "The warrant expired on "+i.ExpirationDate.String()+".",
	).With("expirationDate", i.ExpirationDate.String())
}

// reserved returns the number of reserved shares of the class. An expired warrant keeps its
// reserve until the expiry is recorded.
func (i *Instrument) reserved() Decimal {
	if !i.Status.Outstanding() || i.Security.IsZero() {
		return Decimal{}
	}
	return i.Left
}

// On returns the instrument as of the end of the day, by the effective dates of its events. It
// returns false if the instrument was issued later. A voided instrument is voided on every day.
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
		if i.IsConvertible() {
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

// Lapsing returns the instrument with its status at the end of the day. A warrant is expired after
// its last day, even if the expiry is not recorded.
func (i *Instrument) Lapsing(day Date) *Instrument {
	if !i.Status.Outstanding() || !i.ExpiredOn(day) {
		return i
	}
	lapsed := *i
	lapsed.end(StatusExpired, i.ExpirationDate+1, "", Stamp{})
	return &lapsed
}

// Instrument returns the instrument with the given id, including ended and voided ones.
func (s *State) Instrument(id InstrumentID) (*Instrument, bool) { return s.instruments.records.Get(id) }

func (r *instrumentRegister) instrument(id InstrumentID) (*Instrument, error) {
	if i, ok := r.records.Get(id); ok {
		return i, nil
	}
	return nil, fault.Refuse(fault.NotFound, "There is no such holding.")
}

func (r *instrumentRegister) outstanding(id InstrumentID) (*Instrument, error) {
	i, err := r.instrument(id)
	if err == nil && !i.Status.Outstanding() {
		return nil, fault.Refuse(fault.Conflict, "The holding has ended.").With("status", string(i.Status))
	}
	return i, err
}

// setInstrument stores the record and updates the reserve, the used shares per day and the
// external id accordingly.
func (s *State) setInstrument(next *Instrument, stamp Stamp) {
	was := &Instrument{}
	if old, known := s.instruments.records.Set(next.ID, next); known {
		was = old
		s.instruments.byHolder.Delete(heldKey{was.Entity, was.ID})
	}
	s.instruments.byHolder.Set(heldKey{next.Entity, next.ID})
	s.classes.reserve(was.Security, was.reserved().Neg(), stamp)
	s.classes.reserve(next.Security, next.reserved(), stamp)
	s.classes.useInstead(was, next)
	s.externalIDs.set(kindHolding, was.ExternalID, next.ExternalID, next.ID)
}

func (s *State) changeInstrument(id InstrumentID, stamp Stamp, change func(*Instrument)) {
	if old, ok := s.Instrument(id); ok {
		next := *old
		change(&next)
		next.Touch(stamp)
		s.setInstrument(&next, stamp)
	}
}

// end records the ending of the instrument.
func (i *Instrument) end(status Status, date Date, reason string, stamp Stamp) {
	i.Status, i.End = status, ended(status, date, reason, stamp)
}

// count records the figures of the warrant before the given day.
func (i *Instrument) count(until Date) {
	i.Before = append(
		slices.Clone(i.Before), WarrantCount{Until: until, Quantity: i.Quantity, Left: i.Left, ExercisePrice: i.ExercisePrice},
	)
}

// pack packs the instruments. After reading, it rebuilds the index of holders.
func (r *instrumentRegister) pack(p *Packer) {
	PackFew(p, r.records, func(r *Instrument) InstrumentID { return r.ID })
	if !p.reading {
		return
	}
	for i := range r.records.All() {
		r.byHolder.Set(heldKey{i.Entity, i.ID})
	}
}
