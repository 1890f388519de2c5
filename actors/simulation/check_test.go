package simulation_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// record is a recorded execution of a command.
type record struct{ first, last uint64 }

// check checks the finished history.
func (w *world) check() {
	recorded := map[string][]record{}
	for _, id := range w.organizations {
		w.checkJournal(id, recorded)
	}
	for _, op := range w.operations {
		w.checkOperation(op, recorded)
	}
	if w.plan.isSupported() {
		w.checkEffects()
	}
}

// checkJournal replays a journal. It decides each command again on the state before it, and compares views and refusals with the
// states of that time.
func (w *world) checkJournal(id organization.ID, recorded map[string][]record) {
	attempts := map[string]*attempt{}
	var refusals, views []*attempt
	for _, op := range w.operations {
		if op.organization != id {
			continue
		}
		for _, a := range op.attempts {
			attempts[a.marker()] = a
			switch {
			case a.outcome == refused:
				refusals = append(refusals, a)
			case a.outcome == done && op.reads():
				views = append(views, a)
			}
		}
	}
	decoder, state, rows, last := organization.NewSchema(), organization.NewState(), w.store.journals[id], messages.Row{}
	left := 0 // rows of the present command
	for i := 0; ; i++ {
		if left == 0 {
			refusals = w.explain(refusals, state, uint64(i))
		}
		for _, a := range views {
			if a.view.Sequence == uint64(i) {
				w.checkView(a, state, last)
			}
		}
		if i == len(rows) || w.violation != nil {
			break
		}
		row := &rows[i]
		if row.Sequence != last.Sequence+1 || !row.Fits(last.Hash) || row.RecordedAt.Before(last.RecordedAt) {
			w.violate("the rows of a journal form a chain", "row %d of %s does not fit behind row %d", row.Sequence, w.label(id), last.Sequence)
			return
		}
		if row.By != founder && left == 0 {
			if left = w.checkCommand(attempts[row.By], rows[i:], state); left == 0 {
				return
			}
			recorded[row.By] = append(recorded[row.By], record{row.Sequence, row.Sequence + uint64(left) - 1})
		}
		left = max(left-1, 0)
		event, err := decoder.Decode(row.Type, row.Payload)
		if err != nil {
			w.violate("each row can be read", "row %d of %s: %v", row.Sequence, w.label(id), err)
			return
		}
		state.Apply(event, captable.Stamp{Sequence: row.Sequence, At: captable.InstantOf(row.RecordedAt), By: row.By})
		if left == 0 {
			w.checkLimits(id, state, row.Sequence)
		}
		last = *row
	}
	for _, a := range refusals {
		w.violate("a refusal has a reason in a state between the call and the answer", "%s: %v, between %d and %d", a.label(), a.err, a.floor, a.upTo)
	}
}

// checkCommand decides the command of the next rows again, and returns the number of its rows.
func (w *world) checkCommand(a *attempt, rows []messages.Row, state *organization.State) int {
	if a == nil || a.kind == opTrial {
		w.violate("only commands of clients are recorded", "row %d by %s", rows[0].Sequence, rows[0].By)
		return 0
	}
	events, err := redecide(a, state, &rows[0])
	if err != nil {
		w.violate("each recorded command is accepted by the state before it", "%s at %d: %v", a.label(), rows[0].Sequence, err)
		return 0
	}
	for i, event := range events {
		if i >= len(rows) || rows[i].By != rows[0].By || rows[i].Type != event.EventType() {
			w.violate("a command is recorded completely", "%s at %d has not %d events", a.label(), rows[0].Sequence, len(events))
			return 0
		}
	}
	return len(events)
}

// redecide decides the command of an attempt on a state, with the time of the row, or now if row is nil.
func redecide(a *attempt, state *organization.State, row *messages.Row) ([]organization.Event, error) {
	ids := byte(0)
	moment := organization.DecideContext{Now: bubbleStart(), NewID: func() (id [16]byte) {
		ids++
		id[0], id[15] = 0xff, ids
		return id
	}}
	if row != nil {
		moment.Now = row.RecordedAt
	}
	return organization.Decide(state, a.content(), moment)
}

// explain removes the refusals that the state explains.
func (w *world) explain(open []*attempt, state *organization.State, sequence uint64) []*attempt {
	kept := open[:0]
	for _, a := range open {
		if sequence >= a.floor && sequence <= a.upTo && !a.reads() {
			_, err := redecide(a, state, nil)
			expected, given := new(fault.Error), new(fault.Error)
			if errors.As(err, &expected) && errors.As(a.err, &given) && expected.Code == given.Code {
				continue
			}
		}
		kept = append(kept, a)
	}
	return kept
}

// checkView compares a view with the replay of the journal.
func (w *world) checkView(a *attempt, state *organization.State, last messages.Row) {
	if a.view.Hash != last.Hash || !bytes.Equal(a.view.State.Snapshot(), state.Snapshot()) {
		w.violate("a view equals a replay of the journal", "%s at %d", a.label(), last.Sequence)
	}
}

// checkLimits checks the limits of a state.
func (w *world) checkLimits(id organization.ID, state *organization.State, sequence uint64) {
	table := state.Table()
	class, found := table.Security(w.security)
	if !found { // not founded yet
		return
	}
	if !class.AuthorizedShares.Covers(class.Issued.Add(class.Reserved)) || class.Reserved.Sign() < 0 {
		w.violate("at most the authorized shares are issued and reserved", "%s at %d", w.label(id), sequence)
	}
	held := captable.Decimal{}
	for one := range table.Shareholdings() {
		if one.Status.Outstanding() {
			held = held.Add(one.Shares)
		}
	}
	if held.Cmp(class.Outstanding()) != 0 {
		w.violate("the shares of the holders sum to the issued shares", "%s at %d: %s of %s", w.label(id), sequence, held, class.Outstanding())
	}
	_, pool, found := table.Pool(w.pool)
	if !found {
		return
	}
	granted := captable.Decimal{}
	for one := range table.Grants() {
		granted = granted.Add(one.On(day()).Outstanding)
	}
	if pool.Available().Sign() < 0 || granted.Cmp(pool.Outstanding()) != 0 {
		w.violate("a pool covers its grants", "%s at %d: %s of %s are granted", w.label(id), sequence, granted, pool.Reserve)
	}
}

// checkOperation compares the knowledge of the client with the journal.
func (w *world) checkOperation(op *operation, recorded map[string][]record) {
	excluded := func(a *attempt) bool { return !a.repeated && (a.outcome == nothing || a.outcome == refused) }
	all := !slices.ContainsFunc(op.attempts, func(a *attempt) bool { return !excluded(a) })
	for _, a := range op.attempts {
		found, certain := recorded[a.marker()], all || !op.keyed && excluded(a)
		switch {
		case op.reads():
			w.checkRead(a)
		case len(found) > 1:
			w.violate("a command is recorded at most once", "%s is recorded at %v", a.label(), found)
		case a.outcome == done && op.kind == opTrial && a.reply.Sequence < a.floor:
			w.violate("a trial is not behind earlier reads and writes", "%s is as of %d after %d was seen", a.label(), a.reply.Sequence, a.floor)
		case a.outcome == done && op.kind != opTrial && len(a.reply.Events) > 0:
			w.checkAcknowledged(a, found)
		case len(found) == 1 && certain:
			w.violate("a command that was not carried out is not recorded", "%s is recorded at %v", a.label(), found)
		case len(found) == 1 && a.outcome == refused && found[0].last <= a.head && w.plan.isSupported():
			w.violate("a recorded command is not refused when it is repeated with its key", "%s is recorded at %v: %v", a.label(), found, a.err)
		}
		if fault := new(fault.Error); a.outcome == refused && (!errors.As(a.err, &fault) || unexpected(fault)) {
			w.violate("errors have an expected code", "%s: %v", a.label(), a.err)
		}
	}
}

// unexpected reports whether no schedule may lead to the error.
func unexpected(err *fault.Error) bool {
	return err.Code == "internal" || err.Code == messages.ErrDamaged.Code || err.Code == messages.ErrKeyReused.Code || err.Code == messages.ErrClock.Code
}

// checkAcknowledged compares an acknowledgement with the journal.
func (w *world) checkAcknowledged(a *attempt, found []record) {
	switch {
	case len(found) == 0:
		w.violate("an acknowledged command is recorded", "%s was acknowledged with %d", a.label(), a.reply.Sequence)
	case found[0].last != a.reply.Sequence:
		w.violate(
			"an acknowledgement names the recorded events", "%s was acknowledged with %d and is recorded at %v", a.label(),
			a.reply.Sequence, found,
		)
	case found[0].last > a.upTo:
		w.violate(
			"a command is durable before it is acknowledged", "%s was acknowledged with %d when the journal ended at %d", a.label(),
			a.reply.Sequence, a.upTo,
		)
	case uint64(len(a.reply.Events)) != found[0].last-found[0].first+1:
		w.violate("an acknowledgement names the recorded events", "%s has %d events and is recorded at %v", a.label(), len(a.reply.Events), found)
	}
}

// checkRead checks the order of reads and acknowledged writes.
func (w *world) checkRead(a *attempt) {
	switch {
	case a.outcome != done:
	case a.kind == opPast && a.view.Sequence != a.past && (a.view.Sequence > a.past || a.past <= a.floor): // a node may not know the end yet
		w.violate("a read of the past shows its sequence", "%s shows %d instead of %d", a.label(), a.view.Sequence, a.past)
	case a.kind == opRead && a.view.Sequence < a.floor:
		w.violate("a read is not behind earlier reads and writes", "%s shows %d after %d was seen", a.label(), a.view.Sequence, a.floor)
	}
}

// checkEffects checks the order of effects and that each has an event.
func (w *world) checkEffects() {
	for _, name := range []string{mailName, ledgerName} {
		for _, id := range w.organizations {
			wanted, next := w.wanted(name, id), 0
			for _, e := range w.effects {
				if e.consumer != name || e.organization != id {
					continue
				}
				if next < len(wanted) && e.sequence == wanted[next] {
					next++
				} else if next == 0 || e.sequence > wanted[next-1] {
					w.violate("effects are in the order of their events", "%s %d of %s in step %d", name, e.sequence, w.label(id), e.step)
					return
				}
			}
		}
	}
}

// wanted returns the sequences of the events that the consumer wants.
func (w *world) wanted(name string, id organization.ID) (sequences []uint64) {
	kind := (captable.ShareholdingIssued{}).EventType()
	if name == mailName {
		kind = (organization.MemberInvited{}).EventType()
	}
	for i := range w.store.journals[id] {
		if row := &w.store.journals[id][i]; row.Type == kind {
			sequences = append(sequences, row.Sequence)
		}
	}
	return sequences
}

// missing returns the first missing effect, or an empty text.
func (w *world) missing() string {
	if !w.plan.Consumers {
		return ""
	}
	type key struct {
		consumer string
		position
	}
	present := map[key]bool{}
	for _, e := range w.effects {
		present[key{e.consumer, e.position}] = true
	}
	for _, name := range []string{mailName, ledgerName} {
		for _, id := range w.organizations {
			for _, sequence := range w.wanted(name, id) {
				if !present[key{name, position{id, sequence}}] {
					return fmt.Sprintf("the effect of %s for event %d of %s is missing", name, sequence, w.label(id))
				}
			}
		}
	}
	return w.unrepeated()
}
