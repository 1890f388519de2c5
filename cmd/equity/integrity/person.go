package integrity

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"equity/captable"
	"equity/organization"
)

// PersonFault is an incorrect or missing row of the table person. The zero User means that the row must not exist.
type PersonFault struct {
	Entity captable.EntityID
	User   organization.UserID
	Reason string
}

// Persons compares the table person with the members of all checked organizations. With all, rows without
// a membership are faults too, unless a journal could not be read.
func (c *Checker) Persons(ctx context.Context, all bool) (faults []PersonFault, err error) {
	stored := map[captable.EntityID]bool{}
	err = c.journal.Persons(ctx, func(entity captable.EntityID, user organization.UserID, exists bool) {
		stored[entity] = true
		candidates := c.persons[entity]
		switch {
		case !exists:
			faults = append(faults, PersonFault{Entity: entity, Reason: "the account does not exist"})
		case slices.Contains(candidates, user):
		case len(candidates) > 0:
			faults = append(faults, PersonFault{Entity: entity, Reason: "another account became a member as this entity"})
		case all && c.unread == 0:
			faults = append(faults, PersonFault{Entity: entity, Reason: "no account became a member as this entity"})
		}
	})
	for entity := range c.persons {
		if !stored[entity] {
			faults = append(faults, PersonFault{Entity: entity, Reason: "the row is missing"})
		}
	}
	for i := range faults {
		if err == nil {
			faults[i].User, err = c.account(ctx, faults[i].Entity)
		}
	}
	faults = slices.DeleteFunc(faults, func(f PersonFault) bool { // the row of an erased account is removed
		return !stored[f.Entity] && f.User.IsZero()
	})
	slices.SortFunc(faults, func(a, b PersonFault) int { return bytes.Compare(a.Entity[:], b.Entity[:]) })
	return faults, err
}

// account returns the first account with a membership as the entity that still exists, or the zero ID.
func (c *Checker) account(ctx context.Context, entity captable.EntityID) (organization.UserID, error) {
	for _, user := range c.persons[entity] {
		if exists, err := c.journal.AccountExists(ctx, user); exists || err != nil {
			return user, err
		}
	}
	return organization.UserID{}, nil
}

// RepairPersons corrects the rows of the table person.
func (c *Checker) RepairPersons(ctx context.Context, faults []PersonFault) error {
	for _, fault := range faults {
		if err := c.journal.SetPerson(ctx, fault.Entity, fault.User); err != nil {
			return err
		}
	}
	return nil
}

// String describes the fault in one line.
func (f PersonFault) String() string { return fmt.Sprintf("person %s: %s", f.Entity, f.Reason) }
