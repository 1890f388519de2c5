package actors_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/anishathalye/porcupine"

	"equity/captable"
	"equity/captable/exact"
	"equity/messages"
	"equity/organization"
)

// The model is a list of certificates by serial number. Each has a holder and a
// quantity, which is 0 after it ended. A state is encoded as text, which makes it
// comparable and immutable.

// wish is an operation of the model: an issue, a transfer or a read.
type wish struct {
	kind   string // issue, transfer, read
	to     string
	serial int // the transferred certificate
	shares int64
}

// told is the outcome reported to the caller of an operation.
type told struct {
	outcome string // done, refused, unknown, nothing; for a read the state
	serials []int  // that an issue or a transfer brought into being
}

const limit = 60 // authorized shares of the model's security

// certificates is a decoded state.
type certificates []certificate

type certificate struct {
	holder string
	shares int64
}

func (c certificates) pack() string {
	var text strings.Builder
	for _, one := range c {
		fmt.Fprintf(&text, "%s%d ", one.holder, one.shares)
	}
	return text.String()
}

func unpack(state string) certificates {
	var list certificates
	for field := range strings.FieldsSeq(state) {
		one := certificate{holder: field[:1]}
		_, _ = fmt.Sscan(field[1:], &one.shares)
		list = append(list, one)
	}
	return list
}

func (c certificates) sum() (sum int64) {
	for _, one := range c {
		sum += one.shares
	}
	return sum
}

// carry returns the state after the operation and the new serial numbers, or false if it
// must be refused.
func (c certificates) carry(w wish) (certificates, []int, bool) {
	next := slices.Clone(c)
	switch w.kind {
	case "issue":
		if c.sum()+w.shares > limit {
			return nil, nil, false
		}
		return append(next, certificate{w.to, w.shares}), []int{len(c) + 1}, true
	default:
		if w.serial > len(c) {
			return nil, nil, false
		}
		from := c[w.serial-1]
		if from.shares < w.shares || from.holder == w.to {
			return nil, nil, false
		}
		next[w.serial-1].shares = 0
		next = append(next, certificate{w.to, w.shares})
		serials := []int{len(next)}
		if rest := from.shares - w.shares; rest > 0 {
			next = append(next, certificate{from.holder, rest})
			serials = append(serials, len(next))
		}
		return next, serials, true
	}
}

// step lists the possible states after the operation, or no states if its answer is
// impossible.
func step(state, input, output any) []any {
	w, heard := input.(wish), output.(told)
	if w.kind == "read" {
		if heard.outcome == state {
			return []any{state}
		}
		return nil
	}
	next, serials, possible := unpack(state.(string)).carry(w)
	switch {
	case heard.outcome == "nothing", heard.outcome == "refused" && !possible:
		return []any{state}
	case heard.outcome == "done" && possible && slices.Equal(serials, heard.serials):
		return []any{next.pack()}
	case heard.outcome == "unknown" && possible:
		return []any{state, next.pack()}
	case heard.outcome == "unknown":
		return []any{state}
	default:
		return nil
	}
}

func model() porcupine.Model {
	return (&porcupine.NondeterministicModel{
		Init: func() []any { return []any{""} },
		Step: step,
		DescribeOperation: func(input, output any) string {
			return fmt.Sprintf("%+v → %+v", input, output)
		},
	}).ToModel()
}

// historian records the operations and outcomes of callers in order.
type historian struct {
	*company
	clock      atomic.Int64
	mu         sync.Mutex
	operations []porcupine.Operation
	ids        sync.Map // serial number → shareholding id
}

func (h *historian) note(client int, w wish, run func() told) {
	call := h.clock.Add(1)
	heard := run()
	end := h.clock.Add(1)
	if heard.outcome == "unknown" {
		end = 1 << 60 // it may take effect at any later time
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.operations = append(h.operations, porcupine.Operation{ClientId: client, Input: w, Call: call, Output: heard, Return: end})
}

// holdings returns the outstanding shareholdings in the reply to an issue or a transfer.
func holdings(reply messages.Reply) []*captable.Shareholding {
	if issued, err := messages.ResultOf[*captable.Shareholding](reply); err == nil {
		return []*captable.Shareholding{issued}
	}
	ended, err := messages.ResultOf[captable.EndedShares](reply)
	if err == nil && ended.Balance != nil {
		return append(ended.Results, ended.Balance)
	}
	return ended.Results
}

func (h *historian) heard(reply messages.Reply, err error) told {
	if err != nil {
		switch {
		case errors.Is(err, messages.ErrOutcomeUnknown):
			return told{outcome: "unknown"}
		case errors.Is(err, messages.ErrUnavailable):
			return told{outcome: "nothing"}
		default:
			return told{outcome: "refused"}
		}
	}
	heard := told{outcome: "done"}
	for _, one := range holdings(reply) {
		heard.serials = append(heard.serials, int(one.SerialNumber))
		h.ids.Store(int(one.SerialNumber), one.ID)
	}
	slices.Sort(heard.serials)
	return heard
}

// read returns the state shown by the view.
func (h *historian) read() told {
	view, err := h.View(context.Background(), h.id)
	if err != nil {
		return told{outcome: "nothing"}
	}
	return told{outcome: h.state(view.State)}
}

func (h *historian) state(state *organization.State) string {
	list := make(certificates, 0, 32)
	for one := range state.Table().Shareholdings() {
		for len(list) < int(one.SerialNumber) {
			list = append(list, certificate{})
		}
		found := certificate{holder: h.letter(one.Entity)}
		if one.Status.Outstanding() {
			_, _ = fmt.Sscan(one.Shares.String(), &found.shares)
		}
		list[one.SerialNumber-1] = found
	}
	return list.pack()
}

func (h *historian) letter(entity captable.EntityID) string {
	return map[captable.EntityID]string{h.ada: "a", h.bob: "b"}[entity]
}

func (h *historian) client(client, operations int, random *rand.Rand) {
	holders := map[string]captable.EntityID{"a": h.ada, "b": h.bob}
	for range operations {
		w := wish{kind: []string{"issue", "transfer", "transfer", "read"}[random.IntN(4)], to: []string{"a", "b"}[random.IntN(2)]}
		w.shares = 1 + random.Int64N(9)
		w.serial = 1 + random.IntN(12)
		id, known := h.ids.Load(w.serial)
		switch {
		case w.kind == "read":
			w = wish{kind: "read"}
			h.note(client, w, h.read)
		case w.kind == "issue" || !known:
			w.kind, w.serial = "issue", 0
			h.note(client, w, func() told { return h.heard(h.do(h.issue(holders[w.to], w.shares))) })
		default:
			h.note(client, w, func() told {
				return h.heard(h.do(h.transfer(id.(captable.ShareholdingID), holders[w.to], w.shares)))
			})
		}
		time.Sleep(time.Duration(random.IntN(3)) * time.Millisecond)
	}
}

func TestLinearizability(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		t.Run(fmt.Sprintf("history %d", seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c := setupOn(t, newMemory(t, func() time.Duration { return rand.N(4 * time.Millisecond) }), patient(3*time.Millisecond), every(7))
				c.must(c.table(captable.ReplaceSecurity{ID: c.security, SecurityTerms: captable.SecurityTerms{
					Name: "Common Stock", ShareType: captable.ShareCommon, Prefix: "CS",
					AuthorizedShares: captable.AuthorizedOf(exact.NewDecimal(limit)),
				}}))
				h := &historian{company: c}
				if seed%3 != 0 { // two of three histories have failures
					c.store.meet(pass, pass, land, pass, refuse, pass, pass, pass, lose, pass, pass, land)
				}
				var everybody sync.WaitGroup
				for client := range 5 {
					random := rand.New(rand.NewPCG(seed, uint64(client)))
					everybody.Go(func() { h.client(client, 14, random) })
				}
				everybody.Wait()
				h.note(9, wish{kind: "read"}, h.read)
				result, info := porcupine.CheckOperationsVerbose(model(), h.operations, 0)
				if result != porcupine.Ok {
					for _, operation := range h.operations {
						t.Logf("%+v", operation)
					}
					t.Fatalf("the history is not linearizable: %v", info.PartialLinearizations())
				}
			})
		})
	}
}

// A checker that accepts everything would be useless.
func TestModelRefuses(t *testing.T) {
	t.Parallel()
	issue := wish{kind: "issue", to: "a", shares: 40}
	for name, history := range map[string][]porcupine.Operation{
		"a read of a later state": {
			{Input: wish{kind: "read"}, Call: 1, Output: told{outcome: "a40 "}, Return: 2},
			{Input: issue, Call: 3, Output: told{"done", []int{1}}, Return: 4},
		},
		"a read of an earlier state": {
			{Input: issue, Call: 1, Output: told{"done", []int{1}}, Return: 2},
			{Input: wish{kind: "read"}, Call: 3, Output: told{}, Return: 4},
		},
		"two issues above the limit": {
			{Input: issue, Call: 1, Output: told{"done", []int{1}}, Return: 9},
			{Input: issue, Call: 1, Output: told{"done", []int{2}}, Return: 9},
		},
		"a refusal without a reason": {{Input: issue, Call: 1, Output: told{outcome: "refused"}, Return: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if porcupine.CheckOperations(model(), history) {
				t.Error("the model accepts it")
			}
		})
	}
}
