package http_test

import (
	"slices"
	"strings"
)

// verdict is the expected outcome for a caller of an operation.
type verdict int

const (
	admitted  verdict = iota // the operation runs
	unknown                  // 401: no session
	forbidden                // 403: not a member, or the roles do not permit it
	hidden                   // 404: indistinguishable from a missing record
	confined                 // 403: the password must be changed first
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
			return s.has("editIncentivePlan") || s.own() && (d.id == "requestExercise" || d.id == "acceptOption")
		},
		"canViewMember": func(s *standing, d *declared) bool {
			return s.has("viewMembers") || s.has("viewSelf") && (s.holds || d.id == "listMembers")
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
	if restrictions := restrictions()[d.id]; restrictions.sees != nil && !restrictions.sees(s) {
		return restrictions.otherwise
	}
	return admitted
}

// restriction limits which permitted callers see the record of an operation.
type restriction struct {
	sees      func(s *standing) bool
	otherwise verdict
}

// restrictions maps operation ids to restrictions, for operations whose record some permitted
// callers do not see.
func restrictions() map[string]restriction {
	plans := func(s *standing) bool { return s.has("viewIncentivePlan", "viewCapTable") }
	reads := restriction{func(s *standing) bool { return s.has("viewDocuments") }, hidden}
	deletes := restriction{func(s *standing) bool { return s.has("deleteDocuments") && s.has("viewDocuments") }, forbidden}
	// Owners are the only callers with all permissions.
	erases := restriction{func(s *standing) bool { return s.has("editBilling") && s.has("deleteDocuments") }, forbidden}
	// The Owner connected the drive of the estate.
	connects := restriction{func(s *standing) bool { return s.has("editBilling") && s.has("editDocuments") }, forbidden}
	return map[string]restriction{
		"createSyncConfig":   connects,
		"getDocumentContent": reads, "getDocumentContentNamed": reads, "getDocumentPreview": reads, "listDocumentVersions": reads,
		"getFileContent": reads, "getFileContentNamed": reads,
		"moveDocument": reads, "setDocumentAccess": reads, "listDocumentViews": reads, "listShares": reads, "createShare": reads, "revokeShare": reads,
		"deleteDocument": deletes, "restoreDocument": deletes, "eraseFileContent": erases,
		// Conversations belong to their user; no caller has this one.
		"getAgentConversation":    {func(*standing) bool { return false }, hidden},
		"deleteAgentConversation": {func(*standing) bool { return false }, hidden},
		"getPlan":                 {plans, hidden},
		"getPlanDashboard":        {plans, hidden},
		"getVestingSchedule":      {plans, hidden},
		"getSecurity":             {func(s *standing) bool { return s.has("viewOrganization", "viewCapTable") || s.own() }, hidden},
		"getBlock":                {func(s *standing) bool { return s.has("viewCapTable") }, hidden}, // the caller's holding is in no block
		"getAddress":              {func(s *standing) bool { return s.holds || s.has("editMembers") }, forbidden},
	}
}

// names reports whether the request names the organization itself, not only one of its records.
func (d *declared) names() bool {
	return d.organization != "" || strings.Contains(d.path, "{organization}")
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
