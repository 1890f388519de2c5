package http

import (
	"context"

	"equity/organization"
)

// roleHandlers maps operation ids to the handlers of roles.
func (s *Server) roleHandlers() map[string]Handler {
	roles := noun[organization.Role]{
		server: s, parameter: "role",
		key:  func(role *organization.Role) (organization.RoleID, uint64) { return role.ID, role.Version },
		one:  func(c *Call, id organization.RoleID) (*organization.Role, bool) { return c.View.State.Role(id) },
		show: (*Call).showRole,
		location: func(c *Call, role *organization.Role) string {
			return "/organization/" + c.Organization.String() + "/role/" + role.ID.String()
		},
	}
	return map[string]Handler{
		"listRoles": s.listRoles,
		"createRole": roles.create(func(c *Call) (organization.CommandOf[*organization.Role], error) {
			return decode[organization.CreateRole](c)
		}),
		"getRole": roles.get,
		"replaceRole": roles.replace(func(c *Call) (organization.CommandOf[*organization.Role], error) {
			command, err := decode[organization.ReplaceRole](c)
			command.ID = pathID[organization.Role](c, "role")
			return command, err
		}),
		"deleteRole": roles.remove(func(_ *Call, id organization.RoleID) organization.Command { return organization.DeleteRole{ID: id} }),
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
