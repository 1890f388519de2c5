package integrity

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"equity/captable"
	"equity/organization"
)

// PersonFault is a row of the table person that is wrong or missing. The zero User means that there must be no row.
type PersonFault struct {
	Entity captable.EntityID
	User   organization.UserID
	Reason string
}

// Persons compares the table of persons with the members of all organizations that were checked. With all, rows that no
// journal explains are faults too; they are not as long as a journal could not be read.
func (c *Checker) Persons(ctx context.Context, all bool) (faults []PersonFault, err error) {
	stored := map[captable.EntityID]bool{}
	err = c.journal.Persons(ctx, func(entity captable.EntityID, user organization.UserID, exists bool) {
		stored[entity] = true
		candidates := c.persons[entity]
		switch {
		case !exists:
			faults = append(faults, PersonFault{entity, organization.UserID{}, "the account does not exist"})
		case slices.Contains(candidates, user):
		case len(candidates) > 0:
			faults = append(faults, PersonFault{entity, candidates[0], "another account became a member as this entity"})
		case all && c.unread == 0:
			faults = append(faults, PersonFault{entity, organization.UserID{}, "no account became a member as this entity"})
		}
	})
	if err != nil {
		return nil, err
	}
	for entity, candidates := range c.persons {
		if stored[entity] {
			continue
		}
		for _, user := range candidates {
			exists, err := c.journal.AccountExists(ctx, user)
			if err != nil {
				return nil, err
			}
			if exists { // an erased account leaves no row
				faults = append(faults, PersonFault{entity, user, "the row is missing"})
				break
			}
		}
	}
	slices.SortFunc(faults, func(a, b PersonFault) int { return bytes.Compare(a.Entity[:], b.Entity[:]) })
	return faults, nil
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
