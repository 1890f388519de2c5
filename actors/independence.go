package actors

import (
	"bytes"
	"encoding/hex"
	"sync"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// concurrentWrite is a command that was recorded while a bulk was being decided.
type concurrentWrite struct {
	command *messages.Command
	events  []organization.Event
	ids     [][16]byte // the generated ids, in order
}

// independence checks whether the events of a bulk may follow those of the commands recorded meanwhile, although the bulk
// was decided without them. They may if
//
//   - each of the commands has the same events when it is decided after the bulk, with the same ids: no limit, name or
//     number that both use separates the two orders;
//   - the events of both mention no common record, and none changes the profile or the configuration: applied in either
//     order they lead to the same state.
//
// The state is then one that the commands reach in an order in which each of them was decided on the state before it.
type independence struct {
	settings  *Settings
	state     *organization.State // after the bulk and the checked commands
	sequence  uint64
	mentioned map[[16]byte]struct{} // ids in the events of the bulk
}

// check checks commands. They follow those of the previous check.
func (b *bulk) check(commands []concurrentWrite) {
	if b.independence == nil {
		b.independence = &independence{b.recorder.settings, b.recorder.state, b.recorder.head.sequence, map[[16]byte]struct{}{}}
		for i := range b.append.Rows {
			for id := range mentions(b.append.Rows[i].Payload) {
				b.independence.mentioned[id] = struct{}{}
			}
		}
	}
	for i := range commands {
		if !b.independence.holds(&commands[i]) {
			b.dependent = true
			return
		}
	}
}

// holds reports whether the command is independent, and applies its events.
func (n *independence) holds(one *concurrentWrite) bool {
	m, ids := one.command, one.ids
	moment := n.settings.context(m, func() (id [16]byte) {
		if len(ids) > 0 {
			id, ids = ids[0], ids[1:]
		}
		return id
	})
	events, err := organization.Decide(n.state, m.Body, moment)
	if err != nil || len(events) != len(one.events) || len(ids) > 0 {
		return false
	}
	for i, event := range events {
		payload := payloadOf(event)
		if event.EventType() != one.events[i].EventType() || !bytes.Equal(payload, payloadOf(one.events[i])) || !n.apart(event, payload) {
			return false
		}
	}
	for _, event := range events {
		n.sequence++
		n.state.Apply(event, captable.Stamp{Sequence: n.sequence, At: captable.InstantOf(m.At), By: m.By})
	}
	return true
}

// apart reports whether the event and the bulk concern different records.
func (n *independence) apart(event organization.Event, payload []byte) bool {
	switch event := event.(type) {
	case organization.Changed:
		return false
	case organization.TableEvent:
		if _, is := event.Event.(captable.ConfigurationChanged); is {
			return false
		}
	}
	mentioned := false
	for id := range mentions(payload) {
		if _, shared := n.mentioned[id]; shared {
			return false
		}
		mentioned = true
	}
	return mentioned // an event without an id could concern everything
}

// The positions of the hyphens in an id as text, and its length.
const (
	idLength = 36
	hyphens  = "\x08\x0d\x12\x17"
)

// mentions returns the ids that occur as texts in the JSON.
func mentions(text []byte) func(func([16]byte) bool) {
	return func(yield func([16]byte) bool) {
		for {
			at := bytes.IndexByte(text, '-') // the first hyphen of an id follows its quotation mark and 8 digits
			if at < 0 {
				return
			}
			begin := at - int(hyphens[0])
			if begin < 1 || begin+idLength >= len(text) || text[begin-1] != '"' || text[begin+idLength] != '"' {
				text = text[at+1:]
				continue
			}
			if id, ok := idOf(text[begin : begin+idLength]); ok {
				if !yield(id) {
					return
				}
				text = text[begin+idLength:]
				continue
			}
			text = text[at+1:]
		}
	}
}

func idOf(text []byte) (id [16]byte, ok bool) {
	var digits [2 * len(id)]byte
	n := 0
	for i, digit := range text {
		if bytes.IndexByte([]byte(hyphens), byte(i)) >= 0 {
			if digit != '-' {
				return id, false
			}
			continue
		}
		if n == len(digits) {
			return id, false
		}
		digits[n] = digit
		n++
	}
	_, err := hex.Decode(id[:], digits[:n])
	return id, err == nil
}

// move moves the rows of the bulk behind the head of next, which has the state before them. Payloads and packs do not
// depend on the position. Hashes and records do; they are computed on two processors.
func (b *bulk) move(next recorder) {
	b.base = next.head
	b.recorder.state, b.independence = nil, nil // garbage
	at := next.time()
	var group sync.WaitGroup
	var failed error
	group.Go(func() {
		failed = contained(func() error {
			for i, event := range b.events {
				next.state.Apply(event, captable.Stamp{
					Sequence: b.base.sequence + uint64(i) + 1, At: captable.InstantOf(at), By: b.command.By,
				})
			}
			return nil
		})
	})
	for i := range b.append.Rows {
		row := &b.append.Rows[i]
		row.Sequence, row.RecordedAt = next.head.sequence+1, at
		row.SealCovered(next.head.hash, b.recorder.covered[i])
		next.head = head{row.Sequence, row.Hash, at}
	}
	group.Wait()
	if failed != nil {
		b.err = failed
		return
	}
	b.append.Refresh(next.state)
	b.recorder, b.reply.Sequence = next, next.head.sequence
	if b.reply.Events != nil {
		b.reply.Result = resultOf(b.command, b.events, next.state)
	}
}
