package http

import (
	"context"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// legendHandlers maps operation ids to the handlers of legends.
func (s *Server) legendHandlers() map[string]Handler {
	return map[string]Handler{
		"createLegend":      s.createLegend,
		"listLegends":       s.listLegends,
		"getLegend":         s.getLegend,
		"amendLegend":       s.amendLegend,
		"deleteLegend":      s.deleteLegend,
		"getLegendSpecimen": s.getLegendSpecimen,
	}
}

type legendRecord struct {
	*captable.Legend
	Organization organization.ID `json:"organization"`
}

func (c *Call) showLegend(legend *captable.Legend) any { return legendRecord{legend, c.Organization} }

func (s *Server) createLegend(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.CreateLegend](c)
	if err != nil {
		return Answer{}, err
	}
	return s.alter(ctx, c, command, nil, func(reply messages.Reply) (shown, error) {
		legend, err := touched[*captable.Legend](reply)
		if err != nil {
			return shown{}, err
		}
		location := "/organization/" + c.Organization.String() + "/legend/" + legend.ID.String()
		return shown{c.showLegend(legend), legend.Version, location}, nil
	})
}

func (s *Server) listLegends(_ context.Context, c *Call) (Answer, error) {
	return s.renderRecord(c, func() (any, error) {
		id := func(legend *captable.Legend) [16]byte { return legend.ID }
		return shownPage(paged(c, id, c.View.State.Table().Legends()), c.showLegend), nil
	})
}

// legend returns the legend in the path.
func (c *Call) legend() (*captable.Legend, error) {
	legend, ok := c.View.State.Table().Legend(pathID[captable.Legend](c, "legend"))
	if !ok {
		return nil, errNotFound()
	}
	return legend, nil
}

func (s *Server) getLegend(_ context.Context, c *Call) (Answer, error) {
	legend, err := c.legend()
	if err != nil {
		return Answer{}, err
	}
	return c.read(c.showLegend(legend), legend.Version), nil
}

func (s *Server) amendLegend(ctx context.Context, c *Call) (Answer, error) {
	id := pathID[captable.Legend](c, "legend")
	return s.alter(ctx, c, captable.AmendLegend{ID: id, Patch: c.Body}, id, func(reply messages.Reply) (shown, error) {
		legend, err := touched[*captable.Legend](reply)
		if err != nil {
			return shown{}, err
		}
		return shown{record: c.showLegend(legend), version: legend.Version}, nil
	})
}

func (s *Server) deleteLegend(ctx context.Context, c *Call) (Answer, error) {
	id := pathID[captable.Legend](c, "legend")
	return s.remove(ctx, c, captable.DeleteLegend{ID: id}, id)
}
