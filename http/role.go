package http

import (
	"context"

	"equity/organization"
)

// roleRecord is a role as it is answered.
type roleRecord struct {
	Name        string   `json:"name"`
	Description string   `json:"description"`
	Permissions []string `json:"permissions"`
	BuiltIn     bool     `json:"builtIn"`
}

func (s *Server) listRoles(_ context.Context, c *Call) (Answer, error) {
	return s.renderRecord(c, func() (any, error) {
		found := page[roleRecord]{Data: []roleRecord{}}
		for _, role := range organization.BuiltInRoles() {
			found.Data = append(found.Data, roleRecord{
				Name: role.Name, Description: role.Description, Permissions: role.Permissions.Names(), BuiltIn: true,
			})
		}
		return found, nil
	})
}
