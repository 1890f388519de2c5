package api

import (
	"slices"

	"equity/captable"
	"equity/captable/effect"
	"equity/http/lru"
	"equity/messages"
	"equity/organization"
)

// effects computes the effects of dry runs. It caches the tables before the changes, because a form sends several dry
// runs on the same state.
type effects struct {
	tables *lru.Cache[tableKey, *captable.Table]
}

// tableKey identifies the table of a recorded state, which never changes.
type tableKey struct {
	organization organization.ID
	sequence     uint64
	day          captable.Date
}

// The limit of the cached tables, and the approximate memory of a table and of its lines, in bytes.
const (
	tableBytes   = 24 << 20
	tableWeight  = 4 << 10
	holderWeight = 600
	linesWeight  = 400
)

func newEffects() effects {
	return effects{lru.New(tableBytes, func(_ tableKey, table *captable.Table) int64 {
		lines := len(table.Securities) + len(table.Pools) + len(table.Convertibles) + len(table.Warrants)
		return tableWeight + int64(len(table.Holders))*holderWeight + int64(lines)*linesWeight
	})}
}

// of returns the effects of a dry run, as of the present day or of the latest dated entry. It returns nil if the change
// does not concern the cap table or if the caller may not view it.
func (e effects) of(c *Call, reply messages.Reply) *effect.Effects {
	ofTable := func(event organization.Event) bool { _, is := event.(organization.TableEvent); return is }
	if reply.Trial == nil || !c.Can(organization.ViewCapTable) || !slices.ContainsFunc(reply.Events, ofTable) {
		return nil
	}
	was, is := reply.Trial.Before, reply.Trial.After
	day := max(c.AsOf(), was.Table().LastDate(), is.Table().LastDate())
	before := e.before(tableKey{c.Organization, reply.Sequence, day}, was)
	after := is.Table().TableOn(day, is.NameOf)
	return new(effect.Between(before, &after))
}

func (e effects) before(key tableKey, state *organization.State) *captable.Table {
	if table, ok := e.tables.Get(key); ok {
		return table
	}
	table := state.Table().TableOn(key.day, state.NameOf)
	e.tables.Put(key, &table)
	return &table
}
