package equity

import (
	"context"

	"equity/captable"
	"equity/http/api"
)

// operations maps operation ids to the handlers of the whole cap table.
func (s capTables) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"exportCapTable":      s.exportCapTable,
		"getDashboard":        s.getDashboard,
		"explainFigure":       s.explainFigure,
		"getCapTableTimeline": s.getCapTableTimeline,
	}
}

// capTable is the JSON form of the cap table.
type capTable struct {
	// Sequence is the number of the last event that the table includes.
	Sequence uint64 `json:"sequence"`
	// Currency is the currency of all amounts.
	Currency string `json:"currency"`
	captable.Table
}

func capTableOf(c *api.Call) capTable {
	state := c.View.State
	return capTable{c.View.Sequence, state.Profile().Currency, state.Table().TableOn(through(c), state.NameOf)}
}

// through returns the effective day of the table: the requested day, else the present day in UTC. If
// an event is dated tomorrow, which is possible in time zones ahead of UTC, it returns tomorrow, so
// that the present table includes every recorded event.
func through(c *api.Call) captable.Date {
	if c.Query("asOf") != "" {
		return c.AsOf()
	}
	return max(c.AsOf(), c.View.State.Table().LastDate())
}

// exportCapTable returns the whole table. Each format is rendered once per state, day and permissions.
func (s capTables) exportCapTable(ctx context.Context, c *api.Call) (api.Answer, error) {
	name := c.View.State.Profile().Name + " cap table " + c.AsOf().String()
	switch c.Query("format") {
	case "csv":
		return s.Download(c, api.ContentCSV, api.FileName(name, "csv"), func() ([]byte, error) { return capTableOf(c).csv() })
	case "xlsx":
		return s.Download(c, api.ContentXLSX, api.FileName(name, "xlsx"), func() ([]byte, error) {
			return capTableOf(c).xlsx(c.View.State.Profile().PrintedName())
		})
	case "ocf":
		return s.exportPackage(ctx, c, api.FileName(name, "ocf.zip"))
	default:
		return s.RenderShared(c, api.ContentJSON, api.AsJSON(func() (any, error) { return capTableOf(c), nil }))
	}
}
