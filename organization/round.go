package organization

import (
	"strconv"
	"strings"
	"time"

	"equity/captable"
	"equity/fault"
)

// CloseRound records a planned round: see [captable.CloseRound]. Investors without an entity become members
// without roles.
type CloseRound struct{ captable.CloseRound }

// Decide closes a round completely or not at all: new investors become members, then the round is recorded. It
// works on a copy, where each step sees the previous ones.
func (c CloseRound) Decide(s *State, m DecideContext) ([]Event, error) {
	if s.takenNames(c.RoundTerms) != nil {
		return nil, fault.Refuse(fault.Conflict, "A new investor has the name of a holder. Plan the round again.")
	}
	i := &importing{scratch: s.Copy(), moment: m}
	newcomers, err := c.admit(i)
	if err != nil {
		return nil, err
	}
	c.Newcomers = newcomers
	if _, err := i.Decide(c.CloseRound); err != nil {
		return nil, err
	}
	return i.events, nil
}

// PlanRound returns the outcome of a round: see [captable.State.PlanRound]. The name of a new investor must not
// belong to a present member.
func (s *State) PlanRound(terms captable.RoundTerms, now time.Time) (captable.RoundOutcome, error) {
	moment := captable.DecideContext{Now: now, Register: s, Currency: s.profile.Currency}
	outcome, err := s.Table().PlanRound(terms, moment, s.NameOf)
	if err != nil {
		return outcome, err
	}
	return outcome, s.takenNames(terms).Err()
}

// takenNames returns faults for new investors with the name of a holder.
func (s *State) takenNames(terms captable.RoundTerms) (faults fault.Fields) {
	for n, investment := range terms.NewMoney {
		if investor := investment.Investor; isNewcomer(investor) && s.isHolderNamed(investor.Name) {
			faults.Add("/newMoney/"+strconv.Itoa(n)+"/investor/name", "taken",
				"A holder has this name. Use the holder's entity, or another name for a new investor.")
		}
	}
	return faults
}

func isNewcomer(investor captable.RoundInvestor) bool {
	return strings.TrimSpace(investor.Name) != "" && investor.Entity.IsZero() && investor.Member.IsZero()
}

// admit creates members for the new investors, one per name.
func (c CloseRound) admit(i *importing) (map[string]captable.EntityID, error) {
	newcomers := map[string]captable.EntityID{}
	for _, investment := range c.NewMoney {
		investor := investment.Investor
		if _, admitted := newcomers[investor.Name]; admitted || !isNewcomer(investor) {
			continue
		}
		entity, err := i.newcomer(investor)
		if err != nil {
			return nil, err
		}
		newcomers[investor.Name] = entity
	}
	return newcomers, nil
}

// newcomer creates a member for an investor.
func (i *importing) newcomer(investor captable.RoundInvestor) (captable.EntityID, error) {
	terms := MemberTerms{Kind: investor.Kind, FullName: investor.Name, Relationship: "investor"}
	if terms.Kind == "" {
		terms.Kind = "institution"
	}
	events, err := AddMember{MemberTerms: terms}.Decide(i.scratch, i.moment)
	if err != nil {
		return captable.EntityID{}, err
	}
	i.record(events...)
	added, _ := events[0].(MemberAdded) // an entity without an account cannot be a former member
	return added.Member.Entity, nil
}

// isHolderNamed reports whether a member has the name, case-insensitive.
func (s *State) isHolderNamed(name string) bool {
	for member := range s.Members() {
		if strings.EqualFold(strings.TrimSpace(name), member.FullName) {
			return true
		}
	}
	return false
}
