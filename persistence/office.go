package persistence

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"equity/fault"
	"equity/messages"
	"equity/organization"
	"equity/organization/document"
)

// OfficeItems maps items of the office suite to our ids.
type OfficeItems struct{ db *Database }

// NewOfficeItems returns the OfficeItems of db.
func NewOfficeItems(db *Database) *OfficeItems { return &OfficeItems{db: db} }

// ByID returns the entry of our id, or an error with code resourceNotFound.
func (o *OfficeItems) ByID(ctx context.Context, in organization.ID, id document.ItemID) (messages.OfficeEntry, error) {
	return one(ctx, o.db.reader, fault.Refuse(
		fault.NotFound, "The document does not exist.",
	), "find item of the office suite", scanOfficeEntry,
		`SELECT item_id, id, created_by FROM office_item WHERE organization = $1 AND id = $2`, in[:], id[:])
}

// mostKeys is the number of keys in one query.
const mostKeys = 200

// Known returns the entries of the items of the office suite that the organization has, by their keys there.
func (o *OfficeItems) Known(ctx context.Context, in organization.ID, keys []string) (map[string]messages.OfficeEntry, error) {
	known := make(map[string]messages.OfficeEntry, len(keys))
	for some := range slices.Chunk(keys, mostKeys) {
		if err := o.known(ctx, in, some, known); err != nil {
			return nil, err
		}
	}
	return known, nil
}

// known adds the entries of the keys.
func (o *OfficeItems) known(ctx context.Context, in organization.ID, keys []string, known map[string]messages.OfficeEntry) error {
	places, arguments := make([]string, 0, len(keys)), []any{in[:]}
	for _, key := range keys {
		arguments = append(arguments, key)
		places = append(places, "$"+strconv.Itoa(len(arguments)))
	}
	return each(ctx, o.db.reader, "find items of the office suite", func(row Row) error {
		entry, err := scanOfficeEntry(row)
		known[entry.Key] = entry
		return err
	}, `SELECT item_id, id, created_by FROM office_item WHERE organization = $1 AND item_id IN (`+strings.Join(places, ", ")+`)`, arguments...)
}

func scanOfficeEntry(row Row) (entry messages.OfficeEntry, err error) {
	err = row.Scan(&entry.Key, IntoBytes(entry.ID[:]), &entry.CreatedBy)
	return entry, err
}

// Add stores entries that are not known yet. An item that was moved from another organization gets a new id. If another caller added an
// item in between, its id stays.
func (o *OfficeItems) Add(ctx context.Context, in organization.ID, entries []messages.OfficeEntry) error {
	changes := make([]change, 0, len(entries))
	for _, entry := range entries {
		changes = append(changes, change{"add item of the office suite", `INSERT INTO office_item (organization, id, item_id, created_by)
			VALUES ($1, $2, $3, $4) ON CONFLICT (item_id) DO UPDATE
			SET organization = excluded.organization, id = excluded.id, created_by = excluded.created_by
			WHERE office_item.organization <> excluded.organization`, []any{in[:], entry.ID[:], entry.Key, entry.CreatedBy}, nil})
	}
	return o.db.together(messages.WithoutChanges(ctx), changes...)
}

// Remove deletes the entry of a deleted item.
func (o *OfficeItems) Remove(ctx context.Context, in organization.ID, id document.ItemID) error {
	return Execute(messages.WithoutChanges(ctx), o.db.writer, "remove item of the office suite",
		`DELETE FROM office_item WHERE organization = $1 AND id = $2`, in[:], id[:])
}
