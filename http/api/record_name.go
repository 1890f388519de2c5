package api

import (
	"slices"
	"strings"

	"equity/captable"
	"equity/organization"
	"equity/organization/document"
)

// recordName is the name of a record for the person that confirms a change. Entity is that of a person whose address the caller may see.
type recordName struct {
	kind, name string
	entity     captable.EntityID
}

// nameOf returns the name of the record of the call's organization with the id. The kind is empty for a record that the caller may not see.
func (s *Describer) nameOf(c *Call, id [16]byte) recordName {
	if c.View == nil || c.Member == nil {
		return recordName{}
	}
	state := c.View.State
	if c.Organization == organization.ID(id) {
		return recordName{kind: "organization", name: visible(state.Profile().Name)}
	}
	for _, find := range []func(*Call, [16]byte) recordName{
		nameOfPerson, nameOfRole, nameOfDocument, nameOfClass, nameOfHolding, nameOfPlan, nameOfConnection,
	} {
		if found := find(c, id); found.kind != "" {
			found.name = visible(found.name)
			return found
		}
	}
	for _, room := range s.Rooms {
		if room.Name == nil {
			continue
		}
		if kind, name := room.Name(c, id); kind != "" {
			return recordName{kind: kind, name: visible(name)}
		}
	}
	return recordName{}
}

func nameOfPerson(c *Call, id [16]byte) recordName {
	member, ok := c.View.State.Member(captable.MemberID(id))
	if !ok {
		member, ok = c.View.State.MemberOf(captable.EntityID(id))
	}
	private := ok && (holds(organization.ViewMembers, organization.EditMembers)(c) || member.Entity == c.Member.Entity)
	switch {
	case !ok || !private && !holds(organization.ViewCapTable, organization.EditCapTable, organization.EditIncentivePlan)(c):
		return recordName{}
	case !private:
		return recordName{kind: "member", name: member.FullName}
	}
	return recordName{"member", member.FullName, member.Entity}
}

func nameOfRole(c *Call, id [16]byte) recordName {
	role, ok := c.View.State.Role(organization.RoleID(id))
	if !ok {
		return recordName{}
	}
	return recordName{kind: "role", name: role.Name}
}

// nameOfDocument returns the path of a document or a folder, or the path of a document with a file.
func nameOfDocument(c *Call, id [16]byte) recordName {
	tree := c.View.State.Documents()
	viewer := document.Viewer{
		Member: c.Member.ID, Roles: c.Member.Roles, Owner: c.Member.Owns(), ViewDocuments: c.Can(organization.ViewDocuments),
	}
	path := func(item *document.Item) string {
		parts := tree.Path(item)
		names := make([]string, 0, len(parts)+1)
		for _, folder := range append(slices.Clip(parts), item) {
			names = append(names, folder.Name)
		}
		return "/" + strings.Join(names, "/")
	}
	if item, ok := tree.Item(document.ItemID(id)); ok && tree.Access(item).Sees(viewer) {
		return recordName{kind: string(item.Type), name: path(item)}
	}
	for _, item := range tree.Holders(document.FileID(id)) {
		if tree.Access(item).Sees(viewer) {
			return recordName{kind: "file", name: path(item)}
		}
	}
	if file, ok := tree.File(document.FileID(id)); ok && viewer.Owner {
		return recordName{kind: "file", name: file.Name}
	}
	share, ok := tree.Share(document.ShareID(id))
	if !ok {
		return recordName{}
	}
	if item, ok := tree.Item(share.Document); ok && tree.Access(item).Sees(viewer) {
		return recordName{kind: "share", name: path(item)}
	}
	return recordName{}
}

// nameOfClass names securities, legends, rounds and valuations.
func nameOfClass(c *Call, id [16]byte) recordName {
	if !holds(organization.ViewCapTable, organization.EditCapTable, organization.EditIncentivePlan, organization.ViewSelf)(c) {
		return recordName{}
	}
	table := c.View.State.Table()
	if found, ok := table.Security(captable.SecurityID(id)); ok {
		return recordName{kind: "security", name: found.Name}
	}
	if found, ok := table.Legend(captable.LegendID(id)); ok {
		return recordName{kind: "legend", name: found.Name}
	}
	if !holds(organization.ViewCapTable, organization.EditCapTable)(c) {
		return recordName{}
	}
	if found, ok := table.Block(captable.BlockID(id)); ok {
		return recordName{kind: "round", name: found.Name}
	}
	if found, ok := table.Valuation(captable.ValuationID(id)); ok {
		return recordName{kind: "valuation", name: found.Type + " of " + found.EffectiveDate.String()}
	}
	if found, ok := table.CapitalChange(captable.CapitalChangeID(id)); ok {
		return recordName{kind: "capitalChange", name: found.Kind + " of " + found.Date.String() + ", " + c.View.State.NameOf(found.Entity)}
	}
	return recordName{}
}

// nameOfHolding names shareholdings, convertibles, warrants and grants by their holder.
func nameOfHolding(c *Call, id [16]byte) recordName {
	table, names := c.View.State.Table(), c.View.State.NameOf
	may := func(entity captable.EntityID, all ...organization.Permission) bool {
		return holds(all...)(c) || c.Can(organization.ViewSelf) && entity == c.Member.Entity
	}
	className := func(id captable.SecurityID) string {
		if found, ok := table.Security(id); ok {
			return found.Name
		}
		return ""
	}
	if h, ok := table.Shareholding(captable.ShareholdingID(id)); ok && may(h.Entity, organization.ViewCapTable, organization.EditCapTable) {
		return recordName{kind: "shareholding", name: joined(h.Certificate, h.Shares.String()+" "+className(h.Security), names(h.Entity))}
	}
	if i, ok := table.Instrument(captable.InstrumentID(id)); ok && may(i.Entity, organization.ViewCapTable, organization.EditCapTable) {
		return recordName{kind: string(i.Kind), name: joined(i.IssueDate.String(), names(i.Entity))}
	}
	grant, ok := table.Grant(captable.GrantID(id))
	request := captable.RequestID(id)
	if !ok { // the request of an exercise of the grant in the path
		grant, ok = table.Grant(PathID[captable.Grant](c, "option"))
		ok = ok && slices.ContainsFunc(grant.Requests, func(r captable.ExerciseRequest) bool { return r.ID == request })
		if ok && may(grant.Entity, organization.ViewCapTable, organization.EditIncentivePlan) {
			at := slices.IndexFunc(grant.Requests, func(r captable.ExerciseRequest) bool { return r.ID == request })
			return recordName{
				kind: "exerciseRequest",
				name: joined(grant.Requests[at].Quantity.String(), grant.Requests[at].Date.String(), names(grant.Entity)),
			}
		}
		return recordName{}
	}
	if may(
		grant.Entity, organization.ViewCapTable, organization.EditCapTable, organization.ViewIncentivePlan, organization.EditIncentivePlan,
	) {
		return recordName{
			kind: "option",
			name: joined(grant.Quantity.String()+" "+className(grant.Security), grant.IssueDate.String(), names(grant.Entity)),
		}
	}
	return recordName{}
}

// nameOfPlan names plans, pools and vesting schedules.
func nameOfPlan(c *Call, id [16]byte) recordName {
	if !holds(organization.ViewCapTable, organization.EditCapTable, organization.ViewIncentivePlan, organization.EditIncentivePlan)(c) {
		return recordName{}
	}
	table := c.View.State.Table()
	for plan := range table.Plans() {
		if plan.ID == captable.PlanID(id) {
			return recordName{kind: "plan", name: plan.Name}
		}
		for i := range plan.Pools {
			if plan.Pools[i].ID == captable.PoolID(id) {
				return recordName{kind: "pool", name: plan.Name + " " + plan.Pools[i].Name}
			}
		}
	}
	if found, ok := table.VestingSchedule(captable.VestingScheduleID(id)); ok {
		return recordName{kind: "vestingSchedule", name: found.Name}
	}
	return recordName{}
}

// nameOfConnection names the subscription.
func nameOfConnection(c *Call, id [16]byte) recordName {
	if found, ok := c.View.State.Subscription(); ok && found.ID == organization.SubscriptionID(id) && c.Can(organization.EditBilling) {
		return recordName{kind: "subscription", name: found.Plan + ", each " + found.Interval}
	}
	return recordName{}
}

// joined returns the parts that are not empty, with commas.
func joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return strings.TrimSpace(part) == "" }), ", ")
}
