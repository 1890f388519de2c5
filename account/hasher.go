package account

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/alexedwards/argon2id"
	"golang.org/x/text/unicode/norm"

	"equity/fault"
)

// commonPasswords lists the most frequent passwords, one per line, in lower case.
//
//go:embed common_passwords.txt
var commonPasswords string

// hasher hashes passwords with argon2id. Each hash takes 64 MiB, so that the slots bound the concurrent hashes.
type hasher struct {
	slots  HashingSlots // nil does not bound them
	cost   argon2id.Params
	absent string // the hash to which passwords of unknown accounts are compared
	common map[string]bool
}

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

func newHasher(cost argon2id.Params, slots HashingSlots) *hasher {
	if cost == (argon2id.Params{}) {
		cost = PasswordCost()
	}
	h := &hasher{slots: slots, cost: cost, absent: absentHash(cost), common: map[string]bool{}}
	for line := range strings.Lines(commonPasswords) {
		h.common[strings.TrimSpace(line)] = true
	}
	return h
}

// withSlot carries out the work in a slot.
func (h *hasher) withSlot(ctx context.Context, work func() error) error {
	if h.slots == nil {
		return work()
	}
	return h.slots.Do(ctx, work)
}

// hash returns the PHC string of a password.
func (h *hasher) hash(ctx context.Context, password string) (hash string, err error) {
	err = h.withSlot(ctx, func() error {
		hash, err = argon2id.CreateHash(norm.NFC.String(password), &h.cost)
		return err
	})
	return hash, err
}

// matches reports whether the password has the hash. An empty hash matches no password, and takes as long.
func (h *hasher) matches(ctx context.Context, password, hash string) (matches bool, err error) {
	if hash == "" {
		hash = h.absent
	}
	err = h.withSlot(ctx, func() error {
		matches, err = argon2id.ComparePasswordAndHash(norm.NFC.String(password), hash)
		return err
	})
	return matches, err
}

// minDistinct is the minimum number of distinct characters of a password.
const minDistinct = 4

// faults returns the faults of a new password, except its length, which the contract checks. Common
// passwords are refused, whatever their characters (NIST SP 800-63B, 5.1.1.2).
func (h *hasher) faults(password, email string) fault.Fields {
	var faults fault.Fields
	lower, address := strings.ToLower(password), strings.ToLower(strings.TrimSpace(email))
	local, _, _ := strings.Cut(address, "@")
	different := map[rune]bool{}
	for _, letter := range lower {
		different[letter] = true
	}
	switch {
	case h.common[lower] || len(different) < minDistinct:
		faults.Add("/password", "tooCommon", "This password is too common. Choose another one.")
	case lower == address || lower == local:
		faults.Add("/password", "isEmail", "The password must not be the e-mail address.")
	}
	return faults
}
