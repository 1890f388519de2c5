package http

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
	"equity/messages"
	"equity/organization"
)

// uploadMembers takes in the members of a file.
func (s *Server) uploadMembers(ctx context.Context, c *Call) (Answer, error) {
	return s.importRows(ctx, c, kindMembers, c.Query("partial") == "true")
}

// register finds the members that rows are about, as knownHere does for one.
type register struct {
	byEmail  map[string]*organization.Member // by the canonical address; of who was removed, where nobody else has it
	external map[string]*organization.Member // without those who were removed
	taken    map[string]bool                 // addresses that earlier rows had
}

// memberIntake makes of each row a new member, or a change of the one that its externalId
// or else its e-mail address means.
func (s *Server) memberIntake(ctx context.Context, c *Call, rows []filledRow) (intake, error) {
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

// registerOf gathers by what a row may name a member who is there: an address of either the member
// or their account, or an external id. Addresses are compared in one spelling.
func (s *Server) registerOf(ctx context.Context, c *Call) (register, error) {
	known := register{map[string]*organization.Member{}, map[string]*organization.Member{}, map[string]bool{}}
	kept, err := s.index.Particulars(ctx, c.Organization)
	if err != nil {
		return known, unavailable(doing(ctx, "read particulars", err))
	}
	accounts, err := s.index.AddressesIn(ctx, c.Organization)
	if err != nil {
		return known, unavailable(doing(ctx, "read addresses", err))
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
			known.byEmail[canonical(address)] = member
		}
	}
	return known, nil
}

// enter notes whose address it is.
func (k register) enter(address string, member *organization.Member) {
	if other := k.byEmail[canonical(address)]; address != "" && (other == nil || other.Status == organization.StatusRemoved) {
		k.byEmail[canonical(address)] = member
	}
}

// memberRow makes the command of one row, and the particulars that go with it.
func (s *Server) memberRow(ctx context.Context, c *Call, known register, row filledRow) (organization.IntakeRow, []messages.Particular, error) {
	refused := func(err error) (organization.IntakeRow, []messages.Particular, error) {
		refusal, ok := errors.AsType[*captable.Error](err)
		if !ok {
			return organization.IntakeRow{}, nil, err
		}
		return organization.IntakeRow{Line: row.line, Refusal: refusal}, nil, nil
	}
	body, err := s.memberBody(row)
	if err != nil {
		return refused(err)
	}
	if email := canonical(row.cells["email"]); email != "" {
		if known.taken[email] {
			return refused(wrongField("/email", "duplicate", "An earlier row has this address."))
		}
		known.taken[email] = true
	}
	member, err := known.find(row)
	if err != nil {
		return refused(err)
	}
	add := organization.AddMember{Entity: fresh[captable.Entity](s)}
	switch {
	case member == nil:
	case member.Status == organization.StatusRemoved:
		add.Entity = member.Entity
	default:
		theirs := known.byEmail[canonical(row.cells["email"])] == member
		return s.memberChange(ctx, c, member, row.line, body, theirs)
	}
	if err := json.Unmarshal(body, &add.MemberTerms); err != nil {
		return refused(fmt.Errorf("member of line %d: %w", row.line, err))
	}
	add.Roles = []string{}
	_, particulars, err := splitParticulars(body, add.Entity)
	return organization.IntakeRow{Line: row.line, Command: add}, particulars, err
}

// memberChange lays what the row says over the member, whose the address in it may be already; empty cells change nothing.
func (s *Server) memberChange(
	ctx context.Context, c *Call, member *organization.Member, line int, body []byte, theirs bool,
) (organization.IntakeRow, []messages.Particular, error) {
	patch, particulars, err := splitParticulars(body, member.Entity)
	if err == nil {
		err = s.mergeAddress(ctx, c, particulars)
	}
	return organization.IntakeRow{Line: line, Command: organization.AmendMember{ID: member.ID, Patch: patch, Readdressed: readdresses(particulars) && !theirs}}, particulars, err
}

// find gives the member that the row means, by its externalId or else its address: nil for a new one, and who was removed
// returns. An address that is another member's is refused.
func (k register) find(row filledRow) (*organization.Member, error) {
	named, addressed := k.external[row.cells["externalId"]], k.byEmail[canonical(row.cells["email"])]
	if named == nil || addressed == nil || addressed.Status == organization.StatusRemoved {
		return cmp.Or(named, addressed), nil
	}
	if named.ID != addressed.ID {
		return nil, wrongField("/email", "duplicate", "Another member has this address.")
	}
	return named, nil
}

// memberBody gives the row as the body of adding a member, checked like one.
func (s *Server) memberBody(row filledRow) ([]byte, error) {
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
	faults := s.operations["addMember"].body.json.Check(body)
	for i := range faults {
		faults[i].Pointer = strings.Replace(faults[i].Pointer, "/address/", "/", 1)
	}
	return body, wrongFields(faults)
}

func isAddress(column string) bool {
	return slices.Contains([]string{"street1", "street2", "city", "province", "postalCode", "country"}, column)
}

// patchedRow reads the cells of a row into the fields of their names, and names every
// column that does not fit.
func patchedRow[R any](fields map[string]any) (R, *captable.Error) {
	var row R
	text, err := json.Marshal(fields)
	if err == nil {
		row, err = captable.Patched(row, text)
	}
	refusal, _ := errors.AsType[*captable.Error](err)
	if err != nil && refusal == nil {
		refusal = captable.Refuse(captable.CodeInvalid, "The row cannot be read.")
	}
	return row, refusal
}

// workbookEpoch is the day from which workbooks count days.
func workbookEpoch() captable.Date { return exact.MustDate("1899-12-30") }
