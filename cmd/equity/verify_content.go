package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"equity/organization"
	"equity/organization/document"
	"equity/persistence"
	"equity/persistence/blob"
)

// contents checks that the bytes of each file of the organization exist with their hash, and prints the findings.
func (v *verification) contents(ctx context.Context, state *organization.State) error {
	id := state.ID()
	checked := map[string]bool{}
	for file := range state.Documents().Files() {
		if file.ErasedAt != 0 || checked[file.SHA256] {
			continue
		}
		checked[file.SHA256] = true
		fault, err := v.content(ctx, "o/"+id.String(), file)
		if err != nil {
			return err
		}
		if fault != "" {
			v.faults++
			v.p.say("%s: file %s: %s", id, file.ID, fault)
		}
	}
	v.p.say("%s: the bytes of %d contents were checked", id, len(checked))
	return nil
}

// profiles checks that the bytes of each file of a profile exist with their hash, and prints the findings.
func (v *verification) profiles(ctx context.Context) error {
	files, err := persistence.NewProfileFiles(v.db).All(ctx)
	if err != nil {
		return err
	}
	for _, file := range files {
		fault, err := v.content(ctx, "p/"+file.Entity.String(), &file.File)
		if err != nil {
			return err
		}
		if fault != "" {
			v.faults++
			v.p.say("profile %s: file %s: %s", file.Entity, file.ID, fault)
		}
	}
	v.p.say("the bytes of %d files of profiles were checked", len(files))
	return nil
}

// content returns the fault of the bytes of a file, or an empty text.
func (v *verification) content(ctx context.Context, scope string, file *document.File) (fault string, err error) {
	const whole = -1
	stored, err := v.objects.Open(ctx, blob.Key(scope, file.SHA256), 0, whole)
	switch {
	case errors.Is(err, blob.ErrNotFound):
		return "its bytes are missing in the store of documents", nil
	case err != nil:
		return "", fmt.Errorf("read a stored file: %w", err)
	}
	defer func() { err = errors.Join(err, stored.Close()) }()
	hash := sha256.New()
	size, err := io.Copy(hash, stored)
	switch {
	case err != nil:
		return "", fmt.Errorf("read a stored file: %w", err)
	case hex.EncodeToString(hash.Sum(nil)) != file.SHA256:
		return fmt.Sprintf("its bytes were altered: %d bytes with another hash, instead of %d bytes", size, file.Size), nil
	}
	return "", nil
}
