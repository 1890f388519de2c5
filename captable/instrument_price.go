package captable

import (
	"errors"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"equity/captable/conversion"
	"equity/captable/exact"
	"equity/fault"
)

// ConversionRound is a priced round in which an instrument converts. Amounts are in the currency
// of its principal.
type ConversionRound struct {
	PreMoney Price             `json:"preMoney"`
	NewMoney []ConversionMoney `json:"newMoney,omitempty"`
	Pool     *ConversionPool   `json:"pool,omitempty"`
	// Convention is the method that determines the price. The default is safesInsidePreMoney.
	Convention conversion.Convention `json:"convention,omitempty"`
}

// ConversionMoney is the investment of one investor.
type ConversionMoney struct {
	Amount Price `json:"amount"`
}

// ConversionPool is the growth of the pool in the round.
type ConversionPool struct {
	// Target is the fraction of the company after the round that is available in the pool.
	Target Decimal `json:"target,omitzero"`
	// Increase is a number of shares.
	Increase Decimal `json:"increase,omitzero"`
}

// priced returns the number of shares for the amount: by fixed terms, in a round with all other
// convertibles, or alone at a stated price or cap.
func (c ConvertInstrument) priced(s *State, i *Instrument, terms ConvertibleTerms, amount *big.Rat) (priced, error) {
	company, _ := companyOn(s, c.Date)
	switch {
	case i.FixedConversion != nil:
		return i.FixedConversion.priced(amount, i.ExactFixedPrice(), company), nil
	case c.Round != nil:
		return c.inRound(s, i, company)
	case c.PricePerShare != nil && terms.ValuationCap != nil && c.Capitalization == nil:
		alone := i.inRoundAs(terms, amount)
		return solved(conversion.Round{
			Company: company, Convertibles: []conversion.Convertible{alone}, PricePerShare: c.PricePerShare.Amount, Fractional: true,
		}, alone.ID)
	case c.PricePerShare == nil && terms.ValuationCap != nil && c.Capitalization == nil:
		return terms.atCap(amount, company)
	default:
		return c.alone(terms, amount)
	}
}

// atCap converts at the valuation cap alone, for example at maturity without a stated
// capitalization. The cap is divided by the company of the day and, for a post-money cap, by the
// resulting shares as well.
func (t *ConvertibleTerms) atCap(amount *big.Rat, company conversion.Company) (priced, error) {
	part := new(big.Rat).Quo(amount, t.ValuationCap.Amount.Rat()) // fraction of the company before or after the conversion
	shares := part
	if t.CapBasis == string(conversion.PostMoney) {
		if part.Cmp(big.NewRat(1, 1)) >= 0 {
			return priced{}, fault.Refuse(
				fault.Conflict, "The converting amount must be below the post-money valuation cap, "+t.ValuationCap.Amount.String()+".",
			).
				With("amount", exact.RoundHalfUp(amount, exact.Places).String()).With("valuationCap", t.ValuationCap.Amount.String())
		}
		shares = grossUp(part)
	}
	shares.Mul(shares, capitalization(company))
	return priced{conversion.Cap, shares, perShare(amount, shares)}, nil
}

// alone converts at a known price or at the cap.
func (c ConvertInstrument) alone(terms ConvertibleTerms, amount *big.Rat) (priced, error) {
	single := conversion.Single{Amount: amount}
	if c.PricePerShare != nil {
		single.Price = c.PricePerShare.Amount.Rat()
	}
	if terms.Discount != nil {
		single.Discount = *terms.Discount
	}
	if terms.ValuationCap != nil {
		single.Cap = terms.ValuationCap.Amount
	}
	if c.Capitalization != nil {
		single.CapShares = *c.Capitalization
	}
	var faults fault.Fields
	names := map[string]string{"/price": "/pricePerShare", "/capShares": "/capitalization"}
	for _, problem := range single.Faults() {
		pointer, ok := names[problem.Pointer]
		if !ok {
			return priced{}, fault.Refuse(fault.Conflict, problem.Message)
		}
		faults.Add(pointer, problem.Code, problem.Message)
	}
	if err := faults.Err(); err != nil {
		return priced{}, err
	}
	made := single.Convert()
	return priced{made.Basis, made.Shares, made.Price}, nil
}

// priced returns the shares by the fixed terms, independent of other prices. Price is the exact
// fixed price.
func (f *FixedConversion) priced(amount, price *big.Rat, company conversion.Company) priced {
	switch {
	case f.Price != nil:
		return priced{basisFixedPrice, new(big.Rat).Quo(amount, price), price}
	case f.Shares != nil:
		return priced{basisFixedShares, f.Shares.Rat(), new(big.Rat).Quo(amount, f.Shares.Rat())}
	default:
		shares := new(big.Rat).Mul(grossUp(f.Fraction.Rat()), capitalization(company))
		return priced{conversion.FixedPercent, shares, perShare(amount, shares)}
	}
}

// grossUp converts a fraction of the company after a conversion, below 1, into a fraction of the
// company before it.
func grossUp(part *big.Rat) *big.Rat {
	return new(big.Rat).Quo(part, new(big.Rat).Sub(big.NewRat(1, 1), part))
}

// capitalization returns the total of the company before a conversion.
func capitalization(company conversion.Company) *big.Rat {
	return company.Common.Add(company.OptionsGranted).Add(company.OptionsPromised).Add(company.PoolAvailable).Rat()
}

// perShare returns the price of one share. Without shares it returns the whole amount.
func perShare(amount, shares *big.Rat) *big.Rat {
	if shares.Sign() == 0 {
		return amount
	}
	return new(big.Rat).Quo(amount, shares)
}

// inRound solves the round for the company of the day. All outstanding convertibles take part,
// because their prices depend on each other.
func (c ConvertInstrument) inRound(s *State, i *Instrument, company conversion.Company) (priced, error) {
	var faults fault.Fields
	of := func(pointer string, price Price) Decimal {
		if in := price.in(i.Principal.Currency); in.Currency != "" {
			faults.Add(
				pointer, "otherCurrency", "The amounts of the round must be in the currency of the principal, "+i.Principal.Currency+".",
			)
		}
		return price.Amount
	}
	round := conversion.Round{
		Company: company, PreMoney: of("/round/preMoney", c.Round.PreMoney), Convention: c.Round.Convention, Fractional: true,
	}
	for n, money := range c.Round.NewMoney {
		at := strconv.Itoa(n)
		round.NewMoney = append(round.NewMoney, conversion.Investment{ID: at, Amount: of("/round/newMoney/"+at+"/amount", money.Amount)})
	}
	if c.Round.Pool != nil {
		round.Pool = conversion.Pool{Target: c.Round.Pool.Target, Increase: c.Round.Pool.Increase}
	}
	for _, other := range s.instruments.convertibles(c.Date) {
		if other.Principal.Currency != i.Principal.Currency {
			return priced{}, fault.Refuse(
				fault.Conflict, "All convertibles of a round must be in the same currency, "+i.Principal.Currency+".",
			).
				With("holding", other.ID.String())
		}
		amount, _ := other.ConvertingAmount(c.Date)
		converts := other.inRoundAs(other.ConvertibleTerms, amount)
		if other.ID == i.ID && !c.Elects.IsZero() {
			converts.Elects = c.Elects.String()
		}
		round.Convertibles = append(round.Convertibles, converts)
	}
	if err := faults.Err(); err != nil {
		return priced{}, err
	}
	return solved(round, i.ID.String())
}

// inRoundAs returns the instrument as input of a round, with the given terms.
func (i *Instrument) inRoundAs(terms ConvertibleTerms, amount *big.Rat) conversion.Convertible {
	made := conversion.Convertible{ID: i.ID.String(), Amount: amount, CapBasis: conversion.CapBasis(terms.CapBasis), MFN: terms.MFN}
	if terms.ValuationCap != nil {
		made.Cap = terms.ValuationCap.Amount
	}
	if terms.Discount != nil {
		made.Discount = *terms.Discount
	}
	if fixed := terms.FixedConversion; fixed != nil {
		switch {
		case fixed.Fraction != nil:
			made.FixedPercent = *fixed.Fraction
		case fixed.Shares != nil:
			made.FixedShares = fixed.Shares.Rat()
		case fixed.Price != nil:
			made.FixedShares = new(big.Rat).Quo(amount, i.ExactFixedPrice())
		}
	}
	return made
}

// convertibleOn returns the convertible as of the end of the day. It returns false if the instrument
// is no convertible that is outstanding on the day.
func (i *Instrument) convertibleOn(day Date) (*Instrument, bool) {
	was, issued := i.On(day)
	return was, issued && was.IsConvertible() && was.Status.Outstanding()
}

// InSharesOf returns the instrument with its terms in shares of the day.
func (i *Instrument) InSharesOf(day Date) *Instrument {
	was := i.counted(day)
	was.Conversion, was.Exercises = i.Conversion, i.Exercises
	return &was
}

// convertibles returns the convertibles that are outstanding on the day, in issue order and with
// terms in shares of the day.
func (r *instrumentRegister) convertibles(day Date) []*Instrument {
	var all []*Instrument
	for i := range r.records.All() {
		if was, outstanding := i.convertibleOn(day); outstanding {
			all = append(all, was)
		}
	}
	slices.SortFunc(all, func(a, b *Instrument) int {
		if a.issuedAfter(b) {
			return 1
		}
		return -1
	})
	return all
}

// solved solves the round and returns the result for one instrument.
func solved(round conversion.Round, id string) (priced, error) {
	var faults fault.Fields
	for _, problem := range round.Faults() {
		if strings.HasPrefix(problem.Pointer, "/convertibles") || strings.HasPrefix(problem.Pointer, "/company") {
			return priced{}, fault.Refuse(fault.Conflict, problem.Message).With("at", problem.Pointer)
		}
		faults.Add("/round"+problem.Pointer, problem.Code, problem.Message)
	}
	if err := faults.Err(); err != nil {
		return priced{}, err
	}
	solution, err := round.Solve()
	if contradiction := new(conversion.ContradictionError); errors.As(err, &contradiction) {
		return priced{}, fault.Refuse(fault.Conflict, "The terms of the round must not contradict each other: change one of them.").
			With("claims", strings.Join(contradiction.Claims, "; "))
	} else if err != nil {
		return priced{}, err
	}
	n := slices.IndexFunc(solution.Conversions, func(made conversion.Conversion) bool { return made.ID == id })
	made := solution.Conversions[n]
	return priced{made.Basis, made.Shares, made.Price}, nil
}

// companyOn returns the capitalization before a round at the end of the day, as converted: shares,
// granted options, warrants and the available pool. The second result is the part of each holder.
func companyOn(s *State, day Date) (company conversion.Company, held map[EntityID]Decimal) {
	ratios, held := s.classes.dilution(day), map[EntityID]Decimal{}
	for _, holder := range sharesOn(s, day, ratios) {
		for _, p := range holder.BySecurity {
			shares := diluted(p.Shares, p.Security, ratios)
			company.Common = company.Common.Add(shares)
			company.OptionsGranted = company.OptionsGranted.Add(p.diluted.Sub(shares))
			held[holder.Entity] = held[holder.Entity].Add(p.diluted)
		}
	}
	company.PoolAvailable = ungranted(s, day, ratios)
	return company, held
}
