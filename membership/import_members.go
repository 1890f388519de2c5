package membership

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// register indexes the members for the rows of a file.
type register struct {
	byEmail  map[string]*organization.Member // by canonical address; a removed member only if no active member has the address
	external map[string]*organization.Member // by external id, without removed members
	taken    map[string]bool                 // the addresses of earlier rows
	stored   map[captable.EntityID]string    // the stored addresses
}

// memberIntake converts each row to a new member, or to a change of the member with its external id or
// else its e-mail address.
func (s *Service) memberIntake(ctx context.Context, r *Request, view *messages.View, rows []Row) (intake, error) {
	known, err := s.registerOf(ctx, view)
	if err != nil {
		return intake{}, err
	}
	in := intake{particulars: map[string][]messages.Particular{}, membersAsOf: view.Sequence}
	for _, row := range rows {
		made, particulars, err := s.memberRow(ctx, r, view, known, row)
		if err != nil {
			return intake{}, err
		}
		in.rows, in.particulars[row.Place] = append(in.rows, made), particulars
	}
	return in, nil
}

// registerOf indexes the members by external id and by the canonical e-mail addresses of the member
// and of their account.
func (s *Service) registerOf(ctx context.Context, view *messages.View) (register, error) {
	known := register{
		map[string]*organization.Member{}, map[string]*organization.Member{}, map[string]bool{}, map[captable.EntityID]string{},
	}
	kept, err := s.Index.Particulars(ctx, view.State.ID())
	if err != nil {
		return known, messages.Unavailable(ctx, "read particulars", err)
	}
	accounts, err := s.Index.AddressesIn(ctx, view.State.ID())
	if err != nil {
		return known, messages.Unavailable(ctx, "read addresses", err)
	}
	for member := range view.State.Members() {
		present := member.Status != organization.StatusRemoved
		if member.ExternalID != "" && present {
			known.external[member.ExternalID] = member
		}
		known.stored[member.Entity] = emailOf(kept[member.Entity][fieldEmail])
		known.enter(known.stored[member.Entity], member)
	}
	for user, address := range accounts {
		if member, ok := view.State.MemberBy(user); ok {
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
func (s *Service) memberRow(
	ctx context.Context, r *Request, view *messages.View, known register, row Row,
) (organization.IntakeRow, []messages.Particular, error) {
	refused := func(err error) (organization.IntakeRow, []messages.Particular, error) {
		refusal, ok := errors.AsType[*fault.Error](err)
		if !ok {
			return organization.IntakeRow{}, nil, err
		}
		return organization.IntakeRow{Place: row.Place, Refusal: refusal}, nil, nil
	}
	body, err := s.memberBody(row)
	if err != nil {
		return refused(err)
	}
	if email := messages.CanonicalEmail(row.Cells["email"]); email != "" {
		if known.taken[email] {
			return refused(fault.InvalidField("/email", "duplicate",
				"An earlier row has the same address. Remove one of the rows, or correct its address."))
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
		if add.Address, err = s.readdressRow(ctx, r, view, known, member, row); err != nil {
			return refused(err)
		}
	default:
		address, err := s.readdressRow(ctx, r, view, known, member, row)
		if err != nil {
			return refused(err)
		}
		return s.memberChange(ctx, view.State.ID(), member, row.Place, body, address)
	}
	if err := json.Unmarshal(body, &add.MemberTerms); err != nil {
		return refused(fmt.Errorf("member of row %s: %w", row.Place, err))
	}
	add.Roles = []string{}
	_, private, err := SplitParticulars(body)
	return organization.IntakeRow{Place: row.Place, Command: add}, private.of(add.Entity), err
}

// readdressRow describes the change of the member's address by the row. An empty cell keeps the address.
func (s *Service) readdressRow(
	ctx context.Context, r *Request, view *messages.View, known register, member *organization.Member, row Row,
) (organization.Readdressing, error) {
	email := row.Cells["email"]
	if email == "" || known.byEmail[messages.CanonicalEmail(email)] == member {
		return organization.Readdressing{}, nil
	}
	return s.readdressFrom(ctx, r, view, member, known.stored[member.Entity], email)
}

// memberChange returns the command that applies the row to the member. Empty cells keep the stored value.
func (s *Service) memberChange(
	ctx context.Context, id organization.ID, member *organization.Member, place string, body []byte, address organization.Readdressing,
) (organization.IntakeRow, []messages.Particular, error) {
	patch, private, err := SplitParticulars(body)
	particulars := private.of(member.Entity)
	if err == nil {
		err = s.mergeAddress(ctx, id, particulars)
	}
	amend := organization.AmendMember{ID: member.ID, Patch: patch, Address: address}
	return organization.IntakeRow{Place: place, Command: amend}, particulars, err
}

// find returns the member with the row's external id or else its address; nil for a new member. The
// result may be a removed member, whom the row adds again. It refuses an address of another member.
func (k register) find(row Row) (*organization.Member, error) {
	named, addressed := k.external[row.Cells["externalId"]], k.byEmail[messages.CanonicalEmail(row.Cells["email"])]
	if named == nil || addressed == nil || addressed.Status == organization.StatusRemoved {
		return cmp.Or(named, addressed), nil
	}
	if named.ID != addressed.ID {
		return nil, fault.InvalidField("/email", "duplicate", "Another member has this address.")
	}
	return named, nil
}

// memberBody returns the row as the fields of a new member, after the checks of the contract.
func (s *Service) memberBody(row Row) ([]byte, error) {
	fields, address := map[string]any{}, map[string]any{}
	for column, cell := range row.Cells {
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
		return nil, fmt.Errorf("row %s: %w", row.Place, err)
	}
	faults := s.CheckMember(body)
	for i := range faults {
		faults[i].Pointer = strings.Replace(faults[i].Pointer, "/address/", "/", 1)
	}
	return body, row.Faults.WithIndependent(faults).Err()
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
		refusal = fault.Refuse(fault.Invalid, "The row could not be read. Compare it with the template.")
	}
	return row, refusal
}
