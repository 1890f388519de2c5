package captable

import "equity/captable/exact"

// Table is the capitalization table at the end of a day.
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
	// FullyDiluted is the number of shares as converted, plus the options and warrants of holders
	// and the available shares of pools. It excludes convertibles with an unknown conversion
	// price.
	FullyDiluted Decimal `json:"fullyDiluted"`
	Treasury     Decimal `json:"treasury"`
	// Options is the outstanding quantity of grants; absent if zero.
	Options Decimal `json:"options,omitzero"`
	// Warrants is the number of shares that warrants can still buy; absent if zero.
	Warrants Decimal `json:"warrants,omitzero"`
	// Convertibles are the sums of the convertibles by currency; absent without any.
	Convertibles []ConvertibleSum `json:"convertibles,omitempty"`
	// Invested is in the organization's currency.
	Invested Decimal `json:"invested"`
}

// TableSecurity is the line of one security.
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
	// Holders is the number of holders with outstanding shares of the security.
	Holders int `json:"holders"`
	// PercentOutstanding and PercentFullyDiluted are fractions; each column sums to exactly 1.
	PercentOutstanding  Decimal `json:"percentOutstanding"`
	PercentFullyDiluted Decimal `json:"percentFullyDiluted"`
}

// TableOn returns the cap table at the end of the day. The function name returns the present name
// of a holder. Holders are in descending order of their shares, options and warrants, then in the
// order of their ids. Securities and positions are in the order of the securities' creation.
func (s *State) TableOn(day Date, name func(EntityID) string) Table {
	table := Table{
		AsOf: day, Securities: []TableSecurity{}, Pools: []TablePool{}, Convertibles: []TableConvertible{}, Warrants: []TableWarrant{},
	}
	ratios := s.classes.dilution(day)
	table.Holders = holdersOn(s, day, ratios)
	addPools(s, &table, ratios)
	s.instruments.addInstruments(&table, ratios, name)
	addSecurities(s, &table)
	table.addHolders(name)
	table.addPercentages()
	return table
}

// addSecurities adds the lines of the classes. The figures of a line are sums over the holders,
// the pools and the treasury, so that they are always consistent.
func addSecurities(s *State, table *Table) {
	lines, reserved := map[SecurityID]*TableSecurity{}, reservedOn(s, table.AsOf)
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
		line.Available = line.Authorized.Minus(line.Outstanding).Minus(line.Reserved)
		if !named[security.ID] && security.isLater(line, table.AsOf) {
			continue
		}
		table.Securities = append(table.Securities, *line)
		table.Totals.add(line)
	}
}

// isLater reports whether the class begins after the day: it has no authorized, issued or
// reserved shares by then.
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

// authorizedOn returns the limit in effect on the day; zero before the first one.
func (s *Security) authorizedOn(day Date) Authorized {
	authorized := Authorized{}
	for _, change := range s.Authorizations {
		if change.EffectiveDate <= day {
			authorized = change.Authorized
		}
	}
	return authorized
}

// addPercentages sets both percentages of the positions and pools, and their sums for holders and
// securities. Each column sums to exactly 1 over the securities, and over holders and pools
// together.
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
