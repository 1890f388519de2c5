package main

import (
	"context"
	"errors"

	"equity/account"
	"equity/config"
	"equity/fault"
	httpaccount "equity/http/account"
	"equity/messages"
	"equity/organization"
)

// demoCommand is `equity demo`.
type demoCommand struct {
	AcceptClock bool `help:"Believe the clock although it is far from the last stored moment."`
}

// Help is shown by `equity demo --help`.
func (demoCommand) Help() string {
	return `Creates the company Northwind Instruments with its founders, investors and team, and
a user with all permissions in it, and prints the credentials. The password is
public, so the command is refused if ENVIRONMENT is production.`
}

// The credentials of the demo user. They are public.
const (
	demoEmail    = "demo@northwind.example"
	demoPassword = "northwind demo"
)

var errDemoProduction = errors.New("ENVIRONMENT is production: the demo company has a user with a public password")

// Run creates the demo company.
func (d demoCommand) Run(ctx context.Context, p program) (err error) {
	c, err := p.settings(nil)
	if err != nil {
		return err
	}
	p.acceptClock = d.AcceptClock
	a, err := assemble(ctx, maintenance(c), p, p.logger(c))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close(ctx)) }()
	return a.demo(ctx, p)
}

// demoAccount returns the account that the sign-in page offers; nil without the demo company.
func demoAccount(p program) *httpaccount.DemoAccount {
	if !p.demo {
		return nil
	}
	return &httpaccount.DemoAccount{Email: demoEmail, Password: demoPassword}
}

// demo creates the demo company unless its user exists, and prints the credentials.
func (a *assembly) demo(ctx context.Context, p program) error {
	if a.config.Environment == config.Production {
		return errDemoProduction
	}
	_, err := a.users.ByEmail(ctx, demoEmail)
	var refusal *fault.Error
	switch {
	case err == nil:
	case errors.As(err, &refusal):
		if err := a.writeGuard.Writable(); err != nil {
			return err
		}
		if err := a.makeDemo(ctx, p); err != nil {
			return err
		}
	default:
		return err
	}
	p.say("Demo company: %s (sign in as %s with the password %q)", demoProfile().LegalName, demoEmail, demoPassword)
	return nil
}

// makeDemo creates the demo company with ordinary commands, so that its journal
// is valid.
func (a *assembly) makeDemo(ctx context.Context, p program) error {
	user, err := p.operator(a.users).Create(ctx, account.NewAccount{
		Email: demoEmail, FirstName: "Ada", LastName: "Lindqvist", Password: demoPassword,
	})
	if err != nil {
		return err
	}
	id := organization.ID(newID())
	do := func(command messages.Command) (messages.Reply, error) {
		command.Organization, command.By, command.At, command.ByOperator = id, user.ID.String(), p.now(), true
		return a.organizations.Do(ctx, command)
	}
	_, err = do(messages.Command{Body: organization.Create{ID: id, Profile: demoProfile(), Creator: organization.Founder{
		User: user.ID, Entity: user.Entity, Name: demoFounders()[0],
	}}})
	if err != nil {
		return err
	}
	company := &demoCompany{do: do}
	if err := company.execute(user.Entity); err != nil {
		return err
	}
	return demoRoom{company, id, a.objects, a.initialScan()}.fill(ctx)
}
