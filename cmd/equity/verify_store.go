package main

import (
	"context"
	"fmt"

	"equity/captable"
	"equity/cmd/equity/integrity"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/blob"
)

// verification is one run of `equity verify` on a store.
type verification struct {
	command         verifyCommand
	p               program
	db              *persistence.Database
	journal         *persistence.Journal
	checker         *integrity.Checker
	objects         blob.Store // nil unless contents are checked
	witness         *witness   // nil without a file to compare with
	seen            map[organization.ID]bool
	checked, faulty int
	faults          int // faults outside the organizations
}

// run checks the file, all organizations, and their shared tables.
func (v *verification) run(ctx context.Context) error {
	if err := v.file(ctx); err != nil {
		return err
	}
	if err := v.organizations(ctx); err != nil {
		return err
	}
	v.absent()
	if err := v.persons(ctx); err != nil {
		return err
	}
	if v.objects != nil {
		if err := v.profiles(ctx); err != nil {
			return err
		}
	}
	v.p.say("%d organizations checked, %d with faults.", v.checked, v.faulty)
	if v.faulty+v.faults > 0 {
		return errNotWell
	}
	return nil
}

// file checks the database file. A repair rebuilds its indexes.
func (v *verification) file(ctx context.Context) error {
	found, err := v.db.CheckFile(ctx)
	if err == nil && len(found) > 0 && v.command.Repair {
		if err = v.db.RebuildIndexes(ctx); err == nil {
			v.p.say("database file: %s; its indexes were rebuilt", found[0])
			found, err = v.db.CheckFile(ctx)
		}
	}
	if err != nil {
		return err
	}
	for _, fault := range found {
		v.faults++
		v.p.say("database file: %s", fault)
	}
	return nil
}

func (v *verification) organizations(ctx context.Context) error {
	if v.command.Organization == "" {
		return v.journal.EachOrganization(ctx, func(id organization.ID) error { return v.check(ctx, id) })
	}
	id, err := captable.ParseID[organization.Organization](v.command.Organization)
	if err != nil {
		return fmt.Errorf("--organization: %w", err)
	}
	return v.check(ctx, id)
}

// check checks one organization, repairs it on request, and prints the findings.
func (v *verification) check(ctx context.Context, id organization.ID) error {
	report, err := v.checker.Check(ctx, id)
	if err != nil {
		return err
	}
	v.checked++
	rewritten, cut, err := v.compareWitness(ctx, id)
	if err != nil {
		return err
	}
	if report.Journal == nil {
		report.Journal = rewritten
	}
	if report.Missing == nil {
		report.Missing = cut
	}
	if report.Journal == nil && v.objects != nil {
		if err := v.contents(ctx, report.State()); err != nil {
			return err
		}
	}
	if report.Holds() {
		v.p.say("%s: %d events are valid", id, report.Events)
		return nil
	}
	for _, fault := range []error{report.Journal, report.Missing} {
		if fault != nil {
			v.p.say("%s: %v", id, fault)
		}
	}
	for _, fault := range report.Derived {
		v.p.say("%s: %s", id, fault)
	}
	if !v.command.Repair {
		if report.Journal == nil && report.Missing == nil {
			v.p.say("%s: %d events are valid; run 'equity verify --repair' to rebuild the tables", id, report.Events)
		}
		v.faulty++
		return nil
	}
	if err := v.checker.Repair(ctx, &report, v.command.AcceptEnd); err != nil {
		v.faulty++
		v.p.say("%s: not repaired: %v", id, err)
		return nil
	}
	v.p.say("%s: %d events are valid; the derived tables were rebuilt", id, report.Events)
	return nil
}

// persons checks the assignment of entities to accounts.
func (v *verification) persons(ctx context.Context) error {
	found, err := v.checker.Persons(ctx, v.command.Organization == "")
	if err != nil {
		return err
	}
	if v.command.Repair && len(found) > 0 {
		if err := v.checker.RepairPersons(ctx, found); err != nil {
			return err
		}
	}
	for _, fault := range found {
		if v.command.Repair {
			v.p.say("%s; repaired", fault)
			continue
		}
		v.faults++
		v.p.say("%s", fault)
	}
	return nil
}
