package main

import (
	"context"

	"equity/persistence"
)

// blockCommand is `equity admin block`.
type blockCommand struct {
	Address string `arg:"" help:"An e-mail address, or a domain, which stands for all below it too."`
}

// Help is shown by `equity admin block --help`.
func (blockCommand) Help() string {
	return `Nobody registers with what is blocked, from the next registration on; servers need
no restart. Accounts that are there stay as they are:

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
		p.say("Nobody can register with %s.", b.Address)
		return nil
	})
}
