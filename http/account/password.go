package account

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/alexedwards/argon2id"
	"golang.org/x/text/unicode/norm"

	"equity/fault"
	"equity/http/admission"
)

// commonPasswords lists the most frequent passwords, one per line, in lower case.
//
//go:embed common_passwords.txt
var commonPasswords string

// hasher hashes passwords with argon2id, a few at a time: each takes 64 MiB, and a flood of sign-ins must leave room
// for everything else. A slot rests after each hash for the duration of the hash, so that it uses half of a processor
// at most. Networks take turns, so that a flood from one of them does not keep others from signing in.
type hasher struct {
	slots  *admission.Queue
	cost   argon2id.Params
	absent string // the hash to which passwords of unknown accounts are compared
	now    func() time.Time
	common map[string]bool
}

const hashPatience = 2 * time.Second // the longest wait for a slot

// PasswordCost returns the parameters of password hashes: 64 MiB, one pass, and one
// processor, so that the others remain for other requests.
func PasswordCost() argon2id.Params {
	return argon2id.Params{Memory: 64 << 10, Iterations: 1, Parallelism: 1, SaltLength: 16, KeyLength: 32} //nolint:mnd // explained above
}

// absentHash returns a hash of this cost that no known password has. A comparison with it
// takes as long as any other, so that the duration of a sign-in does not reveal whether
// the account exists.
func absentHash(cost argon2id.Params) string {
	return fmt.Sprintf("$argon2id$v=19$m=%d,t=%d,p=%d$bm9ib2R5IGtub3dzIGl0IQ$mX0m5oVhVGn0qgqyBNsx8H5b3Ck9Gd6xqB5fVqQz3jE",
		cost.Memory, cost.Iterations, cost.Parallelism)
}

func newHasher(services Services) *hasher {
	settings, slots := services.Settings, services.HashingSlots
	cost := settings.PasswordCost
	if cost == (argon2id.Params{}) {
		cost = PasswordCost()
	}
	if slots == nil {
		slots = admission.New(admission.Settings{Parallel: settings.PasswordHashingParallel, Wait: hashPatience, Patient: true})
	}
	p := &hasher{slots: slots, cost: cost, absent: absentHash(cost), now: services.Now, common: map[string]bool{}}
	for line := range strings.Lines(commonPasswords) {
		p.common[strings.TrimSpace(line)] = true
	}
	return p
}

// withSlot runs the work in a slot, which is free again when it has rested. The request holds no other slot meanwhile.
func (p *hasher) withSlot(ctx context.Context, work func() error) error {
	return admission.WaitWithoutSlot(ctx, func() error {
		ticket, err := p.slots.Enter(ctx, admission.FlowOf(ctx))
		if err != nil {
			return p.crowded(err)
		}
		begin := p.now()
		defer func() { time.AfterFunc(p.now().Sub(begin), ticket.Leave) }()
		return work()
	})
}

// crowded converts an error of the queue. A canceled request is not a failure of the server.
func (p *hasher) crowded(cause error) error {
	cause = fmt.Errorf("hash password: %w", cause)
	refusal, is := errors.AsType[*admission.RefusalError](cause)
	if !is {
		return cause
	}
	return &fault.FailureError{
		Refusal: fault.Refuse(fault.Unavailable, "Too many passwords are waiting to be checked. Try again later."),
		Cause:   cause, RetryAfter: refusal.RetryAfter,
	}
}

// hash returns the PHC string of a password.
func (p *hasher) hash(ctx context.Context, password string) (hash string, err error) {
	err = p.withSlot(ctx, func() error {
		hash, err = argon2id.CreateHash(norm.NFC.String(password), &p.cost)
		return err
	})
	return hash, err
}

// fits reports whether the password has the hash. An empty hash fits no password, and takes as long.
func (p *hasher) fits(ctx context.Context, password, hash string) (fits bool, err error) {
	if hash == "" {
		hash = p.absent
	}
	err = p.withSlot(ctx, func() error {
		fits, err = argon2id.ComparePasswordAndHash(norm.NFC.String(password), hash)
		return err
	})
	return fits, err
}

// fewestLetters is the minimum number of distinct characters of a password.
const fewestLetters = 4

// faults returns the faults of a new password, except its length, which the contract checks. Common
// passwords are refused, whatever their characters (NIST SP 800-63B, 5.1.1.2).
func (p *hasher) faults(password, email string) fault.Fields {
	var faults fault.Fields
	lower, address := strings.ToLower(password), strings.ToLower(strings.TrimSpace(email))
	local, _, _ := strings.Cut(address, "@")
	different := map[rune]bool{}
	for _, letter := range lower {
		different[letter] = true
	}
	switch {
	case p.common[lower] || len(different) < fewestLetters:
		faults.Add("/password", "tooCommon", "This password is too common. Choose another one.")
	case lower == address || lower == local:
		faults.Add("/password", "isEmail", "The password must not be the e-mail address.")
	}
	return faults
}

// HashPassword returns the hash of a password, for accounts created without the API, for example the
// first administrator.
func HashPassword(password string) (string, error) {
	cost := PasswordCost()
	return argon2id.CreateHash(norm.NFC.String(password), &cost)
}
