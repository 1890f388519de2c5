package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"equity/account"
	"equity/config"
	"equity/persistence"
)

// adminCommand is `equity admin`.
type adminCommand struct {
	Create     createAdminCommand `cmd:"" help:"Create a site administrator, or promote an existing account."`
	Block      blockCommand       `cmd:"" help:"Refuse registrations with an e-mail address or a domain."`
	RotateKeys rotateKeysCommand  `cmd:"" help:"Change the key that seals stored secrets."`
}

// createAdminCommand is `equity admin create`.
type createAdminCommand struct {
	Email     string `arg:"" help:"The administrator's e-mail address."`
	FirstName string `help:"First name of a new account." default:"Site"`
	LastName  string `help:"Last name of a new account." default:"Administrator"`
}

// Help is shown by `equity admin create --help`.
func (createAdminCommand) Help() string {
	return `A site administrator manages the whole server. The role includes no permission
inside an organization. An existing account keeps its password. For a new account
the password is read from standard input, because other users of the machine can
see the command line:

  equity admin create root@example.com < password.txt`
}

var errPassword = errors.New("the password has fewer than 8 characters or more than 128")

// Run creates or promotes the administrator.
func (a createAdminCommand) Run(ctx context.Context, p program) error {
	c, err := p.settings(nil)
	if err != nil {
		return err
	}
	return withDatabase(ctx, c, func(db *persistence.Database) error {
		if _, err := db.Migrate(ctx); err != nil {
			return err
		}
		if _, err := openSecrets(ctx, c, db, p); err != nil { // accounts are signed
			return err
		}
		operator := p.operator(persistence.NewUsers(db, departures()...))
		found, exists, err := operator.Promote(ctx, a.Email)
		if err != nil {
			return err
		}
		if !exists {
			return a.create(ctx, p, operator)
		}
		p.say("%s administers this server now. Sessions that are open learn of it at the next sign-in.", found.Email)
		return nil
	})
}

// operator returns the use cases of the operator of the server.
func (p program) operator(users *persistence.Users) account.Operator {
	return account.Operator{Store: users, Now: p.now, NewID: newID}
}

// create creates the account of a site administrator.
func (a createAdminCommand) create(ctx context.Context, p program, operator account.Operator) error {
	password, err := p.password(ctx, a.Email)
	if err != nil {
		return err
	}
	_, err = operator.Create(ctx, account.NewAccount{
		Email: a.Email, FirstName: a.FirstName, LastName: a.LastName, Password: password, SiteAdmin: true,
	})
	if err != nil {
		return err
	}
	p.say("%s can sign in and administers this server.", a.Email)
	return nil
}

// password reads a password from standard input.
func (p program) password(ctx context.Context, email string) (password string, err error) {
	_, _ = fmt.Fprint(p.errors, "Password for "+email+": ")
	defer func() { _, _ = fmt.Fprintln(p.errors) }()
	err = withoutEcho(ctx, p.in, func() error {
		line, err := bufio.NewReader(p.in).ReadString('\n')
		password = strings.TrimRight(line, "\r\n")
		if err != nil && password == "" {
			return fmt.Errorf("read the password from standard input: %w", err)
		}
		return nil
	})
	if n := len([]rune(password)); err == nil && (n < 8 || n > 128) {
		err = errPassword
	}
	return password, err
}

// rotateKeysCommand is `equity admin rotate-keys`.
type rotateKeysCommand struct {
	NewKey string `help:"Environment variable with the new SECRET_KEY, if that changes too." placeholder:"NAME"`
}

// Help is shown by `equity admin rotate-keys --help`.
func (rotateKeysCommand) Help() string {
	return `Stored secrets are encrypted with a set of keys, which is itself encrypted with
SECRET_KEY. A rotation adds a new key, which encrypts from now on; the older keys
can still decrypt. Running servers load the new key automatically.

To change SECRET_KEY as well, set a variable to the new one and pass its name; then
restart the servers with the new key:

  NEW_KEY=$(openssl rand -base64 32) equity admin rotate-keys --new-key NEW_KEY`
}

// Run rotates the keys.
func (r rotateKeysCommand) Run(ctx context.Context, p program) error {
	c, err := p.settings(nil)
	if err != nil {
		return err
	}
	var wrap []byte
	if r.NewKey != "" {
		text, _ := p.environment(r.NewKey)
		if wrap, err = config.DecodeSecretKey(text); err != nil {
			return fmt.Errorf("--new-key %s: the variable must hold 32 bytes in base64: %w", r.NewKey, err)
		}
	}
	return withDatabase(ctx, c, func(db *persistence.Database) error {
		if _, err := db.Migrate(ctx); err != nil {
			return err
		}
		secrets, err := openSecrets(ctx, c, db, p)
		if err != nil {
			return err
		}
		if err := secrets.Rotate(ctx, wrap); err != nil {
			return err
		}
		p.say("Secrets are sealed under a new key from now on.")
		if wrap != nil {
			p.say("The set of keys opens with the new SECRET_KEY only: start the servers with it.")
		}
		return nil
	})
}
