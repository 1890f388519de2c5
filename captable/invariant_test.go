package captable_test

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"equity/captable"
	"equity/captable/exact"
)

// check verifies the invariants of the state after a command.
func (h *history) check(*rapid.T) {
	h.Helper()
	h.checkShareholdings()
	for _, id := range h.classes {
		h.checkClass(h.bundle.class(id))
	}
	h.checkTables()
	h.checkExplained()
	h.checkSnapshot()
	if faults := h.state.Audit(); len(faults) > 0 {
		h.Fatalf("the audit found %v", faults)
	}
}

// checkClass checks that the totals of a class are the sums of its shareholdings, within its
// authorized limit and not negative.
func (h *history) checkClass(s *captable.Security) {
	sum, serials := captable.Decimal{}, map[uint32]bool{}
	for held := range h.state.Shareholdings() {
		if held.Security != s.ID {
			continue
		}
		if held.Status.Outstanding() {
			sum = sum.Add(held.Shares)
		}
		if serials[held.SerialNumber] || held.SerialNumber > s.Serials || held.SerialNumber == 0 {
			h.Fatalf("serial number %d of %d was given twice", held.SerialNumber, s.Serials)
		}
		serials[held.SerialNumber] = true
	}
	if h.forward && len(serials) != int(s.Serials) {
		h.Fatalf("%d serial numbers for %d shareholdings", s.Serials, len(serials))
	}
	if !s.Outstanding().Equal(sum) {
		h.Fatalf("%s outstanding, the holdings sum to %s", s.Outstanding(), sum)
	}
	if !s.AuthorizedShares.Covers(s.Issued.Add(s.Reserved)) || s.Treasury.Sign() < 0 || sum.Sign() < 0 {
		h.Fatalf("%s issued of %s authorized, %s treasury", s.Issued, s.AuthorizedShares, s.Treasury)
	}
	last := s.Authorizations[len(s.Authorizations)-1]
	equal(h, "last limit of the past", last.Authorized, s.AuthorizedShares)
	treasury := captable.Decimal{}
	for i, move := range s.TreasuryMoves {
		treasury = treasury.Add(move.Change)
		if treasury.Sign() < 0 || i > 0 && move.Date <= s.TreasuryMoves[i-1].Date {
			h.Fatalf("the treasury held %s on %s", treasury, move.Date)
		}
	}
	equal(h, "treasury of the past", treasury.String(), s.Treasury.String())
}

// checkShareholdings checks that each shareholding has a valid quantity and status, and a
// unique certificate and external identifier.
func (h *history) checkShareholdings() {
	names := map[string]bool{}
	for held := range h.state.Shareholdings() {
		outstanding := held.Status.Outstanding()
		if held.Shares.Sign() < 0 || outstanding && held.Shares.IsZero() || outstanding == (held.End != nil) {
			h.Fatalf("%s shares are %s, end %v", held.Shares, held.Status, held.End)
		}
		if outstanding && !h.bundle.class(held.Security).Whole(held.Shares) {
			h.Fatalf("%s shares of a whole class", held.Shares)
		}
		if held.FromTreasury.Sign() < 0 || held.FromTreasury.Cmp(held.Shares) > 0 {
			h.Fatalf("%s of %s shares came from the treasury", held.FromTreasury, held.Shares)
		}
		for _, name := range []string{"certificate " + held.Certificate, "externalId " + held.ExternalID} {
			if names[name] && name != "externalId " {
				h.Fatalf("two shareholdings have the %s", name)
			}
			names[name] = true
		}
		h.checkKin(held)
	}
}

// checkKin checks that the results of a shareholding refer to it and begin on the day of its
// end, and that the origins of a shareholding have ended.
func (h *history) checkKin(held *captable.Shareholding) {
	for _, id := range held.Results {
		child := h.holding(id)
		if child.Origin == nil || child.Origin.Kind != held.Status || child.IssueDate != held.End.Date {
			h.Fatalf("%s came from %s, which ended %s as %s", child.ID, held.ID, held.End.Date, held.Status)
		}
	}
	if held.Origin != nil {
		for _, id := range held.Origin.From {
			if parent := h.holding(id); parent.Status.Outstanding() {
				h.Fatalf("%s came from %s, which is still held", held.ID, id)
			}
		}
	}
}

// checkTables checks the table of today against the classes, the table of a random past day
// against the shareholdings, and the sums of both.
func (h *history) checkTables() {
	latest := h.moment().Latest()
	table := h.on(latest.String())
	for _, line := range table.Securities {
		s := h.bundle.class(line.ID)
		got := [4]string{line.Authorized.String(), line.Issued.String(), line.Outstanding.String(), line.Treasury.String()}
		equal(h, "table", got, [4]string{s.AuthorizedShares.String(), s.Issued.String(), s.Outstanding().String(), s.Treasury.String()})
		equal(h, "available", line.Available, s.Available())
		equal(h, "reserved", line.Reserved.String(), s.Reserved.String())
	}
	h.checkSums(table)
	day := latest - captable.Date(rapid.IntRange(0, 200).Draw(h.draw, "ago"))
	table = h.on(day.String())
	h.checkSums(table)
	outstanding := captable.Decimal{}
	for held := range h.state.Shareholdings() {
		if was, issued := held.On(day); issued && was.Status.Outstanding() {
			outstanding = outstanding.Add(was.Shares)
		}
	}
	equal(h, "outstanding among the records of "+day.String(), outstanding.String(), table.Totals.Outstanding.String())
}

func (h *history) checkSums(table captable.Table) {
	var shares, outstanding, diluted, invested, percent, percentDiluted, byClass captable.Decimal
	for _, holder := range table.Holders {
		ofHolder := captable.Decimal{}
		for _, position := range holder.BySecurity {
			if position.Shares.Add(position.Options).Add(position.Warrants).Sign() <= 0 {
				h.Fatalf("%s holds %s", holder.Name, position.Shares)
			}
			ofHolder = ofHolder.Add(position.Shares)
		}
		equal(h, "shares of a holder", holder.Shares.String(), ofHolder.String())
		shares, invested = shares.Add(holder.Shares), invested.Add(holder.Invested)
		percent, percentDiluted = percent.Add(holder.PercentOutstanding), percentDiluted.Add(holder.PercentFullyDiluted)
	}
	for _, pool := range table.Pools {
		percentDiluted = percentDiluted.Add(pool.PercentFullyDiluted)
	}
	dilutedByClass := captable.Decimal{}
	for _, line := range table.Securities {
		dilutedByClass = dilutedByClass.Add(line.PercentFullyDiluted)
		outstanding, diluted, byClass = outstanding.Add(line.Outstanding), diluted.Add(line.FullyDiluted), byClass.Add(line.PercentOutstanding)
		if line.Treasury.Sign() < 0 || !line.Issued.Equal(line.Outstanding.Add(line.Treasury)) {
			h.Fatalf("%s issued, %s outstanding, %s treasury", line.Issued, line.Outstanding, line.Treasury)
		}
	}
	got := [4]string{shares.String(), outstanding.String(), diluted.String(), invested.String()}
	totals := table.Totals
	equal(h, "sums", got, [4]string{totals.Outstanding.String(), totals.Outstanding.String(), totals.FullyDiluted.String(), totals.HolderCost.String()})
	equal(h, "percentages", percent.String()+" "+byClass.String(), whole(totals.Outstanding)+" "+whole(totals.Outstanding))
	equal(h, "diluted percentages", percentDiluted.String()+" "+dilutedByClass.String(), whole(totals.FullyDiluted)+" "+whole(totals.FullyDiluted))
}

// whole returns the expected sum of the percentages of a total: 1, or 0 if the total is zero.
func whole(total captable.Decimal) string {
	if total.IsZero() {
		return "0"
	}
	return "1"
}

// checkSnapshot checks that a snapshot restores the same state.
func (h *history) checkSnapshot() {
	snapshot := packed(h.state)
	restored := unpacked(h, snapshot)
	if !bytes.Equal(packed(restored), snapshot) || dump(h, restored) != dump(h, h.state) {
		h.Fatalf("the snapshot holds another state")
	}
}

// checkPast checks that the table and the shareholdings of each past day are unchanged since
// the end of that day.
func (h *history) checkPast() {
	if !h.forward {
		return
	}
	for day, want := range h.past {
		equal(h, "table of "+day.String(), text(h, h.on(day.String())), want)
		now := h.standing(day)
		equal(h, "shareholdings of "+day.String(), len(now), len(h.held[day]))
		for id, want := range h.held[day] {
			equal(h, "shareholding of "+day.String(), now[id], want)
		}
	}
}

// standing returns all shareholdings as of the end of the day, without clerical fields.
func (h *history) standing(day captable.Date) map[captable.ShareholdingID]string {
	standing := map[captable.ShareholdingID]string{}
	for held := range h.state.Shareholdings() {
		if was, ok := held.On(day); ok {
			was.ShareholdingDetails, was.Meta = captable.ShareholdingDetails{}, captable.Meta{}
			standing[was.ID] = text(h, was)
		}
	}
	return standing
}

// checkReplay checks that the events, decoded from their JSON, reproduce the state.
func (h *history) checkReplay() {
	replayed, decoders := captable.NewState(), captable.Decoders()
	for _, row := range h.recorded {
		event, err := decoders[row.kind](row.payload)
		if err != nil {
			h.Fatalf("%s %s: %v", row.kind, row.payload, err)
		}
		replayed.Apply(event, row.stamp)
	}
	if dump(h, replayed) != dump(h, h.state) || !bytes.Equal(packed(replayed), packed(h.state)) {
		h.Fatalf("the replayed state is another")
	}
}

// dump writes all records of a state and the entries of its holder indexes.
func dump(tb testing.TB, s *captable.State) string {
	tb.Helper()
	var all strings.Builder
	line := func(record any) { all.WriteString(text(tb, record) + "\n") }
	line(s.Configuration())
	for security := range s.Securities() {
		line(security)
	}
	for legend := range s.Legends() {
		line(legend)
	}
	for held := range s.Shareholdings() {
		line(held)
		for _, before := range held.Before {
			line(before.FromTreasury)
		}
	}
	for i := range s.Instruments() {
		line(i)
	}
	for plan := range s.Plans() {
		line(plan)
		line(s.PlanOn(plan, exact.MustDate("2020-06-01")))
	}
	for schedule := range s.VestingSchedules() {
		line(schedule)
	}
	for grant := range s.Grants() {
		line(grant)
	}
	for _, entity := range []captable.EntityID{ada, bob, cleo} {
		for held := range s.ShareholdingsOf(entity) {
			line(held.ID)
		}
		for grant := range s.GrantsOf(entity) {
			line(grant.ID)
		}
	}
	return all.String()
}
