package organization

import (
	"strconv"
	"strings"

	"equity/captable"
)

// CloseRound asks to make a planned round real: see [captable.CloseRound]. Investors who
// were named only become members without roles.
type CloseRound struct{ captable.CloseRound }

func (c CloseRound) decide(s *State, m Moment) ([]Event, error) {
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

// admit makes members of the newcomers, one of each name.
func (c CloseRound) admit(i *importing) (map[string]captable.EntityID, error) {
	var faults captable.Faults
	newcomers := map[string]captable.EntityID{}
	for n, investment := range c.NewMoney {
		investor := investment.Investor
		_, admitted := newcomers[investor.Name]
		if admitted || strings.TrimSpace(investor.Name) == "" || !investor.Entity.IsZero() || !investor.Member.IsZero() {
			continue
		}
		at := "/newMoney/" + strconv.Itoa(n) + "/investor"
		if i.scratch.isHolderNamed(investor.Name) {
			faults.Add(at+"/name", "taken", "There is a holder of this name: name them by entity, or the newcomer otherwise.")
			continue
		}
		entity, err := i.newcomer(investor)
		if err != nil {
			return nil, err
		}
		newcomers[investor.Name] = entity
	}
	return newcomers, faults.Err()
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
