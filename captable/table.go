package captable

import (
	"cmp"
	"math/big"
	"slices"

	"equity/captable/exact"
)

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
	// Invested is the amount that the company received for the outstanding shares, and Raised the
	// amount for all shares that it issued. HolderCost is the cost of the present holders. All are in
	// the organization's currency.
	Invested   Decimal `json:"invested"`
	Raised     Decimal `json:"raised"`
	HolderCost Decimal `json:"holderCost"`
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
	register := holdersOn(s, day, ratios)
	table.Holders, table.Totals.Invested, table.Totals.Raised = register.lines, register.received, register.raised
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

// TablePool is the line of one pool. Its percentage covers only the available shares, because
// outstanding grants are counted in the positions of their holders.
type TablePool struct {
	Plan     PlanID     `json:"plan"`
	PlanName string     `json:"planName"`
	Pool     PoolID     `json:"pool"`
	Name     string     `json:"name"`
	Security SecurityID `json:"security"`
	PoolFigures
	Outstanding Decimal `json:"outstanding"`
	Available   Decimal `json:"available"`
	// FullyDiluted is the available quantity as converted.
	FullyDiluted        Decimal `json:"fullyDiluted"`
	PercentFullyDiluted Decimal `json:"percentFullyDiluted"`
}

// addPools adds the pools that existed on the day, by plan in the order of creation.
func addPools(s *State, table *Table, ratios map[SecurityID]*big.Rat) {
	lapsed := lapsedIn(s, table.AsOf)
	for plan := range s.Plans() {
		for i := range plan.Pools {
			pool := &plan.Pools[i]
			figures := s.plans.poolOn(pool, table.AsOf).Add(lapsed[PoolRef{plan.ID, pool.ID}])
			if figures.none() {
				continue
			}
			line := TablePool{
				Plan: plan.ID, PlanName: plan.Name, Pool: pool.ID, Name: pool.Name, Security: pool.Security, PoolFigures: figures,
				Outstanding: figures.Outstanding(), Available: figures.Available(),
			}
			line.FullyDiluted = diluted(line.Available, pool.Security, ratios)
			table.Pools = append(table.Pools, line)
		}
	}
}

// diluted returns the number of shares as converted, rounded down once. It returns the shares
// themselves if the security does not convert.
func diluted(shares Decimal, of SecurityID, ratios map[SecurityID]*big.Rat) Decimal {
	if ratio, converts := ratios[of]; converts {
		return exact.RoundDown(new(big.Rat).Mul(shares.Rat(), ratio), exact.Places)
	}
	return shares
}

// TableConvertible is the line of a note, a SAFE or a custom agreement. Its conversion price is
// unknown, so that it does not count as shares of the company.
type TableConvertible struct {
	Holding   InstrumentID   `json:"holding"`
	Kind      InstrumentKind `json:"kind"`
	Entity    EntityID       `json:"entity"`
	Name      string         `json:"name"`
	IssueDate Date           `json:"issueDate"`
	// Principal is the unpaid principal. The other amounts are in its currency.
	Principal       Money    `json:"principal"`
	AccruedInterest Decimal  `json:"accruedInterest"`
	Balance         Decimal  `json:"balance"`
	MaturityDate    Date     `json:"maturityDate,omitzero"`
	ValuationCap    *Price   `json:"valuationCap,omitempty"`
	CapBasis        string   `json:"capBasis,omitempty"`
	Discount        *Decimal `json:"discount,omitempty"`
	MFN             bool     `json:"mfn,omitempty"`
}

// ConvertibleSum is the total of the convertibles in one currency.
type ConvertibleSum struct {
	Currency string `json:"currency"`
	// Count is the number of convertibles.
	Count           int     `json:"count"`
	Principal       Decimal `json:"principal"`
	AccruedInterest Decimal `json:"accruedInterest"`
	Balance         Decimal `json:"balance"`
}

// TableWarrant is the line of a warrant. Its shares are counted in the position of its holder.
type TableWarrant struct {
	Holding   InstrumentID `json:"holding"`
	Entity    EntityID     `json:"entity"`
	Name      string       `json:"name"`
	IssueDate Date         `json:"issueDate"`
	// Security is the class of the shares; zero if it is unknown.
	Security SecurityID `json:"security,omitzero"`
	// Quantity is the number of shares that the warrant can still buy; zero if it depends on the
	// coverage.
	Quantity       Decimal  `json:"quantity"`
	Coverage       *Decimal `json:"coverage,omitempty"`
	ExercisePrice  *Price   `json:"exercisePrice,omitempty"`
	ExpirationDate Date     `json:"expirationDate,omitzero"`
	// FullyDiluted is the quantity as converted; zero if the security or the quantity is unknown.
	FullyDiluted Decimal `json:"fullyDiluted"`
}

// addInstruments adds the instruments that were outstanding at the end of the day, in the order
// of entry.
func (r *instrumentRegister) addInstruments(table *Table, ratios map[SecurityID]*big.Rat, name func(EntityID) string) {
	for now := range r.records.All() {
		i, issued := now.On(table.AsOf)
		switch {
		case !issued || !i.Status.Outstanding():
		case i.IsConvertible():
			table.Convertibles = append(table.Convertibles, i.convertibleLine(table.AsOf, name))
		default:
			table.Warrants = append(table.Warrants, i.warrantLine(ratios, name))
		}
	}
	table.Totals.Convertibles = convertibleSums(table.Convertibles)
}

func (i *Instrument) convertibleLine(day Date, name func(EntityID) string) TableConvertible {
	line := TableConvertible{
		Holding: i.ID, Kind: i.Kind, Entity: i.Entity, Name: name(i.Entity), IssueDate: i.IssueDate, MaturityDate: i.MaturityDate,
		ValuationCap: i.ValuationCap, CapBasis: i.CapBasis, Discount: i.Discount, MFN: i.MFN,
	}
	line.Balance, line.AccruedInterest = i.Balance(day)
	line.Principal = Money{Amount: line.Balance.Sub(line.AccruedInterest), Currency: i.Principal.Currency}
	return line
}

func (i *Instrument) warrantLine(ratios map[SecurityID]*big.Rat, name func(EntityID) string) TableWarrant {
	line := TableWarrant{
		Holding: i.ID, Entity: i.Entity, Name: name(i.Entity), IssueDate: i.IssueDate, Security: i.Security, Quantity: i.Left,
		Coverage: i.Coverage, ExercisePrice: i.ExercisePrice, ExpirationDate: i.ExpirationDate,
	}
	if !i.Security.IsZero() {
		line.FullyDiluted = diluted(i.Left, i.Security, ratios)
	}
	return line
}

// convertibleSums returns the sums of the convertibles by currency, in the order of the currency
// codes.
func convertibleSums(lines []TableConvertible) []ConvertibleSum {
	var sums []ConvertibleSum
	for _, line := range lines {
		n, found := slices.BinarySearchFunc(sums, line.Principal.Currency, func(sum ConvertibleSum, currency string) int {
			return cmp.Compare(sum.Currency, currency)
		})
		if !found {
			sums = slices.Insert(sums, n, ConvertibleSum{Currency: line.Principal.Currency})
		}
		sum := &sums[n]
		sum.Count++
		sum.Principal, sum.Balance = sum.Principal.Add(line.Principal.Amount), sum.Balance.Add(line.Balance)
		sum.AccruedInterest = sum.AccruedInterest.Add(line.AccruedInterest)
	}
	return sums
}

// addWarrants adds the shares that warrants can still buy, for warrants with a known class and
// quantity.
func (r *instrumentRegister) addWarrants(lines *register, day Date) {
	for i := range r.records.All() {
		if left := i.LeftOn(day); !left.IsZero() && !i.Security.IsZero() {
			p := lines.position(i.Entity, i.Security)
			p.Warrants = p.Warrants.Add(left)
		}
	}
}

// ungranted returns the available shares of the pools at the end of the day, as converted.
func ungranted(s *State, day Date, ratios map[SecurityID]*big.Rat) (shares Decimal) {
	pools := Table{AsOf: day}
	addPools(s, &pools, ratios)
	for _, pool := range pools.Pools {
		shares = shares.Add(pool.FullyDiluted)
	}
	return shares
}
