package http

import (
	"context"
	"iter"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// securityHandlers maps operation ids to the handlers of securities.
func (s *Server) securityHandlers() map[string]Handler {
	return map[string]Handler{
		"createSecurity":  s.createSecurity,
		"listSecurities":  s.listSecurities,
		"getSecurity":     s.getSecurity,
		"replaceSecurity": s.replaceSecurity,
		"deleteSecurity":  s.deleteSecurity,
		"authorizeShares": s.authorizeShares,
		"splitSecurity":   s.splitSecurity,
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

func (c *Call) showSecurity(security *captable.Security) any {
	if !c.Can(organization.ViewCapTable) {
		return securityTerms{security.ID, c.Organization, security.SecurityTerms, security.Meta}
	}
	return securityRecord{security, c.Organization, security.Outstanding(), security.Available()}
}

// shownSecurity returns the affected security.
func (c *Call) shownSecurity(reply messages.Reply) (shown, error) {
	security, err := touched[*captable.Security](reply)
	if err != nil {
		return shown{}, err
	}
	return shown{record: c.showSecurity(security), version: security.Version}, nil
}

func (s *Server) createSecurity(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.CreateSecurity](c)
	if err != nil {
		return Answer{}, err
	}
	return s.alter(ctx, c, command, nil, func(reply messages.Reply) (shown, error) {
		security, err := touched[*captable.Security](reply)
		if err != nil {
			return shown{}, err
		}
		location := "/organization/" + c.Organization.String() + "/security/" + security.ID.String()
		return shown{c.showSecurity(security), security.Version, location}, nil
	})
}

func (s *Server) listSecurities(_ context.Context, c *Call) (Answer, error) {
	return s.renderRecord(c, func() (any, error) {
		id := func(security *captable.Security) [16]byte { return security.ID }
		return shownPage(paged(c, id, c.securities()), c.showSecurity), nil
	})
}

// securities lists the securities as of the requested day: all for callers who may view the
// organization, else those of which the caller holds some.
func (c *Call) securities() iter.Seq[*captable.Security] {
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

func (s *Server) getSecurity(_ context.Context, c *Call) (Answer, error) {
	wanted := pathID[captable.Security](c, "security")
	for security := range c.securities() {
		if security.ID == wanted {
			return c.read(c.showSecurity(security), security.Version), nil
		}
	}
	return Answer{}, errNotFound()
}

func (s *Server) replaceSecurity(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.ReplaceSecurity](c)
	if err != nil {
		return Answer{}, err
	}
	command.ID = pathID[captable.Security](c, "security")
	return s.alter(ctx, c, command, command.ID, c.shownSecurity)
}

func (s *Server) deleteSecurity(ctx context.Context, c *Call) (Answer, error) {
	id := pathID[captable.Security](c, "security")
	return s.remove(ctx, c, captable.DeleteSecurity{ID: id}, id)
}

func (s *Server) authorizeShares(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.AuthorizeShares](c)
	if err != nil {
		return Answer{}, err
	}
	command.ID = pathID[captable.Security](c, "security")
	return s.alter(ctx, c, command, command.ID, c.shownSecurity)
}

func (s *Server) splitSecurity(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.SplitSecurity](c)
	if err != nil {
		return Answer{}, err
	}
	command.ID = pathID[captable.Security](c, "security")
	return s.alter(ctx, c, command, command.ID, c.shownSecurity)
}
