package equity

import (
	"iter"

	"equity/captable"
	"equity/http/api"
	"equity/organization"
)

// operations maps operation ids to the handlers of securities.
func (s securities) operations() map[string]api.Handler {
	securities := api.Noun[captable.Security]{
		Kernel: s.Kernel, Parameter: "security",
		Key:  func(security *captable.Security) (captable.SecurityID, uint64) { return security.ID, security.Version },
		All:  securitiesOf,
		One:  security,
		Show: showSecurity,
		Location: func(c *api.Call, security *captable.Security) string {
			return "/organization/" + c.Organization.String() + "/security/" + security.ID.String()
		},
	}
	return map[string]api.Handler{
		"createSecurity": securities.Create(api.InBody[captable.CreateSecurity]),
		"listSecurities": securities.List,
		"getSecurity":    securities.Get,
		"replaceSecurity": securities.Replace(api.InBodyFor("security",
			func(command *captable.ReplaceSecurity, id captable.SecurityID) { command.ID = id })),
		"deleteSecurity": securities.Remove(func(_ *api.Call, id captable.SecurityID) organization.Command {
			return organization.Table{Command: captable.DeleteSecurity{ID: id}}
		}),
		"authorizeShares": securities.Replace(api.InBodyFor("security",
			func(command *captable.AuthorizeShares, id captable.SecurityID) { command.ID = id })),
		"splitSecurity": securities.Replace(api.InBodyFor("security",
			func(command *captable.SplitSecurity, id captable.SecurityID) { command.ID = id })),
	}
}

// securityRecord is the JSON form of a security with its figures.
type securityRecord struct {
	*captable.Security
	Organization organization.ID     `json:"organization"`
	Outstanding  captable.Decimal    `json:"outstanding"`
	Available    captable.Authorized `json:"available"`
}

// securityTerms is the JSON form of a security for callers without permission to view the cap table.
// It has the terms without the figures.
type securityTerms struct {
	ID           captable.SecurityID `json:"id"`
	Organization organization.ID     `json:"organization"`
	captable.SecurityTerms
	captable.Meta
}

func showSecurity(c *api.Call, security *captable.Security) any {
	if !c.Can(organization.ViewCapTable) {
		return securityTerms{security.ID, c.Organization, security.SecurityTerms, security.Meta}
	}
	return securityRecord{security, c.Organization, security.Outstanding(), security.Available()}
}

// securities lists the securities as of the requested day: all for callers who may view the
// organization, else those of which the caller holds some.
func securitiesOf(c *api.Call) iter.Seq[*captable.Security] {
	table := c.View.State.Table()
	seesAll := c.Can(organization.ViewOrganization) || c.Can(organization.ViewCapTable)
	lines := map[captable.SecurityID]captable.TableSecurity{}
	if c.Query("asOf") != "" {
		for _, line := range table.TableOn(c.AsOf(), c.View.State.NameOf).Securities {
			lines[line.ID] = line
		}
	}
	own := map[captable.SecurityID]bool{}
	for held := range table.ShareholdingsOf(c.Member.Entity) {
		own[held.Security] = own[held.Security] || held.Status.Outstanding()
	}
	return func(yield func(*captable.Security) bool) {
		for security := range table.Securities() {
			if !seesAll && !own[security.ID] {
				continue
			}
			if c.Query("asOf") != "" {
				line, exists := lines[security.ID]
				if !exists {
					continue // it begins after the day
				}
				security = security.On(line, c.AsOf())
			}
			if !yield(security) {
				return
			}
		}
	}
}

// security returns the security with the id from the list of the caller.
func security(c *api.Call, id captable.SecurityID) (*captable.Security, bool) {
	for security := range securitiesOf(c) {
		if security.ID == id {
			return security, true
		}
	}
	return nil, false
}
