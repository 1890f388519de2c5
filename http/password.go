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
)

// commonPasswords are those that everybody tries first, one a line, lower case.
//
//go:embed common_passwords.txt
var commonPasswords string

// passwords hashes passwords with argon2id, a few at a time: each takes 64 MiB, and
// a flood of sign-ins must not take all there is. A slot rests after each hash for as long
// as that took, so that it uses one processor for half of the time at most.
type passwords struct {
	slots    chan struct{}
	patience time.Duration // waited for a slot
	now      func() time.Time
	common   map[string]bool
}

const (
	hashMemory   = 64 << 10 // KiB
	hashPasses   = 1
	hashLanes    = 1 // one processor a hash: the others are for everything else
	hashSalt     = 16
	hashKey      = 32
	hashPatience = 10 * time.Second
)

func hashParameters() *argon2id.Params {
	return &argon2id.Params{
		Memory: hashMemory, Iterations: hashPasses, Parallelism: hashLanes, SaltLength: hashSalt, KeyLength: hashKey,
	}
}

// nobody is a hash that no known password has. Comparing with it takes as long as
// with anybody's, so that time does not tell who is registered.
const nobody = "$argon2id$v=19$m=65536,t=1,p=1$bm9ib2R5IGtub3dzIGl0IQ$mX0m5oVhVGn0qgqyBNsx8H5b3Ck9Gd6xqB5fVqQz3jE"

func newPasswords(parallel int, now func() time.Time) *passwords {
	p := &passwords{slots: make(chan struct{}, max(parallel, 1)), patience: hashPatience, now: now, common: map[string]bool{}}
	for line := range strings.Lines(commonPasswords) {
		p.common[strings.TrimSpace(line)] = true
	}
	return p
}

// enter waits for a slot; the caller leaves it, and it is free when it has rested.
func (p *passwords) enter(ctx context.Context) (leave func(), err error) {
	waiting, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	select {
	case p.slots <- struct{}{}:
		begin := p.now()
		return func() { time.AfterFunc(p.now().Sub(begin), func() { <-p.slots }) }, nil
	case <-waiting.Done():
		return nil, p.crowded(waiting.Err())
	}
}

// crowded says that there was no slot in time. Of a caller who went away meanwhile it
// says just that: a flood that is given up is no failure of ours.
func (p *passwords) crowded(cause error) error {
	cause = fmt.Errorf("hash password: %w", cause)
	if errors.Is(cause, context.Canceled) {
		return cause
	}
	return &failure{
		refusal: captable.Refuse(codeUnavailable, "Too many passwords wait to be checked at the moment. Try again."), cause: cause, retryAfter: p.patience,
	}
}

// hash gives the PHC string of a password.
func (p *passwords) hash(ctx context.Context, password string) (string, error) {
	leave, err := p.enter(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	return argon2id.CreateHash(norm.NFC.String(password), hashParameters())
}

// fits reports whether the password has the hash. An empty hash fits none, and takes
// as long.
func (p *passwords) fits(ctx context.Context, password, hash string) (bool, error) {
	if hash == "" {
		hash = nobody
	}
	leave, err := p.enter(ctx)
	if err != nil {
		return false, err
	}
	defer leave()
	return argon2id.ComparePasswordAndHash(norm.NFC.String(password), hash)
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
	return argon2id.CreateHash(norm.NFC.String(password), hashParameters())
}
