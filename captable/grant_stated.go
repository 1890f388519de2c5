package captable

// SettleGrant records shares that resulted from a grant elsewhere, as stated by an imported
// package. The quantity is checked against the outstanding options, not against vesting.
type SettleGrant struct {
	ID GrantID
	// Kind is exercised or released.
	Kind     Status
	Quantity Decimal
	Date     Date
	// Result is the issued shareholding. It has the class of the grant and at most the quantity of
	// the command.
	Result Result
	Source *Source
}

func (c SettleGrant) decide(s *State, m Moment) ([]Event, error) {
	grant, err := s.grants.outstanding(c.ID)
	if err != nil {
		return nil, err
	}
	var faults Faults
	security, _ := s.Security(grant.Security)
	checkTaking(s, &faults, m, grant, c.Date)
	checkShares(&faults, "/quantity", c.Quantity, security)
	if c.Result.Security != grant.Security {
		faults.Add("/results/0/security", "otherSecurity", "What comes of a grant is of the class of its pool.")
	}
	if holder := c.Result.Holder; holder.Entity != grant.Entity {
		faults.Add("/results/0/entity", "otherHolder", "What comes of a grant is its holder's.")
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	figures := grant.On(c.Date)
	if figures.Outstanding.Cmp(c.Quantity) < 0 || c.Quantity.Cmp(c.Result.Shares) < 0 {
		return nil, figures.notExercisable(c.Quantity)
	}
	event := OptionExercised{ID: c.ID, Withheld: c.Quantity.Sub(c.Result.Shares), Source: c.Source}
	event.Taking = Taking{Kind: c.Kind, Date: c.Date, Quantity: c.Quantity}
	if c.Kind == StatusExercised {
		event.Taking.Unvested = figures.Exercised.Add(c.Quantity).Sub(figures.Vested).Max(Decimal{}).Min(c.Quantity)
	}
	freed := room{grant.Security, c.Quantity} // the reserve of the pool covers the shares
	event.Result, err = enterResult(s, c.Result, c.Date, m, "/results/0", &freed)
	event.Taking.Shareholding = event.Result.ID
	return []Event{event}, err
}
