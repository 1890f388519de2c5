package http

import (
	"context"

	"equity/messages"
	"equity/organization"
)

// roleHandlers maps operation ids to the handlers of roles.
func (s *Server) roleHandlers() map[string]Handler {
	return map[string]Handler{
		"listRoles":   s.listRoles,
		"createRole":  s.createRole,
		"getRole":     s.getRole,
		"replaceRole": s.replaceRole,
		"deleteRole":  s.deleteRole,
	}
}

// roleRecord is the JSON form of a custom role.
type roleRecord struct {
	*organization.Role
	Organization organization.ID `json:"organization"`
}

// builtInRole is the JSON form of a role that every organization has.
type builtInRole struct {
	organization.RoleTerms
	BuiltIn bool `json:"builtIn"`
}

func (c *Call) showRole(role *organization.Role) any {
	if role.BuiltIn {
		return builtInRole{role.RoleTerms, true}
	}
	return roleRecord{role, c.Organization}
}

func (s *Server) listRoles(_ context.Context, c *Call) (Answer, error) {
	return s.renderRecord(c, func() (any, error) {
		found := page[any]{Data: []any{}}
		for _, role := range c.View.State.Roles() {
			found.Data = append(found.Data, c.showRole(&role))
		}
		return found, nil
	})
}

func (s *Server) getRole(_ context.Context, c *Call) (Answer, error) {
	role, ok := c.View.State.Role(pathID[organization.Role](c, "role"))
	if !ok {
		return Answer{}, errNotFound()
	}
	return c.read(c.showRole(role), role.Version), nil
}

func (s *Server) createRole(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[organization.CreateRole](c)
	if err != nil {
		return Answer{}, err
	}
	return s.change(ctx, c, command, nil, func(reply messages.Reply) (shown, error) {
		made, err := c.roleOf(reply)
		made.location = "/organization/" + c.Organization.String() + "/role/" + made.id
		return made.shown, err
	})
}

func (s *Server) replaceRole(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[organization.ReplaceRole](c)
	if err != nil {
		return Answer{}, err
	}
	command.ID = pathID[organization.Role](c, "role")
	return s.change(ctx, c, command, command.ID, func(reply messages.Reply) (shown, error) {
		made, err := c.roleOf(reply)
		return made.shown, err
	})
}

func (s *Server) deleteRole(ctx context.Context, c *Call) (Answer, error) {
	id := pathID[organization.Role](c, "role")
	return s.drop(ctx, c, organization.DeleteRole{ID: id}, id)
}

type shownRole struct {
	shown
	id string
}

func (c *Call) roleOf(reply messages.Reply) (shownRole, error) {
	role, err := touched[*organization.Role](reply)
	if err != nil {
		return shownRole{}, err
	}
	return shownRole{shown{record: c.showRole(role), version: role.Version}, role.ID.String()}, nil
}
