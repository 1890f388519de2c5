package http

import (
	"context"

	"equity/captable"
	"equity/organization"
)

// rounds declares funding rounds.
func (s *Server) rounds() noun[captable.Block] {
	return noun[captable.Block]{
		server: s, parameter: "block",
		key:  func(block *captable.Block) (captable.BlockID, uint64) { return block.ID, block.Version },
		one:  (*Call).block,
		show: func(c *Call, block *captable.Block) any { return c.blocks(c.View.State.Table()).show(c, block) },
		location: func(c *Call, block *captable.Block) string {
			return "/organization/" + c.Organization.String() + "/block/" + block.ID.String()
		},
	}
}

// blockHandlers maps operation ids to the handlers of funding rounds.
func (s *Server) blockHandlers() map[string]Handler {
	rounds := s.rounds()
	return map[string]Handler{
		"createBlock":  rounds.create(inBody[captable.CreateBlock]),
		"listBlocks":   s.listBlocks,
		"getBlock":     rounds.get,
		"replaceBlock": rounds.replace(inBodyFor("block", func(command *captable.ReplaceBlock, id captable.BlockID) { command.ID = id })),
		"deleteBlock": rounds.remove(func(_ *Call, id captable.BlockID) organization.Command {
			return organization.Table{Command: captable.DeleteBlock{ID: id}}
		}),
	}
}

// blockRecord is the JSON form of a funding round with its shareholdings.
type blockRecord struct {
	*captable.Block
	Organization organization.ID           `json:"organization"`
	Holdings     []captable.ShareholdingID `json:"holdings"`
	// Invested is the amount paid for the shares, in the organization's currency.
	Invested captable.Decimal `json:"invested"`
}

// blocks holds the shareholdings of each funding round that the caller may see.
type blocks map[captable.BlockID][]*captable.Shareholding

// blocks groups the shareholdings by round in one pass. It looks up each round name only once,
// because many shareholdings share it.
func (c *Call) blocks(table *captable.State) blocks {
	found, words := blocks{}, map[string]captable.BlockID{}
	list := table.Shareholdings()
	if !c.Can(organization.ViewCapTable) {
		list = table.ShareholdingsOf(c.Member.Entity)
	}
	for held := range list {
		if held.Block == "" || held.Status == captable.StatusVoided {
			continue
		}
		id, known := words[held.Block]
		if !known {
			if block, ok := table.BlockOf(held.Block); ok {
				id = block.ID
			}
			words[held.Block] = id
		}
		if !id.IsZero() {
			found[id] = append(found[id], held)
		}
	}
	return found
}

// show returns the round with its current shareholdings. Invested covers the shares that the round
// issued, including those transferred since.
func (b blocks) show(c *Call, block *captable.Block) any {
	record := blockRecord{Block: block, Organization: c.Organization, Holdings: []captable.ShareholdingID{}}
	for _, held := range b[block.ID] {
		if held.Origin == nil {
			record.Invested = record.Invested.Add(held.Invested())
		}
		if held.Status.Outstanding() {
			record.Holdings = append(record.Holdings, held.ID)
		}
	}
	return record
}

// listBlocks lists the rounds. Callers without permission to view the cap table get only the rounds in
// which they hold shares.
func (s *Server) listBlocks(_ context.Context, c *Call) (Answer, error) {
	return s.renderRecord(c, func() (any, error) {
		table := c.View.State.Table()
		held := c.blocks(table)
		id := func(block *captable.Block) [16]byte { return block.ID }
		found := paged(c, id, only(table.Blocks(), func(block *captable.Block) bool {
			return c.Can(organization.ViewCapTable) || len(held[block.ID]) > 0
		}))
		return shownPage(found, func(block *captable.Block) any { return held.show(c, block) }), nil
	})
}

// block returns the round if the caller may see it.
func (c *Call) block(id captable.BlockID) (*captable.Block, bool) {
	table := c.View.State.Table()
	block, ok := table.Block(id)
	return block, ok && (c.Can(organization.ViewCapTable) || len(c.blocks(table)[id]) > 0)
}
