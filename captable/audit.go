package captable

import "fmt"

// Audit counts everything anew and lists, a sentence each, what does not agree with
// the totals that are kept or with the rules that always hold; nothing when all is
// well. It is for whoever distrusts the program: the rules themselves never let it
// come so far.
func (s *State) Audit() []string {
	var faults []string
	outstanding := map[SecurityID]Decimal{}
	numbers := map[string]ShareholdingID{}
	for h := range s.Shareholdings() {
		if h.Shares.Sign() <= 0 {
			faults = append(faults, fmt.Sprintf("shareholding %s has %s shares", h.ID, h.Shares))
		}
		if other, taken := numbers[h.Certificate]; taken {
			faults = append(faults, fmt.Sprintf("shareholdings %s and %s have the certificate %s", other, h.ID, h.Certificate))
		}
		numbers[h.Certificate] = h.ID
		if h.Status.Outstanding() {
			outstanding[h.Security] = outstanding[h.Security].Add(h.Shares)
		}
	}
	for security := range s.Securities() {
		if got := security.Outstanding(); !got.Equal(outstanding[security.ID]) {
			faults = append(faults, fmt.Sprintf("security %s says %s shares are outstanding, its shareholdings say %s",
				security.ID, got, outstanding[security.ID]))
		}
		if security.Treasury.Sign() < 0 {
			faults = append(faults, fmt.Sprintf("security %s has a treasury of %s shares", security.ID, security.Treasury))
		}
		if !security.AuthorizedShares.Covers(security.Outstanding().Add(security.Reserved)) {
			faults = append(faults, fmt.Sprintf("security %s has %s shares outstanding and %s authorized",
				security.ID, security.Outstanding(), security.AuthorizedShares))
		}
	}
	return faults
}
