package http

import (
	"encoding/binary"
	"fmt"
	"testing"
	"time"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

func benchCall(tb testing.TB, n int) *Call {
	s := organization.NewState()
	var ids uint64
	m := organization.Moment{Now: time.Date(2026, 1, 15, 9, 0, 0, 0, time.UTC), NewID: func() (id [16]byte) {
		ids++
		binary.BigEndian.PutUint64(id[:], ids)
		id[15] = 7
		return
	}}
	seq := uint64(0)
	do := func(c organization.Command) []organization.Event {
		ev, err := organization.Decide(s, c, m)
		if err != nil {
			tb.Fatal(err)
		}
		for _, e := range ev {
			seq++
			s.Apply(e, captable.Stamp{Sequence: seq, At: captable.InstantOf(m.Now), By: "x"})
		}
		return ev
	}
	do(organization.Create{ID: organization.ID{1}, Profile: organization.Profile{Name: "Acme", Currency: "USD"}, Creator: organization.Founder{User: organization.UserID{1}, Entity: captable.EntityID{1}, Name: "A"}})
	var secs []captable.SecurityID
	for i := range 4 {
		ev := do(organization.Table{Command: captable.CreateSecurity{SecurityTerms: captable.SecurityTerms{Name: fmt.Sprintf("Series %d", i), ShareType: captable.ShareCommon, AuthorizedShares: captable.Authorized{Unlimited: true}}}})
		secs = append(secs, ev[0].(organization.TableEvent).Event.(captable.SecurityCreated).ID)
	}
	for i := range n {
		ev := do(organization.AddMember{MemberTerms: organization.MemberTerms{FullName: fmt.Sprintf("Holder %d of many", i), Roles: []string{}}})
		e := ev[0].(organization.MemberAdded).Member.Entity
		for j := range 2 {
			p := captable.Price{Amount: captable.MustDecimal("1.25")}
			do(organization.Table{Command: captable.IssueShareholding{HolderRef: captable.HolderRef{Entity: e}, Security: secs[(i+j)%4], Shares: captable.NewDecimal(int64(1000 + i*7)), IssueDate: captable.MustDate("2025-01-01"), ShareholdingDetails: captable.ShareholdingDetails{PricePerShare: &p}}})
		}
	}
	return &Call{View: &messages.View{State: s, Sequence: seq}, At: m.Now, operation: &operation{id: "x"}, header: func(string) string { return "" }}
}

func BenchmarkTable(b *testing.B) {
	c := benchCall(b, 1000)
	b.Run("table", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			c.capTable()
		}
	})
	t := c.capTable()
	b.Run("json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			x, _ := renderJSON(t)
			b.ReportMetric(float64(len(x)), "bytes")
		}
	})
	b.Run("csv", func(b *testing.B) {
		for b.Loop() {
			x, _ := t.csv()
			b.ReportMetric(float64(len(x)), "bytes")
		}
	})
	b.Run("xlsx", func(b *testing.B) {
		for b.Loop() {
			x, _ := t.xlsx("Acme")
			b.ReportMetric(float64(len(x)), "bytes")
		}
	})
}
