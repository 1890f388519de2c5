package equity

import (
	"context"

	"equity/captable"
	"equity/http/api"
	"equity/organization"
)

// rounds declares funding rounds.
func (s *base) rounds() api.Noun[captable.Block] {
	return api.Noun[captable.Block]{
		Kernel: s.Kernel, Parameter: "block",
		Key:  func(block *captable.Block) (captable.BlockID, uint64) { return block.ID, block.Version },
		One:  block,
		Show: func(c *api.Call, block *captable.Block) any { return blocksOf(c, c.View.State.Table()).show(c, block) },
		Location: func(c *api.Call, block *captable.Block) string {
			return "/organization/" + c.Organization.String() + "/block/" + block.ID.String()
		},
	}
}

// operations maps operation ids to the handlers of funding rounds.
func (s issueBlocks) operations() map[string]api.Handler {
	rounds := s.rounds()
	return map[string]api.Handler{
		"createBlock": rounds.Create(api.InBody[captable.CreateBlock]),
		"listBlocks":  s.listBlocks,
		"getBlock":    rounds.Get,
		"replaceBlock": rounds.Replace(
			api.InBodyFor("block", func(command *captable.ReplaceBlock, id captable.BlockID) { command.ID = id }),
		),
		"deleteBlock": rounds.Remove(func(_ *api.Call, id captable.BlockID) organization.Command {
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
func blocksOf(c *api.Call, table *captable.State) blocks {
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
func (b blocks) show(c *api.Call, block *captable.Block) any {
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
func (s issueBlocks) listBlocks(_ context.Context, c *api.Call) (api.Answer, error) {
	return s.RenderRecord(c, func() (any, error) {
		table := c.View.State.Table()
		held := blocksOf(c, table)
		id := func(block *captable.Block) [16]byte { return block.ID }
		found := api.Paged(c, id, api.Only(table.Blocks(), func(block *captable.Block) bool {
			return c.Can(organization.ViewCapTable) || len(held[block.ID]) > 0
		}))
		return api.ShownPage(found, func(block *captable.Block) any { return held.show(c, block) }), nil
	})
}

// block returns the round if the caller may see it.
func block(c *api.Call, id captable.BlockID) (*captable.Block, bool) {
	table := c.View.State.Table()
	block, ok := table.Block(id)
	return block, ok && (c.Can(organization.ViewCapTable) || len(blocksOf(c, table)[id]) > 0)
}
