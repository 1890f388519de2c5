package captable

import "equity/captable/exact"

// Table is the capitalization table as of a day: who held what at its end.
type Table struct {
	AsOf         Date               `json:"asOf"`
	Totals       Totals             `json:"totals"`
	Securities   []TableSecurity    `json:"securities"`
	Pools        []TablePool        `json:"pools"`
	Convertibles []TableConvertible `json:"convertibles"`
	Warrants     []TableWarrant     `json:"warrants"`
	Holders      []TableHolder      `json:"holders"`
}

// Totals are the sums over all securities.
type Totals struct {
	Authorized  Authorized `json:"authorized"`
	Issued      Decimal    `json:"issued"`
	Outstanding Decimal    `json:"outstanding"`
	// FullyDiluted counts every convertible share as what it converts into, and besides
	// the options and warrants of holders and what pools may still grant. What converts at
	// a price that nobody knows yet counts for nothing.
	FullyDiluted Decimal `json:"fullyDiluted"`
	Treasury     Decimal `json:"treasury"`
	// Options is what holders may still get shares for; absent without any.
	Options Decimal `json:"options,omitzero"`
	// Warrants is what holders may still buy by warrants; absent without any.
	Warrants Decimal `json:"warrants,omitzero"`
	// Convertibles are the sums of what converts, by currency; absent without any.
	Convertibles []ConvertibleSum `json:"convertibles,omitempty"`
	// Invested is in the organization's currency.
	Invested Decimal `json:"invested"`
}

// TableSecurity is one security's line.
type TableSecurity struct {
	ID           SecurityID `json:"id"`
	Name         string     `json:"name"`
	ShareType    ShareType  `json:"shareType"`
	Authorized   Authorized `json:"authorized"`
	Issued       Decimal    `json:"issued"`
	Outstanding  Decimal    `json:"outstanding"`
	Treasury     Decimal    `json:"treasury"`
	Reserved     Decimal    `json:"reserved"`
	Available    Authorized `json:"available"`
	FullyDiluted Decimal    `json:"fullyDiluted"`
	// Holders is how many holders have outstanding shares of it.
	Holders int `json:"holders"`
	// PercentOutstanding and PercentFullyDiluted are fractions; each column sums to exactly 1.
	PercentOutstanding  Decimal `json:"percentOutstanding"`
	PercentFullyDiluted Decimal `json:"percentFullyDiluted"`
}

// TableOn gives the cap table at the end of the day; name gives a holder's present
// name. Holders come with the largest first, then by id; securities and positions
// in the order of the securities' creation.
func (s *State) TableOn(day Date, name func(EntityID) string) Table {
	table := Table{
		AsOf: day, Securities: []TableSecurity{}, Pools: []TablePool{}, Convertibles: []TableConvertible{}, Warrants: []TableWarrant{},
	}
	ratios := s.dilution(day)
	table.Holders = s.holdersOn(day, ratios)
	s.addPools(&table, ratios)
	s.addInstruments(&table, ratios, name)
	s.addSecurities(&table)
	table.addHolders(name)
	table.addPercentages()
	return table
}

// addSecurities gives each class its line. All figures of a line come from those of the
// holders, the pools and the treasury, and so they always sum up.
func (s *State) addSecurities(table *Table) {
	lines, reserved := map[SecurityID]*TableSecurity{}, s.reservedOn(table.AsOf)
	for security := range s.Securities() {
		lines[security.ID] = &TableSecurity{
			ID: security.ID, Name: security.Name, ShareType: security.ShareType,
			Authorized: security.authorizedOn(table.AsOf), Treasury: security.treasuryOn(table.AsOf), Reserved: reserved[security.ID],
		}
	}
	named := map[SecurityID]bool{}
	for p := range positions(table.Holders) {
		line := lines[p.Security]
		named[p.Security] = true
		line.Outstanding = line.Outstanding.Add(p.Shares)
		line.FullyDiluted = line.FullyDiluted.Add(p.diluted)
		if !p.Shares.IsZero() {
			line.Holders++
		}
	}
	for _, pool := range table.Pools {
		line := lines[pool.Security]
		named[pool.Security] = true
		line.FullyDiluted = line.FullyDiluted.Add(pool.FullyDiluted)
	}
	for security := range s.Securities() {
		line := lines[security.ID]
		line.Issued = line.Outstanding.Add(line.Treasury)
		line.Available = line.Authorized.less(line.Outstanding).less(line.Reserved)
		if !named[security.ID] && security.isLater(line, table.AsOf) {
			continue
		}
		table.Securities = append(table.Securities, *line)
		table.Totals.add(line)
	}
}

// isLater reports whether the class begins after the day: nothing of it is authorized, issued
// or reserved by then.
func (s *Security) isLater(line *TableSecurity, day Date) bool {
	return s.Authorizations[0].EffectiveDate > day && line.Issued.IsZero() && line.Reserved.IsZero() && line.FullyDiluted.IsZero()
}

func (t *Totals) add(line *TableSecurity) {
	t.Authorized = t.Authorized.Add(line.Authorized)
	t.Issued = t.Issued.Add(line.Issued)
	t.Outstanding = t.Outstanding.Add(line.Outstanding)
	t.FullyDiluted = t.FullyDiluted.Add(line.FullyDiluted)
	t.Treasury = t.Treasury.Add(line.Treasury)
}

// authorizedOn is the limit in force on the day: none before the first one began.
func (s *Security) authorizedOn(day Date) Authorized {
	authorized := Authorized{}
	for _, change := range s.Authorizations {
		if change.EffectiveDate <= day {
			authorized = change.Authorized
		}
	}
	return authorized
}

// addPercentages fills both columns of the positions and of the pools and, as sums of
// them, those of holders and securities: a column sums to exactly 1 over the securities,
// and over holders and pools together.
func (table *Table) addPercentages() {
	outstanding, diluted := make([]Decimal, 0, len(table.Holders)), make([]Decimal, 0, len(table.Holders))
	for p := range positions(table.Holders) {
		outstanding, diluted = append(outstanding, p.Shares), append(diluted, p.diluted)
	}
	for _, pool := range table.Pools {
		diluted = append(diluted, pool.FullyDiluted)
	}
	outstanding, diluted = exact.Percentages(outstanding), exact.Percentages(diluted)
	lines := map[SecurityID]*TableSecurity{}
	for i := range table.Securities {
		lines[table.Securities[i].ID] = &table.Securities[i]
	}
	next := 0
	for i := range table.Holders {
		holder := &table.Holders[i]
		for j := range holder.BySecurity {
			p := &holder.BySecurity[j]
			p.PercentOutstanding, p.PercentFullyDiluted = outstanding[next], diluted[next]
			holder.PercentOutstanding = holder.PercentOutstanding.Add(p.PercentOutstanding)
			holder.PercentFullyDiluted = holder.PercentFullyDiluted.Add(p.PercentFullyDiluted)
			line := lines[p.Security]
			line.PercentOutstanding = line.PercentOutstanding.Add(p.PercentOutstanding)
			line.PercentFullyDiluted = line.PercentFullyDiluted.Add(p.PercentFullyDiluted)
			next++
		}
	}
	for i, percent := range diluted[next:] {
		table.Pools[i].PercentFullyDiluted = percent
		line := lines[table.Pools[i].Security]
		line.PercentFullyDiluted = line.PercentFullyDiluted.Add(percent)
	}
}
