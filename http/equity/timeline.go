package equity

import (
	"context"
	"strconv"

	"equity/captable"
	"equity/captable/ownership"
	"equity/http/api"
)

// timeline is the JSON form of the ownership over time.
type timeline struct {
	AsOf     captable.Date `json:"asOf"`
	Sequence uint64        `json:"sequence"`
	Currency string        `json:"currency"`
	ownership.Timeline
}

// timelinePoints is the number of evenly spread days by default.
const timelinePoints = 60

// getCapTableTimeline returns the fully diluted ownership on days from the first issue of shares to the present one.
func (s capTables) getCapTableTimeline(_ context.Context, c *api.Call) (api.Answer, error) {
	return s.RenderShared(c, api.ContentJSON, api.AsJSON(func() (any, error) {
		state, points := c.View.State, timelinePoints
		if n, err := strconv.Atoi(c.Query("points")); err == nil {
			points = n
		}
		return timeline{through(c), c.View.Sequence, state.Profile().Currency, ownership.Over(state.Table(), ownership.Query{
			ByHolder: c.Query("by") == "holder", Points: points, Formed: state.Profile().FormationDate, To: through(c), Name: state.NameOf,
		})}, nil
	}))
}
