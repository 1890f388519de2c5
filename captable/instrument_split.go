package captable

import (
	"math/big"
	"slices"

	"equity/captable/exact"
)

// splitInstruments restates all figures of instruments that are in shares of the class or priced
// per share: warrants and their exercises, convertibles with a fixed price or number of shares,
// and conversion prices. Ended instruments are restated too; voided ones are not.
func (e SecuritySplit) splitInstruments(s *State, security *Security, stamp Stamp) {
	for i := range s.Copy().Instruments() { // iterate over a copy, because the loop changes the instruments
		switch {
		case i.Status == StatusVoided:
		case i.Security == e.ID:
			s.changeInstrument(i.ID, stamp, func(i *Instrument) { e.changeWarrant(i, security.Places(), stamp) })
		case convertsAt(s, i) == e.ID:
			s.changeInstrument(i.ID, stamp, func(i *Instrument) { e.changeConvertible(i, security.Places()) })
		}
	}
}

// restate applies the recorded splits after the issue to a new instrument, whose terms count in
// shares of the issue date.
func (e InstrumentIssue) restate(s *State, i *Instrument, stamp Stamp) {
	security, known := s.Security(splitClass(&e))
	if !known || !e.OfDay {
		return
	}
	for _, split := range security.splitsAfter(e.IssueDate) {
		if i.Status.Outstanding() && i.ExpiredOn(split.Date) { // a lapse precedes the split, as in [SplitSecurity]
			i.end(StatusExpired, i.ExpirationDate+1, "", stamp)
		}
		if e.IsConvertible() {
			split.changeConvertible(i, security.Places())
		} else {
			split.changeWarrant(i, security.Places(), stamp)
		}
	}
}

// splitClass returns the class whose splits restate a new instrument: that of a warrant, or that of
// the fixed conversion of a convertible.
func splitClass(e *InstrumentIssue) SecurityID {
	if e.FixedConversion != nil {
		return e.FixedConversion.Security
	}
	return e.Security
}

// fitsAfterSplits reports whether the restated figures of a new instrument fit into the number
// format and fixed terms remain above zero.
func (e InstrumentIssue) fitsAfterSplits(s *State) bool {
	i := e.begun(Stamp{})
	e.restate(s, i, Stamp{})
	fits := i.Quantity.Fits() && i.ExercisePrice.fits()
	if fixed := i.FixedConversion; fixed != nil && len(i.Before) > 0 {
		for _, figure := range []*Decimal{fixed.Price, fixed.Shares} {
			fits = fits && (figure == nil || figure.Sign() > 0 && figure.Fits())
		}
	}
	return fits
}

// convertsAt returns the class of a convertible's share-based figures: the class of its fixed
// conversion or of the shares that it became. It returns the zero id if neither exists.
func convertsAt(s *State, i *Instrument) SecurityID {
	if i.FixedConversion != nil {
		return i.FixedConversion.Security
	}
	if i.Conversion != nil {
		if h, known := s.Shareholding(i.Conversion.Shareholding); known {
			return h.Security
		}
	}
	return SecurityID{}
}

// keepCount records the figures before the split.
func (e SecuritySplit) keepCount(i *Instrument) {
	i.count(e.Date)
	past := &i.Before[len(i.Before)-1]
	past.Ratio, past.Exercises, past.FixedConversion = e.Ratio, i.Exercises, i.FixedConversion
	if i.Conversion != nil {
		past.ConversionPrice = new(i.Conversion.PricePerShare)
	}
}

// changeWarrant restates a warrant. A warrant for less than one share ends, and its rest is paid
// in cash.
func (e SecuritySplit) changeWarrant(i *Instrument, places int, stamp Stamp) {
	price, values := e.Ratio.restatedPrice(i.ExercisePrice, i.exercisePrices()), make([]*Price, len(i.Exercises))
	for n := range i.Exercises {
		values[n] = e.Ratio.restatedPrice(i.Exercises[n].MarketValue, i.marketValues(n))
	}
	e.keepCount(i)
	had := !i.Left.IsZero()
	i.Quantity, i.Left, i.ExercisePrice = e.Ratio.apply(i.Quantity, places), e.Ratio.apply(i.Left, places), price
	i.Exercises = slices.Clone(i.Exercises)
	for n := range i.Exercises {
		exercise := &i.Exercises[n]
		exercise.Quantity, exercise.MarketValue = e.Ratio.apply(exercise.Quantity, places), values[n]
	}
	if had && i.Left.IsZero() && i.Status.Outstanding() {
		i.end(StatusCancelled, e.Date, "split", stamp)
	}
}

// changeConvertible restates the fixed terms of a convertible and its conversion price.
func (e SecuritySplit) changeConvertible(i *Instrument, places int) {
	fixed, conversion := i.FixedConversion, i.Conversion
	if fixed != nil {
		fixed = e.ofFixed(i, places)
	}
	if conversion != nil {
		after := *conversion
		after.PricePerShare = e.Ratio.restatedPrice(&Price{Amount: conversion.PricePerShare}, i.conversionPrices()).Amount
		conversion = &after
	}
	e.keepCount(i)
	i.FixedConversion, i.Conversion = fixed, conversion
}

// ofFixed returns the fixed terms of a convertible after the split.
func (e SecuritySplit) ofFixed(i *Instrument, places int) *FixedConversion {
	fixed := *i.FixedConversion
	if fixed.Price != nil {
		fixed.Price = new(e.Ratio.restatedPrice(&Price{Amount: *fixed.Price}, i.fixedPrices()).Amount)
	}
	if fixed.Shares != nil {
		fixed.Shares = new(e.Ratio.apply(*fixed.Shares, places))
	}
	return &fixed
}

// priceOf returns a price without a currency, or nil for a nil amount.
func priceOf(amount *Decimal) *Price {
	if amount == nil {
		return nil
	}
	return &Price{Amount: *amount}
}

func (i *Instrument) exercisePrices() []pastPrice {
	return pastOf(i.Before, func(past WarrantCount) pastPrice { return pastPrice{past.ExercisePrice, past.Ratio} })
}

// marketValues returns the past market values of the exercise with the index.
func (i *Instrument) marketValues(n int) []pastPrice {
	return pastOf(i.Before, func(past WarrantCount) pastPrice {
		if n >= len(past.Exercises) { // another exercise, or a split before the exercise
			return pastPrice{nil, past.Ratio}
		}
		return pastPrice{past.Exercises[n].MarketValue, past.Ratio}
	})
}

func (i *Instrument) conversionPrices() []pastPrice {
	return pastOf(i.Before, func(past WarrantCount) pastPrice { return pastPrice{priceOf(past.ConversionPrice), past.Ratio} })
}

func (i *Instrument) fixedPrices() []pastPrice {
	return pastOf(i.Before, func(past WarrantCount) pastPrice {
		if past.FixedConversion == nil {
			return pastPrice{nil, past.Ratio}
		}
		return pastPrice{priceOf(past.FixedConversion.Price), past.Ratio}
	})
}

// ExactPrice returns the unrounded exercise price, or nil for an instrument without a price.
func (i *Instrument) ExactPrice() *big.Rat { return exactPrice(i.ExercisePrice, i.exercisePrices()) }

// ExactFixedPrice returns the unrounded fixed price of a conversion, or nil if no price is fixed.
func (i *Instrument) ExactFixedPrice() *big.Rat {
	if i.FixedConversion == nil {
		return nil
	}
	return exactPrice(priceOf(i.FixedConversion.Price), i.fixedPrices())
}

// cost returns the cost of the shares, rounded once.
func (i *Instrument) cost(shares Decimal) Decimal {
	return exact.RoundHalfUp(new(big.Rat).Mul(i.ExactPrice(), shares.Rat()), exact.Places)
}

// instrumentsFit reports whether the restated figures of all outstanding instruments fit into the
// number format and fixed terms remain above zero.
func (e SecuritySplit) instrumentsFit(s *State, security *Security) bool {
	for i := range s.Instruments() {
		if !i.Status.Outstanding() {
			continue
		}
		if i.Security == e.ID && !e.Ratio.applyPrice(i.ExercisePrice).fits() {
			return false
		}
		if fixed := i.FixedConversion; fixed != nil && fixed.Security == e.ID {
			after := e.ofFixed(i, security.Places())
			for _, figure := range []*Decimal{after.Price, after.Shares} {
				if figure != nil && (figure.Sign() <= 0 || !figure.Fits()) {
					return false
				}
			}
		}
	}
	return true
}
