package captable

import (
	"math/big"
	"slices"
)

// decide validates an ending that a package states. The results sum to the ended shares, times
// the ratio of a split. The balance is the rest. A conversion keeps the holder and changes the
// security; any other ending keeps the security.
func (c ReplaceShareholding) decide(s *State, m Moment) ([]Event, error) {
	if err := c.checkForm(); err != nil {
		return nil, err
	}
	r := replacement{kind: c.Kind, from: c.From, date: c.Date, results: c.Results, balance: c.Balance, said: c.Behavior}
	if !c.Shares.IsZero() {
		r.shares = &c.Shares
	}
	ending, from, err := r.decide(s, m)
	if err != nil {
		return nil, err
	}
	if err := c.checkSums(s, ending, from); err != nil {
		return nil, err
	}
	for _, issue := range ending.Results {
		if err := c.checkResult(from[0], issue); err != nil {
			return nil, err
		}
	}
	ending.Price, ending.ToTreasury, ending.Reason = c.Price.in(m.Currency), c.ToTreasury, c.Reason
	ending.Returns, ending.Source = ending.Returns && !c.ToTreasury, c.Source
	return []Event{*ending}, nil
}

// checkForm refuses a command that is invalid in any state.
func (c ReplaceShareholding) checkForm() error {
	named := make(map[ShareholdingID]bool, len(c.From))
	for _, id := range c.From {
		if named[id] {
			return Refuse(CodeInvalid, "The same shares are named twice.").With("shareholding", id.String())
		}
		named[id] = true
	}
	switch {
	case len(c.From) == 0:
		return Refuse(CodeInvalid, "Nothing is named that ended.")
	case !slices.Contains(endings(), c.Kind):
		return Refuse(CodeInvalid, "This is not a way for shares to end.").With("kind", string(c.Kind))
	case c.Ratio != nil && (c.Ratio.Numerator.Sign() <= 0 || c.Ratio.Denominator.Sign() <= 0):
		return Refuse(CodeInvalid, "Both sides of a ratio are more than zero.")
	case c.ToTreasury && c.Kind != StatusRepurchased:
		return Refuse(CodeInvalid, "Only repurchased shares go to the treasury.")
	default:
		return nil
	}
}

// checkSums checks that no shares are lost. The ended shares and the balance sum to the held
// shares. For a transfer, reissue or consolidation, the results sum to the ended shares.
func (c ReplaceShareholding) checkSums(s *State, ending *Ending, from []*Shareholding) error {
	results, held := Decimal{}, Decimal{}
	for _, issue := range ending.Results {
		results = results.Add(issue.Shares)
	}
	for _, h := range from {
		held = held.Add(h.Shares)
		if h.Security != from[0].Security || h.Entity != from[0].Entity {
			return Refuse(CodeConflict, "Shares of several securities or holders cannot end together.")
		}
	}
	rest := held.Sub(ending.Shares)
	if (c.Balance == nil) != rest.IsZero() || c.Balance != nil && !c.Balance.Shares.Equal(rest) {
		return Refuse(CodeConflict, "The balance is not what remains.").With("remaining", rest.String())
	}
	if ending.Balance != nil && (ending.Balance.Security != from[0].Security || ending.Balance.Entity != from[0].Entity) {
		return Refuse(CodeConflict, "The balance belongs to another holder or security.")
	}
	carries := c.Kind == StatusTransferred || c.Kind == StatusReissued || c.Kind == StatusConsolidated
	if carries && !c.sumUp(s, results, ending.Shares, from[0].Security) {
		return Refuse(CodeConflict, "The results do not sum to the shares that ended.").
			With("results", results.String()).With("ended", ending.Shares.String())
	}
	if c.Kind == StatusConverted && len(ending.Results) == 0 {
		return Refuse(CodeConflict, "A conversion gives shares.")
	}
	return nil
}

// sumUp reports whether the results sum to the ended shares, times the ratio of a split. For a
// class of whole shares, a split may be rounded up or down.
func (c ReplaceShareholding) sumUp(s *State, results, ended Decimal, of SecurityID) bool {
	if c.Ratio == nil {
		return results.Equal(ended)
	}
	off := new(big.Rat).Mul(ended.Rat(), new(big.Rat).Quo(c.Ratio.Numerator.Rat(), c.Ratio.Denominator.Rat()))
	off.Sub(off, results.Rat()).Abs(off)
	security, _ := s.Security(of)
	return off.Sign() == 0 || !security.FractionalShares && off.Cmp(big.NewRat(1, 1)) < 0
}

// checkResult checks the holder and the class of a result.
func (c ReplaceShareholding) checkResult(from *Shareholding, issue Issue) error {
	switch c.Kind {
	case StatusConverted:
		if issue.Entity != from.Entity {
			return Refuse(CodeConflict, "A conversion stays with its holder.")
		}
		if issue.Security == from.Security {
			return Refuse(CodeConflict, "A conversion gives shares of another security.")
		}
	case StatusTransferred, StatusReissued, StatusConsolidated:
		if issue.Security != from.Security {
			return Refuse(CodeConflict, "The results are of another security.")
		}
		if c.Kind != StatusTransferred && issue.Entity != from.Entity {
			return Refuse(CodeConflict, "The results belong to another holder.")
		}
	case StatusCancelled, StatusRepurchased, StatusRetracted, StatusActive, StatusAccepted, StatusVoided, StatusRepaid,
		StatusExercised, StatusReleased, StatusForfeited, StatusExpired:
		return Refuse(CodeConflict, "Nothing comes of shares that were given back.")
	}
	return nil
}
