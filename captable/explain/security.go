package explain

import (
	"equity/captable"
	"equity/fault"
)

// isSum reports whether the total of the figure is a sum over all securities.
func isSum(which string) bool {
	switch which {
	case "authorized", "issued", "outstanding", "treasury", "reserved", "available":
		return true
	default:
		return false
	}
}

// security explains a figure of a class.
func (x *explanation) security(id captable.SecurityID, which string) (Term, error) {
	security, known := x.state.Security(id)
	if !known {
		return Term{}, fault.Refuse(fault.NotFound, "There is no such security.")
	}
	switch which {
	case "authorized":
		return x.authorized(security), nil
	case "issued":
		issued := Term{Label: security.Name + ", issued", Operation: OperationSum}
		issued.add(x.outstanding(security))
		issued.add(x.treasury(security))
		return issued, nil
	case "outstanding":
		return x.outstanding(security), nil
	case "treasury":
		return x.treasury(security), nil
	case "reserved":
		return x.reserved(security), nil
	case "available":
		return less(security.Name+", available", x.authorized(security), x.outstanding(security), x.reserved(security)), nil
	case "percentOutstanding":
		return x.percentage(security.Name+", part of what is outstanding", x.line(id).PercentOutstanding, x.outstanding(security)), nil
	case "fullyDiluted":
		return x.dilutedSecurity(security), nil
	case "percentFullyDiluted":
		return x.partOfAll(security.Name, x.line(id).PercentFullyDiluted, x.dilutedSecurity(security)), nil
	default:
		return Term{}, noFigure(
			"The figure of a security must be authorized, issued, outstanding, treasury, reserved, available, fullyDiluted, percentOutstanding or percentFullyDiluted.")
	}
}

func (x *explanation) line(id captable.SecurityID) *captable.TableSecurity {
	for i := range x.table().Securities {
		if line := &x.table().Securities[i]; line.ID == id {
			return line
		}
	}
	return &captable.TableSecurity{}
}

// outstanding explains the outstanding shares of a class by shareholding.
func (x *explanation) outstanding(security *captable.Security) Term {
	sum := Term{Label: security.Name + ", outstanding", Operation: OperationSum}
	for h := range x.state.Shareholdings() {
		if h.Security == security.ID {
			x.hold(&sum, h)
		}
	}
	return sum
}

// hold adds the shares of a shareholding on the day.
func (x *explanation) hold(sum *Term, h *captable.Shareholding) {
	if shares := h.SharesOn(x.day); !shares.IsZero() {
		sum.add(recorded(h.Certificate+", "+x.name(h.Entity), shares, Reference{Kind: kindShareholding, ID: h.ID}))
	}
}

// authorized explains the authorized shares by the changes of the limit.
func (x *explanation) authorized(security *captable.Security) Term {
	sum := Term{Label: security.Name + ", authorized", Operation: OperationSum}
	last := captable.Authorized{}
	for _, change := range security.Authorizations {
		if change.EffectiveDate > x.day {
			continue
		}
		label := "authorized at the beginning"
		if len(sum.Terms) > 0 {
			label = "changed on " + change.EffectiveDate.String()
		}
		moved := change.Authorized
		if !moved.Unlimited && !last.Unlimited {
			moved.Shares = moved.Shares.Sub(last.Shares)
		}
		if last.Unlimited {
			sum.Terms = nil // a limit that replaces an unlimited one does not depend on earlier limits
		}
		last = change.Authorized
		sum.Terms = append(sum.Terms, Term{
			Label: label, Value: moved,
			Operation: OperationRecorded, Records: []Reference{{Kind: kindSecurity, ID: security.ID, Events: []string{
				captable.SecurityCreated{}.EventType(), captable.SecurityChanged{}.EventType(),
				captable.SharesAuthorized{}.EventType(), captable.SecuritySplit{}.EventType(),
			}}},
		})
	}
	sum.Value = last
	return sum
}

// treasury explains the treasury shares by the net change of each day.
func (x *explanation) treasury(security *captable.Security) Term {
	sum := Term{Label: security.Name + ", treasury", Operation: OperationSum}
	for _, move := range security.TreasuryMoves {
		if move.Date > x.day {
			continue
		}
		sum.add(recorded("came back or was given out on "+move.Date.String(), move.Change, x.movedOn(security, move.Date)...))
	}
	return sum
}

// movedOn returns the records that changed the treasury on the day. These are repurchased and
// retracted shareholdings, shareholdings issued from the treasury or restated by a split, and
// the security itself if it was split.
func (x *explanation) movedOn(security *captable.Security, day captable.Date) (moved []Reference) {
	for h := range x.state.Shareholdings() {
		if h.Security != security.ID {
			continue
		}
		takes := h.End != nil && h.End.Date == day && (h.Status == captable.StatusRepurchased || h.Status == captable.StatusRetracted)
		for _, draw := range h.TreasuryDraws() {
			takes = takes || draw.Date == day && !draw.Change.IsZero()
		}
		if takes {
			moved = append(moved, Reference{Kind: kindShareholding, ID: h.ID})
		}
	}
	return append(moved, x.splitOn(security.ID, day)...)
}

// reserved explains the shares of the class that are reserved for pools, for grants outside a
// plan or from a pool of another class, and for warrants.
func (x *explanation) reserved(security *captable.Security) Term {
	sum := Term{Label: security.Name + ", reserved", Operation: OperationSum}
	for i := range x.table().Pools {
		pool := &x.table().Pools[i]
		if pool.Security == security.ID && !pool.Reserved().IsZero() {
			sum.add(Term{
				Label: pool.PlanName + ", " + pool.Name, Value: captable.AuthorizedOf(pool.Reserved()), Operation: OperationFigure,
				Figure: "pool/" + pool.Pool.String() + "/reserved",
			})
		}
	}
	for _, grant := range x.state.GrantsReserved(security.ID) {
		x.holdOption(&sum, grant)
	}
	for i := range x.state.Instruments() {
		if left := i.LeftOn(x.day); i.Security == security.ID && !left.IsZero() {
			sum.add(Term{
				Label: x.instrumentLabel(i), Value: captable.AuthorizedOf(left), Operation: OperationFigure,
				Figure: "holding/" + i.ID.String() + "/outstanding",
			})
		}
	}
	return sum
}
