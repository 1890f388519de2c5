package organization

import (
	"strconv"
	"strings"
	"time"

	"equity/captable"
)

// CloseRound asks to make a planned round real: see [captable.CloseRound]. Investors who
// were named only become members without roles.
type CloseRound struct{ captable.CloseRound }

// decide closes a round: newcomers become members and the round is entered, all of it or nothing. It is tried on a
// copy, where each step sees those before it.
func (c CloseRound) decide(s *State, m Moment) ([]Event, error) {
	if s.takenNames(c.RoundTerms) != nil {
		return nil, captable.Refuse(captable.CodeConflict, "A newcomer's name is a holder's by now: plan the round again.")
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

// PlanRound gives what would come of a round: see [captable.State.PlanRound]. Who is named
// only is nobody who is a member already.
func (s *State) PlanRound(terms captable.RoundTerms, now time.Time) (captable.RoundOutcome, error) {
	moment := captable.Moment{Now: now, Register: s, Currency: s.profile.Currency}
	outcome, err := s.Table().PlanRound(terms, moment, s.NameOf)
	if err != nil {
		return outcome, err
	}
	return outcome, s.takenNames(terms).Err()
}

// takenNames notes the newcomers whose name is that of a holder.
func (s *State) takenNames(terms captable.RoundTerms) (faults captable.Faults) {
	for n, investment := range terms.NewMoney {
		if investor := investment.Investor; isNewcomer(investor) && s.isHolderNamed(investor.Name) {
			faults.Add("/newMoney/"+strconv.Itoa(n)+"/investor/name", "taken",
				"There is a holder of this name: name them by entity, or the newcomer otherwise.")
		}
	}
	return faults
}

func isNewcomer(investor captable.RoundInvestor) bool {
	return strings.TrimSpace(investor.Name) != "" && investor.Entity.IsZero() && investor.Member.IsZero()
}

// admit makes members of the newcomers, one of each name.
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

// newcomer makes a member of an investor.
func (i *importing) newcomer(investor captable.RoundInvestor) (captable.EntityID, error) {
	terms := MemberTerms{Kind: investor.Kind, FullName: investor.Name, Relationship: "investor"}
	if terms.Kind == "" {
		terms.Kind = "institution"
	}
	events, err := AddMember{MemberTerms: terms}.decide(i.scratch, i.moment)
	if err != nil {
		return captable.EntityID{}, err
	}
	i.record(events...)
	added, _ := events[0].(MemberAdded) // somebody without an account was no member before
	return added.Member.Entity, nil
}

// isHolderNamed reports whether a member has the name, whatever its case.
func (s *State) isHolderNamed(name string) bool {
	for member := range s.Members() {
		if strings.EqualFold(strings.TrimSpace(name), member.FullName) {
			return true
		}
	}
	return false
}
