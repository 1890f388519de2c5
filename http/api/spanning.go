package api

import (
	"context"
	"slices"

	"equity/organization"
)

// Spanning is a list of records of several organizations: those of the caller in order of creation, each with its records in the order
// of List. Requests without a limit and a cursor are answered with all records. An organization with a damaged journal refuses the list.
type Spanning[R any] struct {
	// List returns the records of an organization. The membership is the present one; the view may be an earlier one.
	List func(home *Call) []R
	// ID returns the id of a record, which is unique and which the index locates.
	ID func(R) [16]byte
	// Whole makes the first page list all organizations, for totals.
	Whole bool
}

// FirstPage reports whether the request asks for the beginning of a list.
func FirstPage(c *Call) bool { return c.query["cursor"] == "" }

func errCursor() error {
	return WrongField("/query/cursor", "format", "The cursor is invalid. Use the nextCursor of a list.")
}

// PageOf returns the page after the cursor of the call. The cursor pins the state of the organization in which the former page ended. The
// other organizations are read as they are.
func PageOf[R any](ctx context.Context, s *Kernel, c *Call, list Spanning[R]) (Page[R], error) {
	page := spanningPage[R]{Page: Page[R]{Data: []R{}}, limit: limitOrAll(c), id: list.ID}
	first, ids, err := fromCursor(ctx, s, c)
	if err != nil {
		return page.Page, err
	}
	for home, err := range allHomes(ctx, s, c, ids) {
		resumed := err == nil && home.Organization == first
		if resumed {
			home.View, err = s.organizations.ViewAt(ctx, first, c.after.Sequence)
		}
		if err != nil {
			return page.Page, Unavailable(err)
		}
		records := list.List(home)
		if resumed {
			last := slices.IndexFunc(records, func(record R) bool { return list.ID(record) == c.after.After })
			if last < 0 { // of another request
				return page.Page, errCursor()
			}
			records = records[last+1:]
		}
		if full := page.add(records, home.View.Sequence); full && (!list.Whole || !FirstPage(c)) {
			break
		}
	}
	return page.Page, nil
}

// fromCursor returns the organizations of the caller from that of the cursor on. First is the organization of the cursor; zero for the first page.
func fromCursor(ctx context.Context, s *Kernel, c *Call) (first organization.ID, ids []organization.ID, err error) {
	if ids, err = HomeIDs(ctx, s, c); err != nil || FirstPage(c) {
		return first, ids, err
	}
	first, kind, err := s.Locator.Locate(ctx, c.after.After)
	if err != nil {
		return first, nil, Unavailable(err)
	}
	if kind == "" {
		return first, nil, errCursor()
	}
	begin, _ := slices.BinarySearchFunc(ids, first, compareIDs)
	return first, ids[begin:], nil
}

// spanningPage is a page that is being filled.
type spanningPage[R any] struct {
	Page[R]
	limit    int
	id       func(R) [16]byte
	sequence uint64 // of the organization of the last record
}

// add adds the records of an organization as of the sequence, as far as they fit. It reports whether records are left for the next page.
func (p *spanningPage[R]) add(records []R, sequence uint64) (full bool) {
	if room := min(p.limit-len(p.Data), len(records)); room > 0 {
		p.Data, p.sequence = append(p.Data, records[:room]...), sequence
		records = records[room:]
	}
	if len(records) > 0 && p.NextCursor == "" {
		p.NextCursor = Cursor{Sequence: p.sequence, After: p.id(p.Data[p.limit-1])}.String()
	}
	return p.NextCursor != ""
}
