package simulation_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/captable"
	"equity/captable/exact"
	"equity/messages"
	"equity/organization"
)

// founder is the author of the rows before a schedule.
const founder = "founder"

// bubbleStart is the time at which each bubble starts.
func bubbleStart() time.Time { return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) }

func day() captable.Date { return exact.DateOf(bubbleStart()) }

// founding are the journals that each schedule starts with: organizations with three holders, a class of shares and a plan with a pool.
type founding struct {
	organizations []organization.ID
	journals      map[organization.ID][]messages.Row
	holders       []captable.EntityID
	security      captable.SecurityID
	pool          captable.PoolRef
}

// found creates two organizations. The ids of their records are equal.
func found() *founding {
	f := &founding{journals: map[organization.ID][]messages.Row{}}
	for i := range 2 {
		id := organization.ID{0xA0 + byte(i)}
		f.organizations = append(f.organizations, id)
		ids := uint32(0)
		newID := func() (id [16]byte) {
			ids++
			id[0] = 0xEE
			binary.BigEndian.PutUint32(id[12:], ids)
			return id
		}
		s := &author{id: id, state: organization.NewState(), newID: newID}
		first := captable.EntityID(newID())
		s.do(organization.Create{
			ID: id, Profile: organization.Profile{Name: "Acme", Currency: "USD"},
			Creator: organization.Founder{User: newID(), Entity: first, Name: "Fay Founder"},
		})
		f.holders = []captable.EntityID{first}
		for _, name := range []string{"Ada Lovelace", "Bob Noyce"} {
			s.do(organization.AddMember{MemberTerms: organization.MemberTerms{FullName: name}})
			for member := range s.state.Members() {
				if member.FullName == name {
					f.holders = append(f.holders, member.Entity)
				}
			}
		}
		s.do(organization.Table{Command: captable.CreateSecurity{SecurityTerms: common(100)}})
		for class := range s.state.Table().Securities() {
			f.security = class.ID
		}
		s.do(organization.Table{Command: captable.CreatePlan{PlanTerms: captable.PlanTerms{
			PlanDetails: captable.PlanDetails{Name: "Plan", BoardApprovalDate: day()},
			Pools:       []captable.PoolTerms{{Name: "Pool", Security: f.security, TotalShares: exact.NewDecimal(30)}},
		}}})
		for plan := range s.state.Table().Plans() {
			f.pool = captable.PoolRef{Plan: plan.ID, Pool: plan.Pools[0].ID}
		}
		f.journals[id] = s.rows
	}
	return f
}

// author records commands without actors.
type author struct {
	id    organization.ID
	state *organization.State
	rows  []messages.Row
	newID func() [16]byte
}

func (s *author) do(command organization.Command) {
	events, err := organization.Decide(s.state, command, organization.DecideContext{Now: bubbleStart(), NewID: s.newID})
	if err != nil {
		panic(fmt.Errorf("found an organization: %T: %w", command, err))
	}
	previous := messages.Hash{}
	if n := len(s.rows); n > 0 {
		previous = s.rows[n-1].Hash
	}
	for _, event := range events {
		payload, err := json.Marshal(event)
		if err != nil {
			panic(err)
		}
		row := messages.Row{
			Organization: s.id, Sequence: uint64(len(s.rows) + 1), RecordedAt: bubbleStart(), By: founder, Type: event.EventType(), Payload: payload,
		}
		row.Salt(s.newID)
		row.Seal(previous)
		s.state.Apply(event, captable.Stamp{Sequence: row.Sequence, At: captable.InstantOf(row.RecordedAt), By: row.By})
		s.rows, previous = append(s.rows, row), row.Hash
	}
}

// newWorld returns the world of a plan.
func newWorld(p plan, f *founding, system *actor.ActorSystem, planted mutation) *world {
	w := &world{
		plan: p, random: rand.New(rand.NewPCG(p.Seed, 2)), system: system, store: newStore(planted), servers: make([]*node, p.Servers),
		organizations: f.organizations[:p.Organizations], holders: f.holders, security: f.security, pool: f.pool,
		floors: map[organization.ID]uint64{}, requested: map[organization.ID]int{}, served: map[organization.ID]int{},
	}
	for _, id := range w.organizations {
		w.store.journals[id] = slices.Clip(f.journals[id])
	}
	return w
}
