package blob

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// GarbageAge is the age from which an object without a record is deleted. An upload stores the bytes before its record, so a young object
// may still receive one.
const GarbageAge = 24 * time.Hour

// EraseAge is the age from which the object of an erased file is deleted. It is much longer than an upload takes from its bytes to its record.
const EraseAge = time.Hour

// Owner is the owner of objects.
type Owner struct {
	Kind OwnerKind
	ID   string
}

// OwnerKind is the kind of an owner. Keys begin with it.
type OwnerKind string

// The kinds of owners.
const (
	Organization OwnerKind = "o"
	Profile      OwnerKind = "p"
)

// Records knows the objects that records name.
type Records interface {
	// Names reports whether a record of the owner names the bytes with the hash.
	Names(ctx context.Context, owner Owner, sha256 string) (bool, error)
}

// Sweep deletes the old objects of organizations and profiles that no record names, and returns their number. If a record
// cannot be checked, its object stays.
func Sweep(ctx context.Context, store *Guarded, records Records, now time.Time) (deleted int, err error) {
	before := now.Add(-GarbageAge)
	var failures []error
	for _, kind := range []OwnerKind{Organization, Profile} {
		number, err := sweep(ctx, store, string(kind)+"/", before, func(object Object) (time.Time, error) {
			owner, sha256, ok := parse(object.Key)
			if !ok {
				return time.Time{}, nil
			}
			if named, err := records.Names(ctx, owner, sha256); named || err != nil {
				return time.Time{}, err
			}
			return before, nil
		})
		deleted += number
		failures = append(failures, err)
	}
	return deleted, errors.Join(failures...)
}

// sweep deletes the objects with the prefix that are older than the time that expiry returns; zero keeps an object. Objects that are not older
// than the limit stay in any case. After an error of expiry the object stays, and the sweep continues.
func sweep(
	ctx context.Context, store *Guarded, prefix string, limit time.Time, expiry func(Object) (time.Time, error),
) (deleted int, err error) {
	var failures []error
	err = store.List(ctx, prefix, func(object Object) error {
		if !object.ModifiedAt.Before(limit) {
			return nil
		}
		before, err := expiry(object)
		if err != nil {
			failures = append(failures, fmt.Errorf("check %s: %w", object.Key, err))
			return ctx.Err()
		}
		if before.IsZero() {
			return nil
		}
		removed, err := store.DeleteOlder(ctx, object.Key, before)
		if removed {
			deleted++
		}
		return err
	})
	return deleted, errors.Join(append(failures, err)...)
}

// parse returns the owner and the hash of a key.
func parse(key string) (owner Owner, sha256 string, ok bool) {
	parts := strings.Split(key, "/")
	const number = 4 // kind, owner, first digits, hash
	if len(parts) != number || !strings.HasPrefix(parts[3], parts[2]) {
		return Owner{}, "", false
	}
	return Owner{OwnerKind(parts[0]), parts[1]}, parts[3], true
}
