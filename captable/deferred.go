package captable

import (
	"math"

	"equity/fault"
)

// The commands of an import that checks the limits once, for the complete history. The limits
// are those of [State.checkDays]: they hold at the end of each day, so that the order of the
// commands within the history does not matter. See ruling 57.
type (
	// DeferLimits decides a command without a check of the limits. Shares come from the treasury
	// only if the command states so.
	DeferLimits struct{ Command }
	// CheckLimits refuses a history in which a day exceeds a limit. It has no events, except
	// unrecorded lapses whose shares are necessary.
	CheckLimits struct{}
)

// decide decides the command on a copy of the state that does not check limits. The copy shares
// all records with the state.
func (c DeferLimits) decide(s *State, m DecideContext) ([]Event, error) {
	free := *s
	free.classes.unlimited = true
	return c.Command.decide(&free, m)
}

func (CheckLimits) decide(s *State, _ DecideContext) ([]Event, error) {
	for security := range s.Securities() {
		if day, short := security.firstShort(math.MinInt32, Decimal{}); short {
			limit, used := security.authorizedOn(day), security.used.On(day)
			return nil, onDay(insufficient("There are not enough authorized shares.", limit, used), day, limit, used).
				With("security", security.ID.String())
		}
		held := Decimal{}
		for _, move := range security.TreasuryMoves {
			if held = held.Add(move.Change); held.Sign() < 0 {
				return nil, insufficient(
					"There are not enough shares in the treasury.", AuthorizedOf(held.Sub(move.Change)), move.Change.Neg(),
				).
					With("security", security.ID.String()).With("date", move.Date.String())
			}
		}
		if !security.Issued.Add(security.Reserved).Fits() {
			return nil, fault.Refuse(
				fault.Conflict, "The issued and reserved shares must have at most 19 digits before the decimal point.",
			).
				With("security", security.ID.String())
		}
	}
	for plan := range s.Plans() {
		if err := plan.checkDays(&Plan{}, ""); err != nil {
			return nil, err
		}
	}
	return nil, nil
}
