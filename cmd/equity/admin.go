package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"

	"equity/captable"
	"equity/config"
	"equity/persistence"
)

// adminCommand is `equity admin`.
type adminCommand struct {
	Create     createAdminCommand `cmd:"" help:"Make a site administrator, or make one of an account that is there."`
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
	return `A site administrator sees what concerns the whole server; it gives no permission
inside an organization. An account that is there keeps its password. For a new
one the password is read from standard input, never from the command line, where
others could see it:

  equity admin create root@example.com < password.txt`
}

var errPassword = errors.New("the password has fewer than 8 characters or more than 128")

// Run makes the administrator.
func (a createAdminCommand) Run(ctx context.Context, p program) error {
	c, err := p.settings(nil)
	if err != nil {
		return err
	}
	return withDatabase(ctx, c, func(db *persistence.Database) error {
		if _, err := db.Migrate(ctx); err != nil {
			return err
		}
		users := persistence.NewUsers(db)
		found, err := users.ByEmail(ctx, a.Email)
		if _, missing := errors.AsType[*captable.Error](err); missing {
			return a.make(ctx, p, users)
		}
		if err == nil {
			err = users.SetSiteAdmin(ctx, found.ID, true)
		}
		if err != nil {
			return err
		}
		p.say("%s administers this server now. Sessions that are open learn of it at the next sign-in.", found.Email)
		return nil
	})
}

// make creates the account of a site administrator, whose address needs no confirming: whoever runs
// this on the server says whose it is.
func (a createAdminCommand) make(ctx context.Context, p program, users *persistence.Users) error {
	password, err := p.password(ctx, a.Email)
	if err != nil {
		return err
	}
	user, err := newUser(p.now(), a.Email, a.FirstName, a.LastName, password)
	if err != nil {
		return err
	}
	user.SiteAdmin = true
	if err := users.Create(ctx, user); err != nil {
		return err
	}
	p.say("%s can sign in and administers this server.", a.Email)
	return nil
}

// password asks for a password on standard input.
func (p program) password(ctx context.Context, email string) (password string, err error) {
	_, _ = fmt.Fprint(p.errors, "Password for "+email+": ")
	defer func() { _, _ = fmt.Fprintln(p.errors) }()
	err = unseen(ctx, p.in, func() error {
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
	NewKey string `help:"Environment variable that holds the new SECRET_KEY, when that changes too." placeholder:"NAME"`
}

// Help is shown by `equity admin rotate-keys --help`.
func (rotateKeysCommand) Help() string {
	return `Stored secrets are sealed under a set of keys, which is itself sealed under
SECRET_KEY. Rotating adds a fresh key and seals with it from now on; what older
keys sealed still opens. Servers that run pick it up by themselves.

To change SECRET_KEY as well, put the new one into a variable and name it; then
restart the servers with it:

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
