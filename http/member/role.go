package member

import (
	"context"

	"equity/http/api"
	"equity/organization"
)

// operations maps operation ids to the handlers of roles.
func (s roles) operations() map[string]api.Handler {
	roles := api.Noun[organization.Role]{
		Kernel: s.Kernel, Parameter: "role",
		Key:  func(role *organization.Role) (organization.RoleID, uint64) { return role.ID, role.Version },
		One:  func(c *api.Call, id organization.RoleID) (*organization.Role, bool) { return c.View.State.Role(id) },
		Show: showRole,
		Location: func(c *api.Call, role *organization.Role) string {
			return "/organization/" + c.Organization.String() + "/role/" + role.ID.String()
		},
	}
	return map[string]api.Handler{
		"listRoles": s.listRoles,
		"createRole": roles.Create(func(c *api.Call) (organization.CommandOf[*organization.Role], error) {
			return api.Decode[organization.CreateRole](c)
		}),
		"getRole": roles.Get,
		"replaceRole": roles.Replace(func(c *api.Call) (organization.CommandOf[*organization.Role], error) {
			command, err := api.Decode[organization.ReplaceRole](c)
			command.ID = api.PathID[organization.Role](c, "role")
			return command, err
		}),
		"deleteRole": roles.Remove(
			func(_ *api.Call, id organization.RoleID) organization.Command { return organization.DeleteRole{ID: id} },
		),
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

func showRole(c *api.Call, role *organization.Role) any {
	if role.BuiltIn {
		return builtInRole{role.RoleTerms, true}
	}
	return roleRecord{role, c.Organization}
}

// roleKey is the key of a role in the list. The custom roles follow in order of creation.
func roleKey(at int, role organization.Role) string {
	if role.BuiltIn {
		return "built in " + api.PlaceKey(at, role)
	}
	return "custom " + string(role.ID[:])
}

func (s roles) listRoles(_ context.Context, c *api.Call) (api.Answer, error) {
	return s.RenderRecord(c, func() (any, error) {
		return api.ListedByKey(c, c.View.State.Roles(), roleKey, func(role organization.Role) any { return showRole(c, &role) })
	})
}
