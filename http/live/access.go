package live

import (
	"slices"
	"strings"

	"equity/captable"
	"equity/messages"
	"equity/organization"
	"equity/organization/document"
)

// access is the part of a membership that decides about visible records. Streams with the same access receive the same bytes.
type access struct {
	permissions organization.Permissions
	member      organization.MemberID
	entity      captable.EntityID
	// reader decides about documents.
	reader reader
}

// reader is a [document.Viewer] that can be compared.
type reader struct {
	member organization.MemberID
	roles  string // separated by roleSeparator
	owner  bool
}

const roleSeparator = "\x00"

// viewer returns the reader of the data room.
func (a access) viewer() document.Viewer {
	return document.Viewer{
		Member: a.reader.member, Roles: strings.Split(a.reader.roles, roleSeparator), Owner: a.reader.owner,
		ViewDocuments: a.permissions.Has(organization.ViewDocuments),
	}
}

// accessOf returns the access of the user; false without a membership or a permission.
func accessOf(view *messages.View, user organization.UserID) (access, bool) {
	member, ok := view.State.MemberBy(user)
	if !ok {
		return access{}, false
	}
	permissions, _ := view.State.Permissions(user)
	a := access{permissions: permissions, reader: reader{member.ID, strings.Join(member.Roles, roleSeparator), member.Owns()}}
	if permissions.Has(organization.ViewSelf) {
		a.member, a.entity = member.ID, member.Entity
	}
	return a, permissions != 0
}

// sees reports whether the record is visible, as in the operation that reads it.
func (a access) sees(state *organization.State, r organization.Reference) bool {
	capTable := a.permissions.Has(organization.ViewCapTable)
	switch r.Kind {
	case organization.KindOrganization, organization.KindRole, organization.KindWebhook:
		return true
	case organization.KindMember:
		return a.permissions.Has(organization.ViewMembers) || !a.member.IsZero() && a.member == organization.MemberID(r.ID)
	case organization.KindPlan:
		return capTable || a.permissions.Has(organization.ViewIncentivePlan)
	case organization.KindDocument, organization.KindFile, organization.KindDocumentShare:
		if r.Outside { // as in the list of the office suite
			return a.permissions.Has(organization.ViewOrganization)
		}
		return a.reads(state.Documents(), r)
	case organization.KindSync, organization.KindDrive:
		return a.permissions.Has(organization.ViewOrganization)
	case organization.KindSubscription, organization.KindInvoice:
		return a.permissions.Has(organization.EditBilling)
	case organization.KindHookToken:
		return a.permissions.Has(organization.EditOrganizationDetails)
	case organization.KindSecurity:
		return capTable || a.permissions.Has(organization.ViewOrganization) || a.owns(state, r)
	case organization.KindVestingSchedule:
		return capTable || a.permissions.Has(organization.ViewIncentivePlan) || a.owns(state, r)
	default:
		return capTable || a.owns(state, r)
	}
}

// reads reports whether the record of the data room is visible.
func (a access) reads(tree *document.Tree, r organization.Reference) bool {
	viewer := a.viewer()
	visible := func(id document.ItemID) bool {
		item, ok := tree.Item(id)
		return ok && tree.Access(item).Sees(viewer)
	}
	switch r.Kind {
	case organization.KindDocument:
		return visible(r.ID)
	case organization.KindDocumentShare:
		share, ok := tree.Share(r.ID)
		return ok && a.permissions.Has(organization.EditDocuments) && visible(share.Document)
	}
	holders := tree.Holders(r.ID)
	if len(holders) == 0 {
		return viewer.Owner || viewer.ViewDocuments
	}
	return slices.ContainsFunc(holders, func(i *document.Item) bool { return visible(i.ID) })
}

// owns reports whether the record belongs to the entity of a member with viewSelf, or concerns a holding of it.
func (a access) owns(state *organization.State, r organization.Reference) bool {
	if a.entity.IsZero() {
		return false
	}
	table := state.Table()
	switch r.Kind {
	case organization.KindShareholding:
		held, ok := table.Shareholding(r.ID)
		return ok && held.Entity == a.entity
	case organization.KindHolding:
		if grant, ok := table.Grant(r.ID); ok {
			return grant.Entity == a.entity
		}
		held, ok := table.Instrument(r.ID)
		return ok && held.Entity == a.entity
	case organization.KindCapitalChange:
		change, ok := table.CapitalChange(r.ID)
		return ok && change.Entity == a.entity
	case organization.KindVestingSchedule:
		return table.VestsFor(a.entity, r.ID)
	case organization.KindSecurity:
		return a.holds(table, func(held *captable.Shareholding) bool {
			return held.Security == captable.SecurityID(r.ID) && held.Status.Outstanding()
		})
	case organization.KindBlock:
		return a.holds(table, func(held *captable.Shareholding) bool {
			if held.Block == "" || held.Status == captable.StatusVoided {
				return false
			}
			block, ok := table.BlockOf(held.Block)
			return ok && block.ID == captable.BlockID(r.ID)
		})
	}
	return false
}

// holds reports whether the entity has a matching shareholding.
func (a access) holds(table *captable.State, match func(*captable.Shareholding) bool) bool {
	for held := range table.ShareholdingsOf(a.entity) {
		if match(held) {
			return true
		}
	}
	return false
}
