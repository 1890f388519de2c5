package equity

import (
	"iter"

	"equity/captable"
	"equity/http/api"
	"equity/organization"
)

// operations maps operation ids to the handlers of legends.
func (s legends) operations() map[string]api.Handler {
	legends := api.Noun[captable.Legend]{
		Kernel: s.Kernel, Parameter: "legend",
		Key: func(legend *captable.Legend) (captable.LegendID, uint64) { return legend.ID, legend.Version },
		All: func(c *api.Call) iter.Seq[*captable.Legend] { return c.View.State.Table().Legends() },
		One: func(c *api.Call, id captable.LegendID) (*captable.Legend, bool) {
			return c.View.State.Table().Legend(id)
		},
		Show: func(c *api.Call, legend *captable.Legend) any { return legendRecord{legend, c.Organization} },
		Location: func(c *api.Call, legend *captable.Legend) string {
			return "/organization/" + c.Organization.String() + "/legend/" + legend.ID.String()
		},
	}
	return map[string]api.Handler{
		"createLegend": legends.Create(api.InBody[captable.CreateLegend]),
		"listLegends":  legends.List,
		"getLegend":    legends.Get,
		"amendLegend": legends.Replace(func(c *api.Call) (organization.CommandOf[*captable.Legend], error) {
			return organization.TableCommand(captable.AmendLegend{ID: api.PathID[captable.Legend](c, "legend"), Patch: c.Body}), nil
		}),
		"deleteLegend": legends.Remove(func(_ *api.Call, id captable.LegendID) organization.Command {
			return organization.Table{Command: captable.DeleteLegend{ID: id}}
		}),
		"getLegendSpecimen": s.getLegendSpecimen,
	}
}

type legendRecord struct {
	*captable.Legend
	Organization organization.ID `json:"organization"`
}
