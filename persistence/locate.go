package persistence

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"equity/captable"
	"equity/organization"
)

// Locate returns the organization and the kind of the record with the id, or the zero id and an empty kind for an
// unknown record.
func (j *Journal) Locate(ctx context.Context, id [16]byte) (organization.ID, string, error) {
	var owner organization.ID
	var kind string
	err := j.completeAll(ctx, func() (bool, error) {
		return scanRow(j.db.reader.QueryRowContext(ctx, `SELECT organization, kind FROM resource WHERE id = $1`, id[:]),
			"locate record", IntoBytes(owner[:]), &kind)
	})
	return owner, kind, err
}

// OrganizationsOf returns the organizations of which the user is a member, in ascending order of ids.
func (j *Journal) OrganizationsOf(
	ctx context.Context, user organization.UserID,
) ([]organization.ID, error) {
	return j.organizations(ctx, `SELECT organization FROM membership WHERE user_id = $1 ORDER BY organization`, user[:])
}

// OrganizationsHeldBy returns the organizations of which the entity holds equity, in ascending order of ids.
func (j *Journal) OrganizationsHeldBy(
	ctx context.Context, entity captable.EntityID,
) ([]organization.ID, error) {
	return j.organizations(ctx, `SELECT organization FROM stake WHERE entity = $1 ORDER BY organization`, entity[:])
}

// organizations returns the organizations selected by a query with one argument.
func (j *Journal) organizations(ctx context.Context, query string, of []byte) ([]organization.ID, error) {
	return Collect(ctx, j.db.reader, "list organizations", Identifier[organization.ID], query, of)
}

// particularsAtOnce is the number of entities per query. Both engines limit the number of parameters.
const particularsAtOnce = 500

// Particulars returns the personal particulars of the entities within the organization, as JSON by field. Without entities
// it returns the particulars of all entities. Entities without particulars are not in the map.
func (j *Journal) Particulars(
	ctx context.Context, id organization.ID, entities ...captable.EntityID,
) (map[captable.EntityID]map[string]json.RawMessage, error) {
	found := map[captable.EntityID]map[string]json.RawMessage{}
	if len(entities) == 0 {
		return found, j.particulars(ctx, id, nil, found)
	}
	for len(entities) > 0 {
		some := entities[:min(len(entities), particularsAtOnce)]
		entities = entities[len(some):]
		if err := j.particulars(ctx, id, some, found); err != nil {
			return nil, err
		}
	}
	return found, nil
}

func (j *Journal) particulars(
	ctx context.Context, id organization.ID, entities []captable.EntityID,
	found map[captable.EntityID]map[string]json.RawMessage,
) error {
	query := `SELECT entity, field, value FROM particulars WHERE organization = $1`
	arguments := []any{id[:]}
	if len(entities) > 0 {
		places := make([]string, 0, len(entities))
		for i := range entities {
			arguments = append(arguments, entities[i][:])
			places = append(places, "$"+strconv.Itoa(len(arguments)))
		}
		query += ` AND entity IN (` + strings.Join(places, ", ") + `)`
	}
	return each(ctx, j.db.reader, "read particulars", func(row Row) error {
		var entity captable.EntityID
		var field string
		var content []byte
		if err := row.Scan(IntoBytes(entity[:]), &field, &content); err != nil {
			return err
		}
		if found[entity] == nil {
			found[entity] = map[string]json.RawMessage{}
		}
		found[entity][field] = content
		return nil
	}, query, arguments...)
}
