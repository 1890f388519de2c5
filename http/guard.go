package http

import (
	"equity/captable"
	"equity/organization"
)

// guard decides whether the caller of an operation may run it. The caller's
// membership and permissions are known by then, and so is the organization.
type guard func(c *Call) bool

// The permissions that are not about an organization.
const (
	permissionPublic  = "public"
	permissionSession = "session"
	permissionGateway = "gateway"
	permissionSite    = "canReadSite"
)

// guards is the table of what satisfies each permission of the contract.
func guards() map[string]guard {
	return map[string]guard{
		permissionPublic:  nil,
		permissionSession: nil,
		permissionGateway: nil,
		permissionSite:    func(c *Call) bool { return c.Caller.SiteAdmin },

		"canViewProfile":              maySeeSubject,
		"canUpdateProfile":            mayUpdateSubject,
		"canUpdateRecord(Addresses)":  mayUpdateSubject,
		"canViewOrganization":         anyRole,
		"canEditOrganization":         holds(organization.EditOrganizationDetails),
		"canViewCapTable":             holds(organization.ViewCapTable),
		"canViewValuation":            holds(organization.ViewCapTable),
		"canEditCapTable":             holds(organization.EditCapTable),
		"canViewCapitalizationOrSelf": holds(organization.ViewCapTable, organization.ViewSelf),
		"canViewHolding":              own(organization.ViewCapTable),
		"canEditHolding":              editsHolding,
		"canAcceptHolding":            acceptsHolding,
		"canEdit":                     edits,
		"canImport":                   holds(organization.EditCapTable, organization.EditMembers, organization.EditIncentivePlan),
		"canViewOption":               ownOption(organization.ViewCapTable),
		"canViewOptionOld":            ownOption(organization.ViewCapTable),
		"canEditExerciseOption":       editsExercise,
		"canEditVesting":              holds(organization.EditCapTable, organization.EditIncentivePlan),
		"canEditPlan":                 holds(organization.EditIncentivePlan),
		"canViewPool":                 holds(organization.ViewIncentivePlan),
		"canViewMember":               memberOrSelf,
		"canEditMembers":              holds(organization.EditMembers),
		"canViewDocuments":            holds(organization.ViewDocuments),
		"canViewFile":                 holds(organization.ViewDocuments),
		"canEditDocuments":            holds(organization.EditDocuments),
		"canDeleteDocuments":          holds(organization.DeleteDocuments),
		"canEditOrganizationBilling":  holds(organization.EditBilling),
	}
}

// anyRole wants a membership that allows anything at all.
func anyRole(c *Call) bool { return c.Permissions != 0 }

// holds wants one of the permissions.
func holds(one ...organization.Permission) guard {
	set := organization.Of(one...)
	return func(c *Call) bool { return c.Permissions&set != 0 }
}

// own wants the permission, or that the holding in the path is the caller's own and they
// may see what is theirs.
func own(p organization.Permission) guard {
	return func(c *Call) bool {
		if c.Can(p) {
			return true
		}
		return c.Can(organization.ViewSelf) && c.holder() == c.Member.Entity
	}
}

// ownOption wants the permission, or that the grant in the path is the caller's own and
// they may see what is theirs.
func ownOption(p organization.Permission) guard {
	return func(c *Call) bool {
		grant, ok := c.present.State.Table().Grant(pathID[captable.Grant](c, "option"))
		return c.Can(p) || ok && c.Can(organization.ViewSelf) && grant.Entity == c.Member.Entity
	}
}

// editsExercise wants editIncentivePlan. Holders ask for an exercise and accept a grant
// themselves.
func editsExercise(c *Call) bool {
	if id := c.operation.id; id == "requestExercise" || id == "acceptOption" {
		return ownOption(organization.EditIncentivePlan)(c)
	}
	return c.Can(organization.EditIncentivePlan)
}

// editsHolding wants editCapTable, or editIncentivePlan where the holding is an option.
func editsHolding(c *Call) bool {
	_, option := c.present.State.Table().Grant(pathID[captable.Grant](c, "holding"))
	return c.Can(organization.EditCapTable) || option && c.Can(organization.EditIncentivePlan)
}

// acceptsHolding wants what editing the holding wants, or that it is the caller's own and
// they may see what is theirs: holders accept for themselves.
func acceptsHolding(c *Call) bool {
	return editsHolding(c) || c.Can(organization.ViewSelf) && c.holder() == c.Member.Entity
}

// edits wants editCapTable, or editIncentivePlan where the body is about an option.
func edits(c *Call) bool {
	return c.Can(organization.EditCapTable) || c.Can(organization.EditIncentivePlan) && kindOf(c.Body) == kindOption
}

// holder is whose the shareholding or other holding of the path is; nobody's where there
// is none.
func (c *Call) holder() captable.EntityID {
	table := c.present.State.Table()
	if held, ok := table.Shareholding(pathID[captable.Shareholding](c, "holding")); ok {
		return held.Entity
	}
	if held, ok := table.Instrument(pathID[captable.Instrument](c, "holding")); ok {
		return held.Entity
	}
	if grant, ok := table.Grant(pathID[captable.Grant](c, "holding")); ok {
		return grant.Entity
	}
	return captable.EntityID{}
}

// memberOrSelf wants viewMembers, or that the member in the path is the caller. A
// list is open to both: it shows what each may see.
func memberOrSelf(c *Call) bool {
	if c.Can(organization.ViewMembers) {
		return true
	}
	member := pathID[captable.MemberKind](c, "member")
	return c.Can(organization.ViewSelf) && (member.IsZero() || member == c.Member.ID)
}
