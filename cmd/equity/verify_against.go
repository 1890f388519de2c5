package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"equity/actors/anchor"
	"equity/config"
	"equity/messages"
	"equity/organization"
)

// readWitness reads the file of --against or, without the flag, the file of anchors if it exists.
func (v *verification) readWitness(ctx context.Context, c config.Config) error {
	path := v.command.Against
	if path == "" {
		if path = c.Anchors.File; path == "" {
			return nil
		}
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			return nil
		}
	}
	keys, err := keysOf(v.command.Key)
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		own, err := storedAnchorKey(ctx, c, v.db)
		if err != nil {
			return err
		}
		if own != nil {
			keys = append(keys, own.Public())
		}
	}
	trusted, err := anchor.ReadCertificates(cmp.Or(v.command.TSACA, c.Anchors.TSACA))
	if err != nil {
		return fmt.Errorf("--tsa-ca: %w", err)
	}
	v.witness, err = readWitness(path, keys, trusted)
	return err
}

// compareWitness adds the disagreement of the journal with the witness to the report. A cut end can only be accepted explicitly.
func (v *verification) compareWitness(ctx context.Context, id organization.ID) (rewritten, cut, err error) {
	if v.witness == nil {
		return nil, nil, nil
	}
	v.seen[id] = true
	err = v.witness.compare(ctx, id, v.journal.Scan)
	switch {
	case errors.Is(err, errCut):
		return nil, err, nil
	case errors.Is(err, errRewritten):
		return err, nil, nil
	}
	return nil, nil, err
}

// absent reports the organizations that only the witness knows.
func (v *verification) absent() {
	if v.witness == nil || v.command.Organization != "" {
		return
	}
	var missing []string
	for id := range v.witness.rows {
		if !v.seen[id] {
			missing = append(missing, id.String())
		}
	}
	slices.Sort(missing)
	for _, id := range missing {
		v.faults++
		v.p.say("%s: the whole journal is missing; %s contains it", id, v.witness.path)
	}
	v.witness.describe(v.p)
}

// compareProof compares the rows of a proof file with the file of --against.
func (v verifyCommand) compareProof(ctx context.Context, p program, header messages.ProofHeader, hashes []messages.Hash) error {
	keys, err := keysOf(v.Key)
	if err != nil || v.Against == "" && len(keys) == 0 {
		return err
	}
	if !signedBy(header, keys) {
		return errUnknownKey
	}
	if v.Against == "" {
		return nil
	}
	trusted, err := anchor.ReadCertificates(v.TSACA)
	if err != nil {
		return fmt.Errorf("--tsa-ca: %w", err)
	}
	w, err := readWitness(v.Against, keys, trusted)
	if err != nil {
		return err
	}
	w.describe(p)
	return w.compare(ctx, header.Organization, func(
		_ context.Context, _ organization.ID, after, upTo uint64, each func(messages.Row) error,
	) error {
		for sequence := after + 1; sequence <= min(upTo, uint64(len(hashes))); sequence++ {
			if err := each(messages.Row{Sequence: sequence, Hash: hashes[sequence-1]}); err != nil {
				return err
			}
		}
		return nil
	})
}
