package member

import (
	"equity/http/api"
	"equity/organization"
)

// Show returns the JSON form of an organization, which is identified by its id, of a member or of a role; false for other records.
// It is that for the caller, without particulars. Features are those of the settings.
func Show(c *api.Call, features map[string]bool, record any) (shown any, known bool) {
	switch r := record.(type) {
	case organization.ID:
		described := describeOrganization(c.View.State, features, c.Member.Roles, c.Permissions)
		if !c.ReadableFiles().Shows(described.Logo) {
			described.Logo = ""
		}
		return described, true
	case *organization.Member:
		return memberRecord{Organization: c.Organization, Member: r}, true
	case *organization.Role:
		return showRole(c, r), true
	}
	return nil, false
}
