package member

import (
	"context"
	"strings"

	"equity/http/api"
	"equity/membership"
	"equity/organization"
)

// maxShown is the number of changes of a kind that the dry run of an import shows in words. Changed addresses of members are shown beyond
// it, because they decide who receives an account.
const maxShown = 20

// rowDetails returns the rows of a spreadsheet in words.
func (s imports) rowDetails(
	ctx context.Context, c *api.Call, kind string, rows []membership.Row, results []membership.ImportedRow,
) ([]api.Records, error) {
	references := organization.ReferencesOf(c.Present.State)
	var changes []api.Contained
	for i, row := range rows {
		if i >= maxShown && !results[i].Readdresses {
			continue
		}
		change := api.Contained{Pointer: row.Pointer(), Operation: operationOf(kind)}
		if member := results[i].Member; !member.IsZero() {
			change.Operation, change.Path = "amendMember", map[string]string{"member": member.String()}
		}
		for _, column := range membership.Columns(kind) {
			if text, given := row.Cells[column]; given {
				change.Cells = append(change.Cells, api.Cell{Column: column, Text: text, Argument: membership.ArgumentOf(column)})
			}
		}
		if kind != membership.Members {
			found := references.Of(row.Cells)
			change.Refers = func(pointer, _ string) api.Reference {
				return api.Reference{ID: found[strings.TrimPrefix(pointer, "/")]}
			}
		}
		changes = append(changes, change)
	}
	shown, err := s.Describer.Contained(ctx, c, changes)
	return []api.Records{{Kind: kind, Count: len(rows), Shown: shown}}, err
}

// operationOf returns the operation that records a row of the kind.
func operationOf(kind string) string {
	switch kind {
	case membership.Members:
		return "addMember"
	case membership.Options:
		return "createHolding"
	default:
		return "issueShareholding"
	}
}
