package captable

import (
	"math/big"

	"equity/captable/exact"
)

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
