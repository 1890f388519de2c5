package ocf

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"equity/captable"
)

// type409A is the only valuation type of the format.
const type409A = "409A"

// valuation is a valuation at its creation and in its current state.
type valuation = stated[captable.ValuationTerms]

type valuationObject struct {
	ID        string          `json:"id"`
	Type      string          `json:"object_type"`
	Provider  string          `json:"provider,omitempty"`
	Price     *captable.Money `json:"price_per_share"`
	Effective captable.Date   `json:"effective_date"`
	Kind      string          `json:"valuation_type"`
	Class     string          `json:"stock_class_id"`
	Comments  []string        `json:"comments,omitempty"`
}

// addValuations writes the valuations that the format can represent.
func (e *export) addValuations() {
	for _, v := range e.valuations {
		class := e.classes[v.now.Security]
		if v.now.Type != type409A || class == nil || v.now.EffectiveDate > e.cover.AsOf {
			continue
		}
		object := func(terms captable.ValuationTerms) any {
			return valuationObject{
				v.id, typeValuation, terms.Provider, terms.PricePerShare, terms.EffectiveDate, type409A, e.classID(terms.Security),
				terms.Comments,
			}
		}
		e.add(fileValuations, v.place, v.json(object))
	}
}

func (x *Exporter) classID(id captable.SecurityID) string {
	if c := x.classes[id]; c != nil {
		return c.id
	}
	return ""
}

// financing is a funding round at its creation and in its current state.
type financing = stated[captable.BlockTerms]

type financingObject struct {
	ID        string        `json:"id"`
	Type      string        `json:"object_type"`
	Name      string        `json:"name"`
	Issuances []string      `json:"issuance_ids"`
	Date      captable.Date `json:"date"`
	Comments  []string      `json:"comments,omitempty"`
}

// addFinancings writes the funding rounds with issuances. The format has no rounds without
// issuances.
func (e *export) addFinancings() {
	if len(e.financings) == 0 {
		return
	}
	issued, issuances := e.issuedIn()
	for id, f := range e.financings {
		came, now := e.issuances(f, issued[id], issuances)
		date := f.now.CloseDate
		for _, h := range issued[id] {
			if f.now.CloseDate == 0 && (date == 0 || h.now.IssueDate < date) {
				date = h.now.IssueDate
			}
		}
		if len(now) == 0 || date > e.cover.AsOf {
			continue
		}
		object := func(terms captable.BlockTerms, issuances []string) financingObject {
			return financingObject{f.id, typeFinancing, terms.Name, issuances, cmp.Or(terms.CloseDate, date), terms.Comments}
		}
		changed := f.changed || !slices.Equal(came, now)
		e.add(fileFinancings, f.place, written(f.source, changed, object(f.initial(), came), object(f.now, now)))
	}
}

// issuedIn returns the holdings of each round in export order, and all holdings by issuance
// id. Holdings outside the export belong to no round.
func (e *export) issuedIn() (rounds map[captable.BlockID][]*holding, issuances map[string]*holding) {
	names := map[string]captable.BlockID{}
	for id, f := range e.financings {
		names[id.String()], names[folded(f.now.Name)] = id, id
	}
	rounds, issuances = map[captable.BlockID][]*holding{}, map[string]*holding{}
	for _, h := range e.holdings {
		issuances[h.issuanceID()] = h
		if id, known := names[folded(h.now.Block)]; known && !h.voided && h.now.IssueDate <= e.cover.AsOf {
			rounds[id] = append(rounds[id], h)
		}
	}
	for _, held := range rounds {
		slices.SortFunc(held, func(a, b *holding) int {
			return cmp.Or(cmp.Compare(a.place.batch, b.place.batch), cmp.Compare(a.place.order, b.place.order))
		})
	}
	return rounds, issuances
}

// issuances returns the imported issuances of the round and the current ones. Imported
// issuances of other kinds of securities are kept, as are those whose round has not changed.
func (e *export) issuances(f *financing, held []*holding, all map[string]*holding) (came, now []string) {
	var source struct {
		Issuances []string `json:"issuance_ids"`
	}
	if f.source != nil && json.Unmarshal(f.source.Object, &source) == nil {
		came = source.Issuances
	}
	listed, holds := map[string]bool{}, map[*holding]bool{}
	for _, h := range held {
		holds[h] = true
	}
	for _, issuance := range came {
		h := all[issuance]
		if h == nil || holds[h] || !h.voided && h.now.Block == h.initial().Block && h.now.IssueDate <= e.cover.AsOf {
			now = append(now, issuance)
			listed[issuance] = true
		}
	}
	for _, h := range held {
		if !listed[h.issuanceID()] {
			now = append(now, h.issuanceID())
		}
	}
	return came, now
}

// folded normalizes a name for comparison: lower case, without surrounding space.
func folded(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

// issuanceID returns the id of the transaction that issued the holding.
func (h *holding) issuanceID() string {
	var source struct {
		ID string `json:"id"`
	}
	if h.source != nil && json.Unmarshal(h.source.Object, &source) == nil && source.ID != "" {
		return source.ID
	}
	return h.now.ID.String() + "-issued"
}
