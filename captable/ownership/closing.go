package ownership

import (
	"cmp"
	"slices"
	"strings"

	"equity/captable"
)

// MostClosings is the number of closings with a point.
const MostClosings = 100

// Closing is the first issue of shares in a funding round.
type Closing struct {
	Date captable.Date `json:"date"`
	Name string        `json:"name"`
	// ID is the id of the round; zero for a name without a record.
	ID captable.BlockID `json:"id,omitzero"`
}

// closings returns the rounds with a first issue until the day, by date and name. Shares that result from other shares
// do not count.
func closings(s *captable.State, until captable.Date) []Closing {
	first := map[string]*Closing{}
	for h := range s.Shareholdings() {
		if h.Block == "" || h.Status == captable.StatusVoided || h.IssueDate > until || h.Origin != nil && len(h.Origin.From) > 0 {
			continue
		}
		closing, known := first[h.Block]
		if !known {
			closing = &Closing{h.IssueDate, strings.TrimSpace(h.Block), captable.BlockID{}}
			if block, ok := s.BlockOf(h.Block); ok {
				closing.Name, closing.ID = block.Name, block.ID
			}
			first[h.Block] = closing
		}
		closing.Date = min(closing.Date, h.IssueDate)
	}
	return listed(first)
}

// listed joins the names of the same round and sorts the rounds.
func listed(first map[string]*Closing) []Closing {
	rounds := map[string]Closing{}
	for _, closing := range first {
		key := strings.ToLower(closing.Name)
		if other, known := rounds[key]; !known || closing.Date < other.Date || closing.Date == other.Date && closing.Name < other.Name {
			rounds[key] = *closing
		}
	}
	all := make([]Closing, 0, len(rounds))
	for _, closing := range rounds {
		all = append(all, closing)
	}
	slices.SortFunc(all, func(a, b Closing) int { return cmp.Or(cmp.Compare(a.Date, b.Date), cmp.Compare(a.Name, b.Name)) })
	return all
}
