package main

import (
	"archive/zip"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"equity/captable"
	"equity/captable/ocf"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// importCommand is `equity import`.
type importCommand struct {
	OCF importOCFCommand `cmd:"" name:"ocf" help:"Import a package of the Open Cap Format."`
}

// importOCFCommand is `equity import ocf`.
type importOCFCommand struct {
	Path         string `arg:"" help:"The package: a folder, or a .zip of it." type:"existingpath"`
	Owner        string `help:"E-mail address of the account that owns the new organization." placeholder:"EMAIL"`
	Organization string `help:"Import into this organization instead of a new one." placeholder:"ID"`
	Name         string `help:"Name of the new organization; the issuer's when absent."`
	Currency     string `help:"Currency of the new organization, ISO 4217; that of the package's prices when absent." placeholder:"CODE"`
	AcceptClock  bool   `help:"Trust the clock although it is far from the last stored time."`
	DryRun       bool   `help:"Report the findings and changes without storing them."`
}

// Help is shown by `equity import ocf --help`.
func (importOCFCommand) Help() string {
	return `The package is imported completely or not at all: if it is inconsistent, every
finding is listed with its object, and nothing is stored. An imported package that
is not changed exports equal.

Do not run this while a server writes to the same organization.`
}

var (
	errOwner = errors.New(
		"--owner or --organization is required: the account that will own the new organization, or an existing organization",
	)
	errRefused = errors.New("the package was refused; nothing was stored")
)

// Run imports the package and reports the result.
func (i importOCFCommand) Run(ctx context.Context, p program) (err error) {
	c, err := p.settings(nil)
	if err != nil {
		return err
	}
	files, closeFiles, err := packageFiles(i.Path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeFiles()) }()
	p.acceptClock = i.AcceptClock
	defer (&importMemory{}).begin()() // more frequent garbage collection until the import ends
	a, err := assemble(ctx, maintenance(c), p, p.logger(c))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close(ctx)) }()
	limits := ocf.DefaultLimits()
	limits.Bytes, limits.Objects = int64(c.Imports.PackageBytes), c.Imports.PackageObjects
	pack, findings := ocf.ReadWithin(files, limits)
	read := messages.PreparePackage(pack, findings, newID)
	for _, finding := range read.Findings {
		if finding.Severity == ocf.Warn { // errors are reported together with the refusals of the rules
			p.say("%s %s: %s", finding.Severity, finding.FieldError().Pointer, finding.FieldError().Message)
		}
	}
	return i.take(ctx, a, read, p)
}

// take creates the organization if it is new and imports the package. All refusals of
// rules are detected before anything is stored.
func (i importOCFCommand) take(ctx context.Context, a *assembly, read messages.PreparedPackage, p program) error {
	if err := a.writeGuard.Writable(); err != nil && !i.DryRun {
		return err
	}
	commands, err := i.commands(ctx, a, read, p)
	if err != nil {
		return err
	}
	if err := rehearse(ctx, p.schema, a, commands); err != nil {
		return i.printFindings(err, p)
	}
	if i.DryRun {
		p.say("The package would be imported: %d objects.", read.Import.Package.Objects)
		return nil
	}
	for _, command := range commands {
		if _, err := a.organizations.Do(ctx, command); err != nil {
			return i.printFindings(err, p)
		}
	}
	p.say("Imported: %d objects into organization %s.", read.Import.Package.Objects, commands[0].Organization)
	return nil
}

// printFindings prints all findings of a refused package.
func (importOCFCommand) printFindings(err error, p program) error {
	var refusal *fault.Error
	if !errors.As(err, &refusal) || refusal.Code != fault.PackageRefused {
		return err
	}
	for _, problem := range refusal.Fields {
		p.say("refuse %s: %s", problem.Pointer, problem.Message)
	}
	return errRefused
}

// rehearse decides the commands one after another on a private copy.
func rehearse(ctx context.Context, schema *organization.Schema, a *assembly, commands []messages.Command) error {
	state := organization.NewState()
	if view, err := a.organizations.View(ctx, commands[0].Organization); err == nil {
		state = view.State.Copy()
	}
	for _, command := range commands {
		events, err := organization.Decide(state, command.Body, organization.DecideContext{Now: command.At, NewID: newID, Schema: schema})
		if err != nil {
			return err
		}
		for _, event := range events {
			state.Apply(event, captable.Stamp{})
		}
	}
	return nil
}

// packageFiles opens a folder or an archive as a file system.
func packageFiles(path string) (fs.FS, func() error, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if info.IsDir() {
		return os.DirFS(path), func() error { return nil }, nil
	}
	archive, err := zip.OpenReader(path)
	if err != nil {
		return nil, nil, fmt.Errorf("%s is neither a folder nor a .zip: %w", path, err)
	}
	return archive, archive.Close, nil
}

// commands returns the commands that import the package into the named organization or
// a new one.
func (i importOCFCommand) commands(ctx context.Context, a *assembly, read messages.PreparedPackage, p program) ([]messages.Command, error) {
	pack := read.Import.Package
	take := messages.Command{
		By: "system:import", Origin: messages.OriginImport, At: p.now(), ByOperator: true, Body: read.Import, Particulars: read.Particulars,
	}
	if i.Organization != "" {
		id, err := captable.ParseID[organization.Organization](i.Organization)
		if err != nil {
			return nil, fmt.Errorf("--organization: %w", err)
		}
		take.Organization = id
		return []messages.Command{take}, nil
	}
	if i.Owner == "" {
		return nil, errOwner
	}
	owner, err := a.users.ByEmail(ctx, i.Owner)
	if err != nil {
		return nil, fmt.Errorf("--owner %s: %w", i.Owner, err)
	}
	create := organization.Create{
		ID: newID(),
		Profile: organization.Profile{
			Name: cmp.Or(i.Name, pack.Issuer.LegalName, filepath.Base(i.Path)), Currency: cmp.Or(i.Currency, pack.Currency(), "USD"),
		},
		Creator: organization.Founder{User: owner.ID, Entity: owner.Entity, Name: owner.FirstName + " " + owner.LastName},
	}
	take.Organization, take.By = create.ID, owner.ID.String()
	return []messages.Command{
		{Organization: create.ID, By: take.By, Origin: take.Origin, At: take.At, ByOperator: true, Body: create}, take,
	}, nil
}
