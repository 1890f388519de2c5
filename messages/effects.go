package messages

import (
	"equity/captable"
	"equity/organization"
)

// FormerHolders lists holders that the events may leave without equity although the
// events do not name them: a correction may replace the holder, and a split may leave
// less than one share. State is the state before the events.
func FormerHolders(events []organization.Event, state *organization.State) []captable.EntityID {
	var former []captable.EntityID
	for _, event := range events {
		table, is := event.(organization.TableEvent)
		if !is {
			continue
		}
		switch e := table.Event.(type) {
		case captable.ShareholdingCorrected:
			if old, ok := state.Table().Shareholding(e.ID); ok && old.Entity != e.Entity {
				former = append(former, old.Entity)
			}
		case captable.OptionCorrected:
			if old, ok := state.Table().Grant(e.ID); ok && old.Entity != e.Entity {
				former = append(former, old.Entity)
			}
		case captable.InstrumentCorrected:
			if old, ok := state.Table().Instrument(e.ID); ok && old.Entity != e.Entity {
				former = append(former, old.Entity)
			}
		case captable.SecuritySplit:
			former = append(former, holdersOf(e.ID, state.Table())...)
		}
	}
	return former
}

// holdersOf lists the holders of shares, grants and warrants of the security.
func holdersOf(security captable.SecurityID, table *captable.State) (holders []captable.EntityID) {
	for h := range table.Shareholdings() {
		if h.Security == security && h.Status.Outstanding() {
			holders = append(holders, h.Entity)
		}
	}
	for grant := range table.Grants() {
		if grant.Security == security && grant.Status.Outstanding() {
			holders = append(holders, grant.Entity)
		}
	}
	for instrument := range table.Instruments() {
		if instrument.Security == security && instrument.Status.Outstanding() {
			holders = append(holders, instrument.Entity)
		}
	}
	return holders
}

// AddStakes records whether each of the entities holds equity; see AddEffects.
func (a *Append) AddStakes(before *organization.State, entities []captable.EntityID, after *organization.State) {
	for _, entity := range entities {
		a.stake(before, entity, after)
	}
}

// AddEffects adds the rows that are stored with the events: new records, started and
// ended memberships, and changed holdings, as of the state after the events. Before is
// the state before the whole append, or nil. Entities that held equity in it and still
// hold equity are omitted.
func (a *Append) AddEffects(before *organization.State, events []organization.Event, after *organization.State) {
	for _, event := range events {
		for _, created := range event.Creates() {
			a.Resources = append(a.Resources, Resource{ID: created.ID, Kind: created.Kind})
		}
		for _, record := range event.Records(after) {
			switch r := record.(type) {
			case *captable.Shareholding:
				a.stake(before, r.Entity, after)
			case *captable.Grant:
				a.stake(before, r.Entity, after)
			case *captable.Instrument:
				a.stake(before, r.Entity, after)
			case *organization.Member:
				a.member(r, after)
			}
		}
	}
}

// AddMails adds the contents of the mails that are caused by the events, as sealed values. The mail consumer sends them.
func (a *Append) AddMails(events []organization.Event, mails []EventMail) {
	if len(mails) == 0 {
		return
	}
	byCause := make(map[[32]byte]EventMail, len(mails))
	for i := range mails {
		byCause[mails[i].Cause] = mails[i]
	}
	for _, event := range events {
		mailing, is := event.(organization.Mailing)
		if !is {
			continue
		}
		if mail, found := byCause[mailing.MailCause()]; found {
			a.Sealed = append(a.Sealed, mail.sealed())
		}
	}
}

func (a *Append) member(m *organization.Member, after *organization.State) {
	if !m.User.IsZero() {
		_, member := after.MemberBy(m.User)
		a.Memberships = append(a.Memberships, Membership{User: m.User, Entity: m.Entity, Member: member})
	}
}

// stake records the holding of an entity. Each entity has one entry per batch, with its last state.
func (a *Append) stake(before *organization.State, entity captable.EntityID, after *organization.State) {
	holds := after.Table().Holds(entity)
	if i, noted := a.staked[entity]; noted {
		a.Stakes[i].Holds = holds
		return
	}
	if holds && before != nil && before.Table().Holds(entity) {
		return
	}
	if a.staked == nil {
		a.staked = map[captable.EntityID]int{}
	}
	a.staked[entity] = len(a.Stakes)
	a.Stakes = append(a.Stakes, Stake{Entity: entity, Holds: holds})
}

// Refresh judges the memberships and holdings again, by another state after the append.
func (a *Append) Refresh(after *organization.State) {
	for i := range a.Memberships {
		_, a.Memberships[i].Member = after.MemberBy(a.Memberships[i].User)
	}
	for i := range a.Stakes {
		a.Stakes[i].Holds = after.Table().Holds(a.Stakes[i].Entity)
	}
}

// Merge adds an append that follows this one. Its effects were judged by the state at the end of this one.
func (a *Append) Merge(next Append) {
	for _, pack := range next.Packs {
		pack.From += len(a.Rows)
		a.Packs = append(a.Packs, pack)
	}
	a.Rows = append(a.Rows, next.Rows...)
	a.Resources = append(a.Resources, next.Resources...)
	a.Memberships = append(a.Memberships, next.Memberships...)
	a.Particulars = append(a.Particulars, next.Particulars...)
	a.Sealed = append(a.Sealed, next.Sealed...)
	for _, wake := range next.Wakes {
		a.Wake(wake)
	}
	if a.staked == nil {
		a.staked = map[captable.EntityID]int{}
	}
	for _, stake := range next.Stakes {
		if i, noted := a.staked[stake.Entity]; noted {
			a.Stakes[i].Holds = stake.Holds
			continue
		}
		a.staked[stake.Entity] = len(a.Stakes)
		a.Stakes = append(a.Stakes, stake)
	}
}

// Wake adds the consumer, or extends its range of events if it is in the append already.
func (a *Append) Wake(wake Wake) {
	for i := range a.Wakes {
		if known := &a.Wakes[i]; known.Consumer == wake.Consumer {
			known.First, known.Last, known.Armed = min(known.First, wake.First), max(known.Last, wake.Last), known.Armed && wake.Armed
			return
		}
	}
	a.Wakes = append(a.Wakes, wake)
}
