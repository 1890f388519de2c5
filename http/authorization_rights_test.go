package http_test

import (
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// verdict is the expected outcome for a caller of an operation.
type verdict int

const (
	admitted    verdict = iota // the operation runs
	unknown                    // 401: no session
	forbidden                  // 403: not a member, or the roles do not permit it
	hidden                     // 404: indistinguishable from a missing record
	confined                   // 403: the password must be changed first
	sessionOnly                // 403: no token permits it
	outOfScope                 // 403: the token lacks the scope
)

// standing describes a caller's relation to the estate.
type standing struct {
	signedIn, mustChange, siteAdmin bool
	member                          bool
	// may lists the permissions of the member's roles. holds reports whether the records
	// belong to the caller.
	may   []string
	holds bool
}

func (s *standing) has(permissions ...string) bool {
	return slices.ContainsFunc(permissions, func(p string) bool { return slices.Contains(s.may, p) })
}

// own reports whether the caller has access because the record is their own.
func (s *standing) own() bool { return s.holds && s.has("viewSelf") }

// rights maps each permission of the contract to the role permissions that satisfy it. It
// follows the specification and shares no code with the server.
func rights() map[string]func(s *standing, d *declared) bool {
	one := func(permissions ...string) func(*standing, *declared) bool {
		return func(s *standing, _ *declared) bool { return s.has(permissions...) }
	}
	orOwn := func(permission string) func(*standing, *declared) bool {
		return func(s *standing, _ *declared) bool { return s.has(permission) || s.own() }
	}
	return map[string]func(*standing, *declared) bool{
		"canViewOrganization":         func(s *standing, _ *declared) bool { return len(s.may) > 0 },
		"canEditOrganization":         one("editOrganizationDetails"),
		"canViewCapTable":             one("viewCapTable"),
		"canViewValuation":            one("viewCapTable"),
		"canEditCapTable":             one("editCapTable"),
		"canViewCapitalizationOrSelf": one("viewCapTable", "viewSelf"),
		"canViewHolding":              orOwn("viewCapTable"),
		"canViewOption":               orOwn("viewCapTable"),
		"canViewOptionOld":            orOwn("viewCapTable"),
		"canEdit":                     one("editCapTable"), // no example is about an option
		"canEditHolding":              one("editCapTable"),
		"canAcceptHolding":            orOwn("editCapTable"),
		"canImport":                   one("editCapTable"), // the example is about shares
		"canEditVesting":              one("editCapTable", "editIncentivePlan"),
		"canEditPlan":                 one("editIncentivePlan"),
		"canViewPool":                 one("viewIncentivePlan"),
		"canEditMembers":              one("editMembers"),
		"canEditExerciseOption": func(s *standing, d *declared) bool {
			return s.has("editIncentivePlan") || s.own() && d.own
		},
		"canViewMember": func(s *standing, d *declared) bool {
			return s.has("viewMembers") || s.has("viewSelf") && (s.holds || !d.has("member")) // lists show the own one
		},
		"canViewProfile":             func(*standing, *declared) bool { return true }, // callers without permission receive a profile without fields
		"canUpdateProfile":           func(s *standing, _ *declared) bool { return s.holds || s.has("editMembers") },
		"canUpdateRecord(Addresses)": func(s *standing, _ *declared) bool { return s.holds || s.has("editMembers") },
		"canEditOrganizationBilling": one("editBilling"),
		"canEditDocuments":           one("editDocuments"),
		"canViewFile":                func(s *standing, _ *declared) bool { return len(s.may) > 0 },
		"canReadSite":                func(s *standing, _ *declared) bool { return s.siteAdmin },
	}
}

// verdict returns the outcome that the contract promises the caller of an operation on the
// estate's records.
func (d *declared) verdict(s *standing) verdict {
	switch {
	case d.permission == "public":
		return admitted
	case d.permission == "gateway", !s.signedIn:
		return unknown
	case s.mustChange && d.session != "mustChangePassword":
		return confined
	case d.permission == "session":
		return admitted
	case d.permission == "canReadSite":
		if s.siteAdmin {
			return admitted
		}
		return forbidden
	case d.subject() && !s.holds && !s.has("viewMembers", "editMembers"):
		return hidden
	case !s.member && !d.names():
		return hidden
	case !s.member || !rights()[d.permission](s, d):
		return forbidden
	}
	if !d.satisfied(s) {
		return forbidden
	}
	if !d.shows(s) {
		return hidden
	}
	return admitted
}

// satisfied reports whether the caller has what x-requires declares: a permission, the guard of another operation, or the role Owner,
// whose members are the only callers with all permissions.
func (d *declared) satisfied(s *standing) bool {
	switch guard := rights()[d.requires]; {
	case d.requires == "":
		return true
	case d.requires == "owner":
		return s.has("editBilling") && s.has("deleteDocuments")
	case guard != nil:
		return guard(s, d)
	}
	return s.has(d.requires)
}

// shows reports whether the caller may read the record in the path. It depends on the kind of the record: documents are readable with
// one permission only, and the permission for any role does not extend to all records. The holder's records are in no block.
func (d *declared) shows(s *standing) bool {
	plans := s.has("viewIncentivePlan", "viewCapTable")
	anyRole := map[string]bool{
		"plan": plans, "vestingSchedule": plans, "security": s.has("viewOrganization", "viewCapTable") || s.own(),
		"conversation": false, // it belongs to its user
	}
	kinds := map[string]map[string]bool{
		"canViewOrganization": anyRole, "canViewCapitalizationOrSelf": {"block": s.has("viewCapTable")},
	}[d.permission]
	for _, p := range d.parameters {
		if p.In != openapi3.ParameterInPath {
			continue
		}
		if readable, known := kinds[p.Name]; known && !readable {
			return false
		}
		if (p.Name == "document" || p.Name == "file") && !s.has("viewDocuments") {
			return false
		}
	}
	return true
}

// has reports whether the path has the parameter.
func (d *declared) has(parameter string) bool { return strings.Contains(d.path, "{"+parameter+"}") }

// names reports whether the request names the organization itself, not only one of its records.
func (d *declared) names() bool {
	return d.organization != "" || d.has("organization")
}

// subject reports whether the operation is about a person across all their organizations.
func (d *declared) subject() bool {
	for _, p := range d.parameters {
		if p.Extensions["x-subject"] == true {
			return true
		}
	}
	return false
}
