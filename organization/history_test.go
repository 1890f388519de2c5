package organization_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
	"equity/organization"
)

// history executes random commands and checks the invariants after each.
type history struct {
	*bundle
	draw   *rapid.T
	copies map[*organization.State][]byte
}

// drawing reports failures to rapid, which then searches for the shortest history.
type drawing struct {
	testing.TB
	draw *rapid.T
}

func (d drawing) Helper()                           { d.draw.Helper() }
func (d drawing) Errorf(format string, args ...any) { d.draw.Fatalf(format, args...) }
func (d drawing) Fatalf(format string, args ...any) { d.draw.Fatalf(format, args...) }
func (d drawing) Fatal(args ...any)                 { d.draw.Fatal(args...) }

func (h *history) try(command organization.Command) {
	events, err := h.decide(command)
	if refusal := new(fault.Error); err != nil && !errors.As(err, &refusal) {
		h.Fatalf("%T: %v", command, err)
	}
	h.apply(events)
}

func (h *history) user() organization.UserID {
	return rapid.SampledFrom([]organization.UserID{owner, bob, cleo, {}}).Draw(h.draw, "user")
}

func (h *history) anybody() organization.MemberID {
	var ids []organization.MemberID
	for member := range h.state.Members() {
		ids = append(ids, member.ID)
	}
	return rapid.SampledFrom(ids).Draw(h.draw, "member")
}

func (h *history) add(*rapid.T) {
	command := adding(h.user(), "Somebody", rapid.SampledFrom([]string{"Owner", "Manager", "Guest", "Emperor"}).Draw(h.draw, "role"))
	command.ExternalID = rapid.SampledFrom([]string{"", "", "x", "y"}).Draw(h.draw, "externalId")
	if rapid.Bool().Draw(h.draw, "another entity") {
		command.Entity = captable.EntityID{15: rapid.SampledFrom([]byte{0, 0xa, 0xb, 0x77}).Draw(h.draw, "entity")}
	}
	h.try(command)
}

func (h *history) claimed(*rapid.T) {
	user := rapid.SampledFrom([]organization.UserID{owner, bob, cleo}).Draw(h.draw, "user")
	h.try(organization.ClaimMember{Entity: h.member(h.anybody()).Entity, User: user})
}

func (h *history) change(*rapid.T) {
	h.try(organization.AmendMember{ID: h.anybody(), Patch: []byte(rapid.SampledFrom([]string{
		`{"roles":["Owner"]}`, `{"roles":["Guest"]}`, `{"roles":null}`, `{"externalId":"x"}`, `{"externalId":null}`, `{"fullName":"Other"}`, `{"fullName":""}`,
	}).Draw(h.draw, "patch"))})
}

func (h *history) remove(*rapid.T) {
	h.try(organization.RemoveMember{ID: h.anybody(), KeepHoldings: rapid.Bool().Draw(h.draw, "keep")})
}

func (h *history) amend(*rapid.T) {
	h.try(organization.Amend{Patch: []byte(rapid.SampledFrom([]string{`{"name":"Other"}`, `{"currency":"EUR"}`, `{"address":{"city":"Bern"}}`, `{"name":null}`}).Draw(h.draw, "patch"))})
}

func (h *history) shares(*rapid.T) {
	member := h.member(h.anybody())
	for security := range h.state.Table().Securities() {
		h.try(organization.Table{Command: captable.IssueShareholding{
			HolderRef: captable.HolderRef{Member: member.ID}, Security: security.ID, Shares: exact.NewDecimal(1), IssueDate: exact.MustDate(today),
		}})
		return
	}
	h.issue(captable.HolderRef{Entity: member.Entity}, 1)
}

func (h *history) void(*rapid.T) {
	for held := range h.state.Table().ShareholdingsOf(h.member(h.anybody()).Entity) {
		h.try(organization.Table{Command: captable.VoidShareholding{ID: held.ID}})
		return
	}
}

func (h *history) copied(*rapid.T) { h.copies[h.state.Copy()] = h.state.Snapshot() }

// check checks the invariants of the state.
func (h *history) check(*rapid.T) {
	owners, names := 0, map[string]bool{}
	for member := range h.state.Members() {
		present := member.Status != organization.StatusRemoved
		if member.Status == organization.StatusJoined && strings.Contains(strings.Join(member.Roles, " "), organization.RoleOwner) {
			owners++
		}
		if name := member.ExternalID; name != "" && names[name] {
			h.Fatalf("two members have the externalId %s", name)
		}
		names[member.ExternalID] = true
		if found, ok := h.state.MemberOf(member.Entity); !ok || found.ID != member.ID {
			h.Fatalf("two members are one entity")
		}
		if found, ok := h.state.MemberBy(member.User); present && !member.User.IsZero() && (!ok || found.ID != member.ID) {
			h.Fatalf("the account of a member finds %v", found)
		}
		if _, ok := h.state.Holder(captable.HolderRef{Member: member.ID}); ok != present {
			h.Fatalf("a removed member may be given shares: %t", ok)
		}
	}
	if owners == 0 {
		h.Fatalf("nobody owns the organization")
	}
	restored, err := restore(h.state.Snapshot())
	if err != nil || dump(restored) != dump(h.state) {
		h.Fatalf("the snapshot holds another state: %v", err)
	}
}

// dump formats all readable parts of the state.
func dump(s *organization.State) string {
	var all strings.Builder
	all.Write(s.Snapshot())
	for _, user := range []organization.UserID{owner, bob, cleo, {}} {
		member, ok := s.MemberBy(user)
		permissions, _ := s.Permissions(user)
		all.WriteString(strings.Join(permissions.Names(), ","))
		if ok {
			all.WriteString(member.ID.String() + s.NameOf(member.Entity))
		}
	}
	return all.String()
}

func TestHistory(t *testing.T) {
	t.Parallel()
	t.Run("a random history of commands keeps the invariants", func(t *testing.T) {
		t.Parallel()
		rapid.Check(t, func(draw *rapid.T) {
			b := unfounded(drawing{t, draw})
			b.now = b.now.Add(time.Hour)
			b.do(create())
			h := &history{bundle: b, draw: draw, copies: map[*organization.State][]byte{}}
			draw.Repeat(map[string]func(*rapid.T){
				"add": h.add, "add more": h.add, "claim": h.claimed, "change": h.change, "remove": h.remove, "remove more": h.remove, "amend": h.amend,
				"shares": h.shares, "void": h.void, "copy": h.copied, "": h.check,
			})
			replayed, decoder := organization.NewState(), organization.NewSchema()
			for _, row := range h.recorded {
				event, err := decoder.Decode(row.kind, row.payload)
				if err != nil {
					h.Fatalf("%s: %v", row.kind, err)
				}
				replayed.Apply(event, row.stamp)
			}
			if dump(replayed) != dump(h.state) {
				h.Fatalf("the replayed state is another")
			}
			for state, want := range h.copies {
				if !bytes.Equal(state.Snapshot(), want) {
					h.Fatalf("a copy changed")
				}
			}
		})
	})
}
