package http

import (
	"iter"

	"equity/captable"
	"equity/organization"
)

// legendHandlers maps operation ids to the handlers of legends.
func (s *Server) legendHandlers() map[string]Handler {
	legends := noun[captable.Legend]{
		server: s, parameter: "legend",
		key:  func(legend *captable.Legend) (captable.LegendID, uint64) { return legend.ID, legend.Version },
		all:  func(c *Call) iter.Seq[*captable.Legend] { return c.View.State.Table().Legends() },
		one:  func(c *Call, id captable.LegendID) (*captable.Legend, bool) { return c.View.State.Table().Legend(id) },
		show: func(c *Call, legend *captable.Legend) any { return legendRecord{legend, c.Organization} },
		location: func(c *Call, legend *captable.Legend) string {
			return "/organization/" + c.Organization.String() + "/legend/" + legend.ID.String()
		},
	}
	return map[string]Handler{
		"createLegend": legends.create(inBody[captable.CreateLegend]),
		"listLegends":  legends.list,
		"getLegend":    legends.get,
		"amendLegend": legends.replace(func(c *Call) (organization.CommandOf[*captable.Legend], error) {
			return organization.InTable(captable.AmendLegend{ID: pathID[captable.Legend](c, "legend"), Patch: c.Body}), nil
		}),
		"deleteLegend": legends.remove(func(_ *Call, id captable.LegendID) organization.Command {
			return organization.Table{Command: captable.DeleteLegend{ID: id}}
		}),
		"getLegendSpecimen": s.getLegendSpecimen,
	}
}

type legendRecord struct {
	*captable.Legend
	Organization organization.ID `json:"organization"`
}
