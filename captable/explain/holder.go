package explain

import (
	"equity/captable"
	"equity/fault"
)

// holder explains a figure of a holder. An entity with earlier holdings and none on the day
// has figures of 0. An entity without any holding by the day is refused.
func (x *explanation) holder(id captable.EntityID, which string) (Term, error) {
	line, held := x.holderLine(id)
	if !held && !x.known(id) {
		return Term{}, fault.Refuse(fault.NotFound, "There is no such holder.")
	}
	switch which {
	case "shares":
		return x.shares(id), nil
	case "options":
		return x.options(id), nil
	case "warrants":
		return x.warrants(id), nil
	case "fullyDiluted":
		return x.dilutedHolder(id, line), nil
	case "percentOutstanding":
		return x.percentage(x.name(id)+", part of what is outstanding", line.PercentOutstanding, x.shares(id)), nil
	case "percentFullyDiluted":
		return x.partOfAll(x.name(id), line.PercentFullyDiluted, x.dilutedHolder(id, line)), nil
	default:
		return Term{}, noFigure(
			"The figure of a holder must be shares, options, warrants, fullyDiluted, percentOutstanding or percentFullyDiluted.",
		)
	}
}

func (x *explanation) holderLine(id captable.EntityID) (captable.TableHolder, bool) {
	for _, line := range x.table().Holders {
		if line.Entity == id {
			return line, true
		}
	}
	return captable.TableHolder{}, false
}

// known reports whether anything was issued to the entity by the day.
func (x *explanation) known(id captable.EntityID) bool {
	for h := range x.state.ShareholdingsOf(id) {
		if h.IssueDate <= x.day {
			return true
		}
	}
	for grant := range x.state.GrantsOf(id) {
		if grant.IssueDate <= x.day {
			return true
		}
	}
	for i := range x.state.InstrumentsOf(id) {
		if i.IssueDate <= x.day {
			return true
		}
	}
	return false
}

// options explains the outstanding grants of a holder.
func (x *explanation) options(id captable.EntityID) Term {
	sum := Term{Label: x.name(id) + ", options", Operation: OperationSum}
	for grant := range x.state.GrantsOf(id) {
		x.holdOption(&sum, grant)
	}
	return sum
}

// holdOption adds the outstanding quantity of a grant.
func (x *explanation) holdOption(sum *Term, grant *captable.Grant) {
	if left := grant.LeftOn(x.day); !left.IsZero() {
		sum.add(Term{
			Label: x.grantLabel(grant), Value: captable.AuthorizedOf(left), Operation: OperationFigure,
			Figure: "option/" + grant.ID.String() + "/outstanding",
		})
	}
}

// shares explains the shares of a holder by security.
func (x *explanation) shares(id captable.EntityID) Term {
	sum := Term{Label: x.name(id) + ", shares", Operation: OperationSum}
	for security := range x.state.Securities() {
		part := Term{Label: x.name(id) + ", " + security.Name, Operation: OperationSum}
		for h := range x.state.ShareholdingsOf(id) {
			if h.Security == security.ID {
				x.hold(&part, h)
			}
		}
		if len(part.Terms) > 0 {
			sum.add(part)
		}
	}
	return sum
}

// percentage returns the part as a percentage of all outstanding shares. The total has a
// separate explanation, because it may have thousands of terms.
func (x *explanation) percentage(label string, percent captable.Decimal, part Term) Term {
	const total = "total/outstanding"
	whole := Term{
		Label: "All securities, outstanding", Value: captable.AuthorizedOf(x.table().Totals.Outstanding), Operation: OperationFigure,
		Figure: total,
	}
	return Term{Label: label, Value: captable.AuthorizedOf(percent), Operation: OperationPercentage, Terms: []Term{part, whole}}
}
