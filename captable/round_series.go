package captable

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"equity/captable/exact"
	"equity/fault"
)

// ShadowSeries determines the classes of the shares into which convertibles convert in a round.
type ShadowSeries string

const (
	// SeriesPerPrice creates a shadow series for each conversion price other than the price of the
	// round. It is the default of a new preferred class.
	SeriesPerPrice ShadowSeries = "perPrice"
	// SeriesNone issues all shares in the class of the round. Each has the preference of the price
	// paid for it.
	SeriesNone ShadowSeries = "none"
)

// RoundSeries is a shadow series of a round: a class with the terms of the round's class and a
// conversion price as its issue price.
type RoundSeries struct {
	Name   string  `json:"name"`
	Price  Decimal `json:"price"`
	Shares Decimal `json:"shares"`
	// Preference is the liquidation preference of all shares.
	Preference Decimal `json:"preference"`
	// Holdings are the instruments that convert into the series, in the order of their issue.
	Holdings []InstrumentID `json:"holdings"`
}

// perPrice reports whether the round creates a series for each conversion price.
func (t *RoundTerms) perPrice() bool {
	return t.ShadowSeries == SeriesPerPrice || t.ShadowSeries == "" && t.Security.isNewPreferred()
}

func (r *RoundSecurity) isNewPreferred() bool {
	return r.ID.IsZero() && (r.ShareType == "" || r.ShareType == SharePreferred)
}

// checkSeries refuses series of a class that is not new or not preferred.
func (t *RoundTerms) checkSeries(s *State, faults *fault.Fields) {
	if !slices.Contains([]ShadowSeries{"", SeriesPerPrice, SeriesNone}, t.ShadowSeries) {
		faults.Add("/shadowSeries", "enum", "The shadow series must be perPrice or none.")
	}
	if t.ShadowSeries != SeriesPerPrice || t.Security.isNewPreferred() {
		return
	}
	reason := t.Security.Name + " is not preferred."
	if security, known := s.Security(t.Security.ID); known {
		reason = security.Name + " exists."
	}
	faults.Add("/shadowSeries", "notOfType", reason+" Leave out shadowSeries, or name a new preferred class.")
}

// addSeries adds the shadow series in the order of their prices. The names of existing classes are
// skipped.
func (o *RoundOutcome) addSeries(r *round) {
	if !r.terms.perPrice() {
		return
	}
	for i, conversion := range o.Conversions {
		if r.converts[i].FixedConversion != nil || conversion.Shares.IsZero() || conversion.Price.Equal(o.PricePerShare) {
			continue
		}
		at, found := slices.BinarySearchFunc(
			o.ShadowSeries, conversion.Price, func(one RoundSeries, price Decimal) int { return one.Price.Cmp(price) },
		)
		if !found {
			o.ShadowSeries = slices.Insert(o.ShadowSeries, at, RoundSeries{Price: conversion.Price})
		}
		series := &o.ShadowSeries[at]
		series.Shares, series.Holdings = series.Shares.Add(conversion.Shares), append(series.Holdings, conversion.Holding)
	}
	number := 0
	for i := range o.ShadowSeries {
		series := &o.ShadowSeries[i]
		for number++; r.table.classes.securityNamed(r.terms.Security.seriesName(number)) != nil; number++ {
		}
		series.Name = r.terms.Security.seriesName(number)
		series.Preference = figure(new(big.Rat).Mul(r.terms.Security.preference(series.Price), series.Shares.Rat()))
	}
}

func (r *RoundSecurity) seriesName(number int) string {
	return strings.TrimSpace(r.Name) + "-" + strconv.Itoa(number)
}

// preference returns the liquidation preference of a share with the issue price.
func (r *RoundSecurity) preference(price Decimal) *big.Rat {
	multiple := exact.NewDecimal(1)
	if r.LiquidationPreferenceMultiple != nil {
		multiple = *r.LiquidationPreferenceMultiple
	}
	return new(big.Rat).Mul(price.Rat(), multiple.Rat())
}

// series returns the terms of a shadow series: those of the round's class, except for its name, its
// price, its certificate prefix and its authorized shares.
func (r *RoundSecurity) series(of RoundSeries, m DecideContext) SecurityTerms {
	prefix := r.Prefix
	if prefix == "" {
		prefix = initials(r.Name)
	}
	r.Prefix = prefix + strings.TrimPrefix(of.Name, strings.TrimSpace(r.Name))
	r.Name, r.ExternalID, r.Price, r.AuthorizedShares = of.Name, "", &Price{Amount: of.Price}, AuthorizedOf(of.Shares)
	return r.fresh(of.Shares, of.Price, m)
}

// makeSeries creates the shadow series.
func (c *closing) makeSeries() error {
	c.series = map[InstrumentID]SecurityID{}
	for _, planned := range c.outcome.ShadowSeries {
		created, err := c.create(c.Security.series(planned, c.moment))
		if err != nil {
			return err
		}
		for _, holding := range planned.Holdings {
			c.series[holding] = created
		}
	}
	return nil
}
