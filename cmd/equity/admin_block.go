package main

import (
	"context"

	"equity/persistence"
)

// blockCommand is `equity admin block`.
type blockCommand struct {
	Address string `arg:"" help:"An e-mail address, or a domain including its subdomains."`
}

// Help is shown by `equity admin block --help`.
func (blockCommand) Help() string {
	return `Refuses new registrations with the address or domain. The block applies at once;
servers need no restart. Existing accounts are not affected:

  equity admin block somebody@example.com
  equity admin block example.com`
}

// Run blocks the address or the domain.
func (b blockCommand) Run(ctx context.Context, p program) error {
	c, err := p.settings(nil)
	if err != nil {
		return err
	}
	return withDatabase(ctx, c, func(db *persistence.Database) error {
		if _, err := db.Migrate(ctx); err != nil {
			return err
		}
		if err := persistence.NewBlocklist(db).Block(ctx, b.Address, p.now()); err != nil {
			return err
		}
		p.say("Registrations with %s are refused.", b.Address)
		return nil
	})
}
