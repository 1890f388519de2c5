package explain

import (
	"math/big"

	"equity/captable"
	"equity/captable/exact"
)

// fullyDiluted is the path of the fully diluted total, the base of all fully diluted
// percentages.
const fullyDiluted = "total/fullyDiluted"

// partOfAll returns the part as a percentage of the fully diluted total.
func (x *explanation) partOfAll(label string, percent captable.Decimal, part Term) Term {
	whole := Term{
		Label: "All securities, fully diluted", Value: captable.AuthorizedOf(x.table().Totals.FullyDiluted), Operation: OperationFigure,
		Figure: fullyDiluted,
	}
	return Term{
		Label: label + ", part of all fully diluted", Value: captable.AuthorizedOf(percent), Operation: OperationPercentage,
		Terms: []Term{part, whole},
	}
}

// allDiluted explains the fully diluted total as the sum over the securities. Each security
// has a separate explanation, because it may have thousands of terms.
func (x *explanation) allDiluted() Term {
	sum := Term{Label: "All securities, fully diluted", Operation: OperationSum}
	for _, line := range x.table().Securities {
		sum.add(Term{
			Label: line.Name, Value: captable.AuthorizedOf(line.FullyDiluted), Operation: OperationFigure,
			Figure: "security/" + line.ID.String() + "/fullyDiluted",
		})
	}
	return sum
}

// dilutedSecurity explains the fully diluted shares of a class: the positions of all holders
// and the available shares of the pools, as converted.
func (x *explanation) dilutedSecurity(security *captable.Security) Term {
	sum := Term{Label: security.Name + ", fully diluted", Operation: OperationSum}
	for _, holder := range x.table().Holders {
		for _, position := range holder.BySecurity {
			if position.Security == security.ID {
				sum.add(x.dilutedPosition(holder.Entity, security))
			}
		}
	}
	for i := range x.table().Pools {
		if pool := &x.table().Pools[i]; pool.Security == security.ID {
			available := Term{
				Label: pool.PlanName + ", " + pool.Name + ", available", Value: captable.AuthorizedOf(pool.Available),
				Operation: OperationFigure,
				Figure:    "pool/" + pool.Pool.String() + "/available",
			}
			sum.add(x.converted(available, security))
		}
	}
	return sum
}

// dilutedHolder explains the fully diluted shares of a holder in all classes.
func (x *explanation) dilutedHolder(id captable.EntityID, line captable.TableHolder) Term {
	sum := Term{Label: x.name(id) + ", fully diluted", Operation: OperationSum}
	for _, position := range line.BySecurity {
		if security, ok := x.state.Security(position.Security); ok {
			sum.add(x.dilutedPosition(id, security))
		}
	}
	return sum
}

// dilutedPosition explains the shares, options and warrants of a holder in a class, as
// converted.
func (x *explanation) dilutedPosition(id captable.EntityID, security *captable.Security) Term {
	sum := Term{Label: x.name(id) + ", " + security.Name + " with options and warrants", Operation: OperationSum}
	for h := range x.state.ShareholdingsOf(id) {
		if h.Security == security.ID {
			x.hold(&sum, h)
		}
	}
	for grant := range x.state.GrantsOf(id) {
		if grant.Security == security.ID {
			x.holdOption(&sum, grant)
		}
	}
	for i := range x.state.InstrumentsOf(id) {
		if i.Security == security.ID {
			x.holdWarrant(&sum, i)
		}
	}
	return x.converted(sum, security)
}

// converted returns the shares of a class as converted over the chain of its conversions. Shares
// of a class without a conversion are returned unchanged. With a fractional ratio, the product with
// the numerator is divided by the denominator and rounded once.
func (x *explanation) converted(shares Term, security *captable.Security) Term {
	chain := x.state.ConversionChain(security.ID, x.day)
	if len(chain) == 0 {
		return shares
	}
	each := captable.Chained(chain)
	value := exact.RoundDown(new(big.Rat).Mul(shares.Value.Shares.Rat(), each), exact.Places)
	converted := Term{
		Label: shares.Label + ", converted", Value: captable.AuthorizedOf(value), Operation: OperationProduct, Terms: []Term{shares},
	}
	whole := true
	for i, at := 0, security; i < len(chain); i++ {
		converted.Terms = append(converted.Terms, recorded(at.Name+", converts into", chain[i].Ratio, conversionOf(at)))
		whole = whole && chain[i].Ratio.Rat().Cmp(chain[i].Each()) == 0
		at, _ = x.state.Security(chain[i].Security)
	}
	if whole {
		return converted
	}
	converted.Operation = OperationFraction
	parts := func(n *big.Int) captable.Decimal { return exact.RoundDown(new(big.Rat).SetInt(n), 0) }
	converted.Terms = []Term{
		shares, recorded(security.Name+", converts into", parts(each.Num()), conversionOf(security)),
		recorded(security.Name+", for so many shares", parts(each.Denom()), conversionOf(security)),
	}
	return converted
}

// conversionOf refers to the conversion of a class.
func conversionOf(security *captable.Security) Reference {
	return Reference{Kind: kindSecurity, ID: security.ID, Events: []string{
		captable.SecurityCreated{}.EventType(), captable.SecurityChanged{}.EventType(),
		captable.SecuritySplit{}.EventType(), captable.ConversionAdjusted{}.EventType(),
	}}
}

// warrants explains the warrants of a holder over a known class.
func (x *explanation) warrants(id captable.EntityID) Term {
	sum := Term{Label: x.name(id) + ", warrants", Operation: OperationSum}
	for i := range x.state.InstrumentsOf(id) {
		x.holdWarrant(&sum, i)
	}
	return sum
}

// allWarrants explains the warrants of all holders.
func (x *explanation) allWarrants() Term {
	sum := Term{Label: "All warrants", Operation: OperationSum}
	for i := range x.state.Instruments() {
		x.holdWarrant(&sum, i)
	}
	return sum
}

// holdWarrant adds the outstanding shares of a warrant over a known class.
func (x *explanation) holdWarrant(sum *Term, i *captable.Instrument) {
	if left := i.LeftOn(x.day); !left.IsZero() && !i.Security.IsZero() {
		sum.add(Term{
			Label: x.instrumentLabel(i), Value: captable.AuthorizedOf(left), Operation: OperationFigure,
			Figure: "holding/" + i.ID.String() + "/outstanding",
		})
	}
}
