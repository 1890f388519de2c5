package http

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/alexedwards/argon2id"
	"golang.org/x/text/unicode/norm"

	"equity/captable"
	"equity/http/admission"
)

// commonPasswords are those that everybody tries first, one a line, lower case.
//
//go:embed common_passwords.txt
var commonPasswords string

// passwords hashes passwords with argon2id, a few at a time: each takes 64 MiB, and a flood of sign-ins must leave room
// for everything else. A slot rests after each hash for the duration of the hash, so that it uses half of a processor
// at most. Networks take turns, so that a flood from one of them does not keep others from signing in.
type passwords struct {
	slots  *admission.Queue
	cost   argon2id.Params
	absent string // the hash that the password of an unknown account is compared with
	now    func() time.Time
	common map[string]bool
}

const hashPatience = 2 * time.Second // for a slot

// PasswordCost returns the parameters of password hashes: 64 MiB, one pass, and one
// processor, so that the others remain for other requests.
func PasswordCost() argon2id.Params {
	return argon2id.Params{Memory: 64 << 10, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32} //nolint:mnd // named above
}

// absentHash returns a hash of this cost that no known password has. A comparison with it
// takes as long as any other, so that the duration of a sign-in does not reveal whether
// the account exists.
func absentHash(cost argon2id.Params) string {
	return fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=%d$bm9ib2R5IGtub3dzIGl0IQ$mX0m5oVhVGn0qgqyBNsx8H5b3Ck9Gd6xqB5fVqQz3jE",
		cost.Memory, cost.Iterations, cost.Parallelism)
}

func newPasswords(settings Settings, now func() time.Time) *passwords {
	cost := settings.PasswordCost
	if cost == (argon2id.Params{}) {
		cost = PasswordCost()
	}
	p := &passwords{
		slots: admission.New(admission.Settings{Parallel: settings.PasswordHashingParallel, Wait: hashPatience, Patient: true}),
		cost:  cost, absent: absentHash(cost), now: now, common: map[string]bool{},
	}
	for line := range strings.Lines(commonPasswords) {
		p.common[strings.TrimSpace(line)] = true
	}
	return p
}

// withSlot runs the work in a slot, which is free again when it has rested. The request holds no other slot meanwhile.
func (p *passwords) withSlot(ctx context.Context, work func() error) error {
	return admission.Aside(ctx, func() error {
		ticket, err := p.slots.Enter(ctx, admission.FlowOf(ctx))
		if err != nil {
			return p.crowded(err)
		}
		begin := p.now()
		defer func() { time.AfterFunc(p.now().Sub(begin), ticket.Leave) }()
		return work()
	})
}

// crowded converts an error of the queue. A caller who left is no failure of the server.
func (p *passwords) crowded(cause error) error {
	cause = fmt.Errorf("hash password: %w", cause)
	refusal, is := errors.AsType[*admission.RefusalError](cause)
	if !is {
		return cause
	}
	return &failure{
		refusal: captable.Refuse(codeUnavailable, "Too many passwords are waiting to be checked. Try again later."),
		cause:   cause, retryAfter: refusal.RetryAfter,
	}
}

// hash returns the PHC string of a password.
func (p *passwords) hash(ctx context.Context, password string) (hash string, err error) {
	err = p.withSlot(ctx, func() error {
		hash, err = argon2id.CreateHash(norm.NFC.String(password), &p.cost)
		return err
	})
	return hash, err
}

// fits reports whether the password has the hash. An empty hash fits no password, and takes as long.
func (p *passwords) fits(ctx context.Context, password, hash string) (fits bool, err error) {
	if hash == "" {
		hash = p.absent
	}
	err = p.withSlot(ctx, func() error {
		fits, err = argon2id.ComparePasswordAndHash(norm.NFC.String(password), hash)
		return err
	})
	return fits, err
}

// fewestLetters is how many different characters a password has at least.
const fewestLetters = 4

// faults tells what is wrong with a new password besides its length, which the
// contract has checked: what is guessed first, whatever its characters, is refused
// (NIST SP 800-63B, 5.1.1.2).
func (p *passwords) faults(password, email string) captable.Faults {
	var faults captable.Faults
	lower, address := strings.ToLower(password), strings.ToLower(strings.TrimSpace(email))
	local, _, _ := strings.Cut(address, "@")
	different := map[rune]bool{}
	for _, letter := range lower {
		different[letter] = true
	}
	switch {
	case p.common[lower] || len(different) < fewestLetters:
		faults.Add("/password", "tooCommon", "This password is among the first that anybody would guess.")
	case lower == address || lower == local:
		faults.Add("/password", "isEmail", "The password must not be the e-mail address.")
	}
	return faults
}

// HashPassword gives the hash that signing in compares with, for accounts that are
// made beside the interface: an administrator's, the demo's.
func HashPassword(password string) (string, error) {
	cost := PasswordCost()
	return argon2id.CreateHash(norm.NFC.String(password), &cost)
}
