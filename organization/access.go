package organization

import (
	"slices"
	"strings"

	"equity/captable"
	"equity/organization/document"
)

// Access is the part of a membership that decides about visible records. It can be compared: readers with the same access see the same.
type Access struct {
	permissions Permissions
	// own and entity are those of the member with viewSelf, otherwise zero.
	own    MemberID
	entity captable.EntityID
	// member, roles and owner decide about documents.
	member MemberID
	roles  string // separated by roleSeparator
	owner  bool
}

const roleSeparator = "\x00"

// Access returns the access of the reader.
func (r Reader) Access() Access {
	a := Access{permissions: r.Permissions, member: r.Member.ID, roles: strings.Join(r.Member.Roles, roleSeparator), owner: r.Member.Owns()}
	if r.Permissions.Has(ViewSelf) {
		a.own, a.entity = r.Member.ID, r.Member.Entity
	}
	return a
}

// Can reports whether the access has the permission.
func (a Access) Can(p Permission) bool { return a.permissions.Has(p) }

// viewer returns the reader of the data room.
func (a Access) viewer() document.Viewer {
	return document.Viewer{
		Member: a.member, Roles: strings.Split(a.roles, roleSeparator), Owner: a.owner, ViewDocuments: a.Can(ViewDocuments),
	}
}

// sees reports whether a record outside of extensions is visible; see [Schema.Sees].
func (a Access) sees(state *State, r Reference) bool {
	capTable := a.Can(ViewCapTable)
	switch r.Kind {
	case KindOrganization, KindRole:
		return true
	case KindMember:
		return a.Can(ViewMembers) || !a.own.IsZero() && a.own == MemberID(r.ID)
	case KindPlan:
		return capTable || a.Can(ViewIncentivePlan)
	case KindDocument, KindFile, KindDocumentShare:
		if r.Outside { // as in the list of the office suite
			return a.Can(ViewDocuments)
		}
		return a.reads(state.Documents(), r)
	case KindSubscription, KindInvoice:
		return a.Can(EditBilling)
	case KindHookToken:
		return a.Can(EditOrganizationDetails)
	case KindSecurity:
		return capTable || a.Can(ViewOrganization) || a.owns(state, r)
	case KindVestingSchedule:
		return capTable || a.Can(ViewIncentivePlan) || a.owns(state, r)
	default:
		return capTable || a.owns(state, r)
	}
}

// reads reports whether the record of the data room is visible.
func (a Access) reads(tree *document.Tree, r Reference) bool {
	if a.owner {
		return true
	}
	viewer := a.viewer()
	visible := func(id document.ItemID) bool {
		item, ok := tree.Item(id)
		return ok && tree.Access(item).Sees(viewer)
	}
	switch r.Kind {
	case KindDocument:
		return visible(r.ID)
	case KindDocumentShare:
		share, ok := tree.Share(r.ID)
		return ok && a.Can(EditDocuments) && visible(share.Document)
	}
	holders := tree.Holders(r.ID)
	if len(holders) == 0 {
		return viewer.ViewDocuments
	}
	return slices.ContainsFunc(holders, func(i *document.Item) bool { return visible(i.ID) })
}

// owns reports whether the record belongs to the entity of a member with viewSelf, or concerns a holding of it.
func (a Access) owns(state *State, r Reference) bool {
	if a.entity.IsZero() {
		return false
	}
	table := state.Table()
	switch r.Kind {
	case KindShareholding:
		held, ok := table.Shareholding(r.ID)
		return ok && held.Entity == a.entity
	case KindHolding:
		if grant, ok := table.Grant(r.ID); ok {
			return grant.Entity == a.entity
		}
		held, ok := table.Instrument(r.ID)
		return ok && held.Entity == a.entity
	case KindCapitalChange:
		change, ok := table.CapitalChange(r.ID)
		return ok && change.Entity == a.entity
	case KindVestingSchedule:
		return table.VestsFor(a.entity, r.ID)
	case KindSecurity:
		return a.holds(table, func(held *captable.Shareholding) bool {
			return held.Security == captable.SecurityID(r.ID) && held.Status.Outstanding()
		})
	case KindBlock:
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
func (a Access) holds(table *captable.State, match func(*captable.Shareholding) bool) bool {
	for held := range table.ShareholdingsOf(a.entity) {
		if match(held) {
			return true
		}
	}
	return false
}
