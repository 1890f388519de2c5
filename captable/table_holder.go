package captable

import (
	"bytes"
	"cmp"
	"iter"
	"math/big"
	"slices"
)

// TableHolder is the line of one holder.
type TableHolder struct {
	Entity     EntityID   `json:"entity"`
	Name       string     `json:"name"`
	BySecurity []Position `json:"bySecurity"`
	Options    Decimal    `json:"options"`
	Warrants   Decimal    `json:"warrants,omitzero"`
	Invested   Decimal    `json:"invested"`
	// Options, Warrants, Shares, PercentOutstanding and PercentFullyDiluted are the sums of
	// BySecurity.
	Shares              Decimal `json:"shares"`
	PercentOutstanding  Decimal `json:"percentOutstanding"`
	PercentFullyDiluted Decimal `json:"percentFullyDiluted"`
}

// Position is the position of one holder in one security. The percentages of all positions and
// pools sum to exactly 1.
type Position struct {
	Security SecurityID `json:"security"`
	Shares   Decimal    `json:"shares"`
	// Options is the outstanding quantity of the holder's grants; absent if zero.
	Options Decimal `json:"options,omitzero"`
	// Warrants is the number of shares that the holder's warrants can still buy; absent if zero.
	Warrants            Decimal `json:"warrants,omitzero"`
	PercentOutstanding  Decimal `json:"percentOutstanding"`
	PercentFullyDiluted Decimal `json:"percentFullyDiluted"`

	diluted, invested Decimal
}

// FullyDiluted returns the shares, options and warrants of the holder as converted.
func (h *TableHolder) FullyDiluted() (sum Decimal) {
	for i := range h.BySecurity {
		if i == 0 {
			sum = h.BySecurity[i].diluted
			continue
		}
		sum = sum.Add(h.BySecurity[i].diluted)
	}
	return sum
}

// register accumulates the lines of the holders. Holders and their positions are in the order of
// their first occurrence.
type register struct {
	places map[EntityID]int
	lines  []TableHolder
	// received is the amount that the company received for the outstanding shares, and raised the
	// amount for all issued ones.
	received, raised Decimal
	// unpriced is set if no amounts are needed.
	unpriced bool
}

// position returns the position of a holder in a security and creates it if necessary. The
// pointer is valid until the next call.
func (r *register) position(entity EntityID, security SecurityID) *Position {
	at, known := r.places[entity]
	if !known {
		at = len(r.lines)
		if at == cap(r.lines) { // lines are large: append would copy them more often
			r.lines = slices.Grow(r.lines, at+1)
		}
		r.places[entity], r.lines = at, append(r.lines, TableHolder{Entity: entity})
	}
	held := &r.lines[at].BySecurity
	for i := range *held { // a holder has few classes
		if (*held)[i].Security == security {
			return &(*held)[i]
		}
	}
	*held = append(*held, Position{Security: security})
	return &(*held)[len(*held)-1]
}

// holdersOn returns the positions of every holder at the end of the day: shares, options,
// warrants, and the fully diluted sum. The register also has the amounts paid for the shares.
func holdersOn(s *State, day Date, ratios map[SecurityID]*big.Rat) *register {
	return (&register{}).filled(s, day, ratios)
}

// sharesOn returns the same positions without amounts, which takes less time.
func sharesOn(s *State, day Date, ratios map[SecurityID]*big.Rat) []TableHolder {
	return (&register{unpriced: true}).filled(s, day, ratios).lines
}

func (r *register) filled(s *State, day Date, ratios map[SecurityID]*big.Rat) *register {
	r.places, r.lines = map[EntityID]int{}, []TableHolder{}
	for h := range s.Shareholdings() {
		r.addShareholding(h, day)
	}
	s.grants.addOptions(r, day)
	s.instruments.addWarrants(r, day)
	for p := range positions(r.lines) {
		p.diluted = diluted(p.Shares.Add(p.Options).Add(p.Warrants), p.Security, ratios)
	}
	return r
}

// addShareholding adds the shares of the day to the position of their holder, and the amounts to
// the sums.
func (r *register) addShareholding(h *Shareholding, day Date) {
	shares := h.SharesOn(day)
	var invested Decimal
	if !r.unpriced {
		issued := h.issuedForMoney(day)
		if !issued && shares.IsZero() {
			return
		}
		invested = h.Invested() // once, because the product is exact
		if issued {
			r.raised = r.raised.Add(invested)
		}
	}
	if shares.IsZero() {
		return
	}
	p := r.position(h.Entity, h.Security)
	p.Shares = p.Shares.Add(shares)
	if r.unpriced {
		return
	}
	p.invested = p.invested.Add(invested)
	if h.OriginalConsideration != nil {
		invested = *h.OriginalConsideration
	}
	r.received = r.received.Add(invested)
}

// positions iterates over the positions of all holders.
func positions(holders []TableHolder) iter.Seq[*Position] {
	return func(yield func(*Position) bool) {
		for i := range holders {
			for j := range holders[i].BySecurity {
				if !yield(&holders[i].BySecurity[j]) {
					return
				}
			}
		}
	}
}

// addHolders sets the names and sums of the holders and sorts them.
func (table *Table) addHolders(name func(EntityID) string) {
	for i := range table.Holders {
		holder := &table.Holders[i]
		holder.Name = name(holder.Entity)
		slices.SortFunc(holder.BySecurity, func(a, b Position) int { return bytes.Compare(a.Security[:], b.Security[:]) })
		for _, p := range holder.BySecurity {
			holder.Shares, holder.Options = holder.Shares.Add(p.Shares), holder.Options.Add(p.Options)
			holder.Warrants, holder.Invested = holder.Warrants.Add(p.Warrants), holder.Invested.Add(p.invested)
		}
		table.Totals.Options, table.Totals.Warrants = table.Totals.Options.Add(holder.Options), table.Totals.Warrants.Add(holder.Warrants)
		table.Totals.HolderCost = table.Totals.HolderCost.Add(holder.Invested)
	}
	slices.SortFunc(table.Holders, func(a, b TableHolder) int {
		return cmp.Or(b.Shares.Cmp(a.Shares), b.Options.Cmp(a.Options), b.Warrants.Cmp(a.Warrants), bytes.Compare(a.Entity[:], b.Entity[:]))
	})
}

// addOptions adds the outstanding quantities of the grants at the end of the day: options, units
// and stock appreciation rights.
func (r *grantRegister) addOptions(lines *register, day Date) {
	for grant := range r.records.All() {
		left := grant.LeftOn(day)
		if left.IsZero() {
			continue
		}
		p := lines.position(grant.Entity, grant.Security)
		p.Options = p.Options.Add(left)
	}
}

// LeftOn returns the outstanding quantity of the grant at the end of the day. It equals that of
// [Grant.On], but needs no vesting.
func (g *Grant) LeftOn(day Date) Decimal {
	left := g.recordedOn(day)
	if left.IsZero() {
		return left
	}
	if lapse, lapsed := g.lapse(day); lapsed {
		left = left.Sub(lapse.Quantity)
	}
	return left
}

// recordedOn returns the outstanding quantity at the end of the day, without deducting lapses
// that are not recorded.
func (g *Grant) recordedOn(day Date) Decimal {
	if day < g.IssueDate || g.undoneOn(day) {
		return Decimal{}
	}
	amounts := g.amountsOn(day)
	left := amounts.Quantity
	for _, deduction := range amounts.Deductions {
		if deduction.Date <= day {
			left = left.Sub(deduction.Quantity)
		}
	}
	return left
}
