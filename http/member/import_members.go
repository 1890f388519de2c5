package member

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"equity/captable"
	"equity/captable/exact"
	"equity/fault"
	"equity/http/api"
	"equity/messages"
	"equity/organization"
)

// uploadMembers imports the members of a file.
func (s imports) uploadMembers(ctx context.Context, c *api.Call) (api.Answer, error) {
	return s.importRows(ctx, c, kindMembers, c.Query("partial") == "true")
}

// register indexes the members for the rows of a file.
type register struct {
	byEmail  map[string]*organization.Member // by canonical address; a removed member only if no active member has the address
	external map[string]*organization.Member // by external id, without removed members
	taken    map[string]bool                 // the addresses of earlier rows
}

// memberIntake converts each row to a new member, or to a change of the member with its external id or
// else its e-mail address.
func (s imports) memberIntake(ctx context.Context, c *api.Call, rows []filledRow) (intake, error) {
	known, err := s.registerOf(ctx, c)
	if err != nil {
		return intake{}, err
	}
	in := intake{particulars: map[int][]messages.Particular{}, membersAsOf: c.View.Sequence}
	for _, row := range rows {
		made, particulars, err := s.memberRow(ctx, c, known, row)
		if err != nil {
			return intake{}, err
		}
		in.rows, in.particulars[row.line] = append(in.rows, made), particulars
	}
	return in, nil
}

// registerOf indexes the members by external id and by the canonical e-mail addresses of the member
// and of their account.
func (s imports) registerOf(ctx context.Context, c *api.Call) (register, error) {
	known := register{map[string]*organization.Member{}, map[string]*organization.Member{}, map[string]bool{}}
	kept, err := s.Index.Particulars(ctx, c.Organization)
	if err != nil {
		return known, api.Unavailable(api.Wrap(ctx, "read particulars", err))
	}
	accounts, err := s.Index.AddressesIn(ctx, c.Organization)
	if err != nil {
		return known, api.Unavailable(api.Wrap(ctx, "read addresses", err))
	}
	for member := range c.View.State.Members() {
		present := member.Status != organization.StatusRemoved
		if member.ExternalID != "" && present {
			known.external[member.ExternalID] = member
		}
		known.enter(email(kept[member.Entity]["email"]), member)
	}
	for user, address := range accounts {
		if member, ok := c.View.State.MemberBy(user); ok {
			known.byEmail[messages.CanonicalEmail(address)] = member
		}
	}
	return known, nil
}

// enter adds an address of the member.
func (k register) enter(address string, member *organization.Member) {
	if other := k.byEmail[messages.CanonicalEmail(address)]; address != "" && (other == nil || other.Status == organization.StatusRemoved) {
		k.byEmail[messages.CanonicalEmail(address)] = member
	}
}

// memberRow returns the command of one row and its particulars.
func (s imports) memberRow(ctx context.Context, c *api.Call, known register, row filledRow) (organization.IntakeRow, []messages.Particular, error) {
	refused := func(err error) (organization.IntakeRow, []messages.Particular, error) {
		refusal, ok := errors.AsType[*fault.Error](err)
		if !ok {
			return organization.IntakeRow{}, nil, err
		}
		return organization.IntakeRow{Line: row.line, Refusal: refusal}, nil, nil
	}
	body, err := s.memberBody(row)
	if err != nil {
		return refused(err)
	}
	if email := messages.CanonicalEmail(row.cells["email"]); email != "" {
		if known.taken[email] {
			return refused(api.WrongField("/email", "duplicate", "An earlier row has the same address."))
		}
		known.taken[email] = true
	}
	member, err := known.find(row)
	if err != nil {
		return refused(err)
	}
	add := organization.AddMember{Entity: captable.ID[captable.Entity](s.NewID())}
	switch {
	case member == nil:
	case member.Status == organization.StatusRemoved:
		add.Entity = member.Entity
	default:
		theirs := known.byEmail[messages.CanonicalEmail(row.cells["email"])] == member
		return s.memberChange(ctx, c, member, row.line, body, theirs)
	}
	if err := json.Unmarshal(body, &add.MemberTerms); err != nil {
		return refused(fmt.Errorf("member of line %d: %w", row.line, err))
	}
	add.Roles = []string{}
	_, particulars, err := splitParticulars(body, add.Entity)
	return organization.IntakeRow{Line: row.line, Command: add}, particulars, err
}

// memberChange returns the command that applies the row to the member. Empty cells keep the stored value.
// Theirs reports that the address in the row is the member's already.
func (s imports) memberChange(
	ctx context.Context, c *api.Call, member *organization.Member, line int, body []byte, theirs bool,
) (organization.IntakeRow, []messages.Particular, error) {
	patch, particulars, err := splitParticulars(body, member.Entity)
	if err == nil {
		err = s.mergeAddress(ctx, c, particulars)
	}
	return organization.IntakeRow{Line: line, Command: organization.AmendMember{ID: member.ID, Patch: patch, Readdressed: readdresses(particulars) && !theirs}}, particulars, err
}

// find returns the member with the row's external id or else its address; nil for a new member. The
// result may be a removed member, whom the row adds again. It refuses an address of another member.
func (k register) find(row filledRow) (*organization.Member, error) {
	named, addressed := k.external[row.cells["externalId"]], k.byEmail[messages.CanonicalEmail(row.cells["email"])]
	if named == nil || addressed == nil || addressed.Status == organization.StatusRemoved {
		return cmp.Or(named, addressed), nil
	}
	if named.ID != addressed.ID {
		return nil, api.WrongField("/email", "duplicate", "Another member has this address.")
	}
	return named, nil
}

// memberBody returns the row as the request body of addMember, after the same checks.
func (s imports) memberBody(row filledRow) ([]byte, error) {
	fields, address := map[string]any{}, map[string]any{}
	for column, cell := range row.cells {
		if isAddress(column) {
			address[column] = cell
		} else {
			fields[column] = cell
		}
	}
	if len(address) > 0 {
		fields["address"] = address
	}
	body, err := json.Marshal(fields)
	if err != nil {
		return nil, fmt.Errorf("row of line %d: %w", row.line, err)
	}
	faults := s.CheckBody("addMember", body)
	for i := range faults {
		faults[i].Pointer = strings.Replace(faults[i].Pointer, "/address/", "/", 1)
	}
	return body, api.WrongFields(faults)
}

func isAddress(column string) bool {
	return slices.Contains([]string{"street1", "street2", "city", "province", "postalCode", "country"}, column)
}

// patchedRow decodes the cells into the fields of R. The error lists every column with an invalid
// value.
func patchedRow[R any](fields map[string]any) (R, *fault.Error) {
	var row R
	text, err := json.Marshal(fields)
	if err == nil {
		row, err = captable.Patched(row, text)
	}
	refusal, _ := errors.AsType[*fault.Error](err)
	if err != nil && refusal == nil {
		refusal = fault.Refuse(fault.Invalid, "The row is invalid.")
	}
	return row, refusal
}

// workbookEpoch is day 0 of dates in workbooks.
func workbookEpoch() captable.Date { return exact.MustDate("1899-12-30") }
