package captable

import (
	"math/big"

	"equity/captable/exact"
)

// fullyDiluted is the path of the figure of which percentages of everything are parts.
const fullyDiluted = "total/fullyDiluted"

// partOfAll is a part of everything that is outstanding or may come to be.
func (x *explanation) partOfAll(label string, percent Decimal, part Term) Term {
	whole := Term{
		Label: "All securities, fully diluted", Value: AuthorizedOf(x.table().Totals.FullyDiluted), Operation: OperationFigure, Figure: fullyDiluted,
	}
	return Term{Label: label + ", part of all fully diluted", Value: AuthorizedOf(percent), Operation: OperationPercentage, Terms: []Term{part, whole}}
}

// allDiluted is the sum over the securities. What each is made of may be thousands of
// terms, and is its own explanation.
func (x *explanation) allDiluted() Term {
	sum := Term{Label: "All securities, fully diluted", Operation: OperationSum}
	for _, line := range x.table().Securities {
		sum.add(Term{
			Label: line.Name, Value: AuthorizedOf(line.FullyDiluted), Operation: OperationFigure, Figure: "security/" + line.ID.String() + "/fullyDiluted",
		})
	}
	return sum
}

// dilutedSecurity is what holders have of a class or may get of it, and what pools may
// still grant, as what that converts into.
func (x *explanation) dilutedSecurity(security *Security) Term {
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
				Label: pool.PlanName + ", " + pool.Name + ", available", Value: AuthorizedOf(pool.Available), Operation: OperationFigure,
				Figure: "pool/" + pool.Pool.String() + "/available",
			}
			sum.add(x.converted(available, security))
		}
	}
	return sum
}

// dilutedHolder is what a holder has or may get of every class.
func (x *explanation) dilutedHolder(id EntityID, line TableHolder) Term {
	sum := Term{Label: x.name(id) + ", fully diluted", Operation: OperationSum}
	for _, position := range line.BySecurity {
		if security, ok := x.state.Security(position.Security); ok {
			sum.add(x.dilutedPosition(id, security))
		}
	}
	return sum
}

// dilutedPosition adds up a holder's shares of the class, options and warrants.
func (x *explanation) dilutedPosition(id EntityID, security *Security) Term {
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

// converted returns so many shares of a class as the shares that they convert into; the
// shares themselves if the class does not convert. The ratio is a fraction: the product with
// its numerator is divided by its denominator, and rounded once.
func (x *explanation) converted(shares Term, security *Security) Term {
	conversion := security.conversionOn(x.day)
	if conversion == nil {
		return shares
	}
	from := Reference{Kind: kindSecurity, ID: security.ID, Events: []string{
		SecurityCreated{}.EventType(), SecurityChanged{}.EventType(), SecuritySplit{}.EventType(), ConversionAdjusted{}.EventType(),
	}}
	each := conversion.Each()
	value := exact.RoundDown(new(big.Rat).Mul(shares.Value.Shares.Rat(), each), exact.Places)
	converted := Term{Label: shares.Label + ", converted", Value: AuthorizedOf(value), Operation: OperationProduct}
	if conversion.Ratio.Rat().Cmp(each) == 0 {
		converted.Terms = []Term{shares, recorded(security.Name+", converts into", conversion.Ratio, from)}
		return converted
	}
	converted.Operation = OperationFraction
	converted.Terms = []Term{
		shares, recorded(security.Name+", converts into", conversion.Fraction.Numerator, from),
		recorded(security.Name+", for so many shares", conversion.Fraction.Denominator, from),
	}
	return converted
}

// warrants lists a holder's warrants of a known class.
func (x *explanation) warrants(id EntityID) Term {
	sum := Term{Label: x.name(id) + ", warrants", Operation: OperationSum}
	for i := range x.state.InstrumentsOf(id) {
		x.holdWarrant(&sum, i)
	}
	return sum
}

// allWarrants lists those of everybody.
func (x *explanation) allWarrants() Term {
	sum := Term{Label: "All warrants", Operation: OperationSum}
	for i := range x.state.Instruments() {
		x.holdWarrant(&sum, i)
	}
	return sum
}

// holdWarrant adds what a warrant gives on the day of a class that is known.
func (x *explanation) holdWarrant(sum *Term, i *Instrument) {
	if left := i.LeftOn(x.day); !left.IsZero() && !i.Security.IsZero() {
		sum.add(Term{
			Label: x.instrumentLabel(i), Value: AuthorizedOf(left), Operation: OperationFigure, Figure: "holding/" + i.ID.String() + "/outstanding",
		})
	}
}
