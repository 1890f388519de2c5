package api

import (
	"encoding/json"

	"equity/captable"
	"equity/organization"
)

// guard reports whether the caller may run an operation. The organization, the membership and the
// permissions of the call are set before.
type guard func(c *Call) bool

// The permissions that do not depend on an organization.
const (
	PermissionPublic  = "public"
	permissionSession = "session"
	PermissionGateway = "gateway"
	permissionSite    = "canReadSite"
)

// guards maps the permissions of the contract to their checks.
func guards() map[string]guard {
	return map[string]guard{
		PermissionPublic:  nil,
		permissionSession: nil,
		PermissionGateway: nil,
		permissionSite:    func(c *Call) bool { return c.Caller.SiteAdmin },

		"canViewProfile":              maySeeSubject,
		"canUpdateProfile":            MayUpdateSubject,
		"canUpdateRecord(Addresses)":  MayUpdateSubject,
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
		"canViewFile":                 either(anyRole, maySeeSubject), // the operation checks the file
		"canEditDocuments":            either(holds(organization.EditDocuments), MayUpdateSubject),
		"canDeleteDocuments":          holds(organization.DeleteDocuments),
		"canEditOrganizationBilling":  holds(organization.EditBilling),
	}
}

// either requires one of two guards.
func either(first, second guard) guard {
	return func(c *Call) bool { return first(c) || second(c) }
}

// anyRole requires any permission.
func anyRole(c *Call) bool { return c.Permissions != 0 }

// holds requires one of the permissions.
func holds(one ...organization.Permission) guard {
	set := organization.NewPermissions(one...)
	return func(c *Call) bool { return c.Permissions&set != 0 }
}

// own requires the permission, or viewSelf and ownership of the holding in the path.
func own(p organization.Permission) guard {
	return func(c *Call) bool {
		if c.Can(p) {
			return true
		}
		return c.Can(organization.ViewSelf) && holderOf(c) == c.Member.Entity
	}
}

// ownOption requires the permission, or viewSelf and ownership of the grant in the path.
func ownOption(p organization.Permission) guard {
	return func(c *Call) bool {
		grant, ok := c.Present.State.Table().Grant(PathID[captable.Grant](c, "option"))
		return c.Can(p) || ok && c.Can(organization.ViewSelf) && grant.Entity == c.Member.Entity
	}
}

// editsExercise requires editIncentivePlan, or viewSelf and ownership of the grant if the operation is open to its
// holder.
func editsExercise(c *Call) bool {
	if c.Operation.owner {
		return ownOption(organization.EditIncentivePlan)(c)
	}
	return c.Can(organization.EditIncentivePlan)
}

// editsHolding requires editCapTable, or for an option editIncentivePlan.
func editsHolding(c *Call) bool {
	_, option := c.Present.State.Table().Grant(PathID[captable.Grant](c, "holding"))
	return c.Can(organization.EditCapTable) || option && c.Can(organization.EditIncentivePlan)
}

// acceptsHolding requires editsHolding, or viewSelf and ownership of the holding.
func acceptsHolding(c *Call) bool {
	return editsHolding(c) || c.Can(organization.ViewSelf) && holderOf(c) == c.Member.Entity
}

// edits requires editCapTable, or editIncentivePlan if the body is an option.
func edits(c *Call) bool {
	return c.Can(organization.EditCapTable) || c.Can(organization.EditIncentivePlan) && KindOf(c.Body) == KindOption
}

// holderOf returns the owner of the holding in the path; the zero ID if the path has no holding.
func holderOf(c *Call) captable.EntityID {
	table := c.Present.State.Table()
	if held, ok := table.Shareholding(PathID[captable.Shareholding](c, "holding")); ok {
		return held.Entity
	}
	if held, ok := table.Instrument(PathID[captable.Instrument](c, "holding")); ok {
		return held.Entity
	}
	if grant, ok := table.Grant(PathID[captable.Grant](c, "holding")); ok {
		return grant.Entity
	}
	return captable.EntityID{}
}

// memberOrSelf requires viewMembers, or viewSelf for the caller's own membership. Lists are filtered
// by the handler.
func memberOrSelf(c *Call) bool {
	if c.Can(organization.ViewMembers) {
		return true
	}
	member := PathID[captable.MemberKind](c, "member")
	return c.Can(organization.ViewSelf) && (member.IsZero() || member == c.Member.ID)
}

// KindOption is the kind of holding of a grant.
const KindOption captable.InstrumentKind = "option"

// KindOf returns the kind of holding in a body; empty if absent.
func KindOf(body []byte) captable.InstrumentKind {
	var named struct {
		Kind captable.InstrumentKind `json:"kind"`
	}
	_ = json.Unmarshal(body, &named)
	return named.Kind
}
