package http

import (
	"context"

	"equity/captable"
	"equity/messages"
	"equity/organization"
)

// blockHandlers maps operation ids to the handlers of funding rounds.
func (s *Server) blockHandlers() map[string]Handler {
	return map[string]Handler{
		"createBlock":  s.createBlock,
		"listBlocks":   s.listBlocks,
		"getBlock":     s.getBlock,
		"replaceBlock": s.replaceBlock,
		"deleteBlock":  s.deleteBlock,
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

// blocks groups the shareholdings by round in one pass. It parses each text only once, because many
// shareholdings share a text.
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

// changeBlock carries out a command and returns the round with its shareholdings after the change.
func (s *Server) changeBlock(ctx context.Context, c *Call, command organization.Command, about any, creates bool) (Answer, error) {
	return s.change(ctx, c, command, about, func(reply messages.Reply) (shown, error) {
		block, err := touched[*captable.Block](reply)
		if err != nil {
			return shown{}, err
		}
		now := c.View.State
		if view, err := s.view(ctx, c.Organization); err == nil && view.Sequence >= c.View.Sequence {
			now = view.State
		}
		made := shown{record: c.blocks(now.Table()).show(c, block), version: block.Version}
		if creates {
			made.location = "/organization/" + c.Organization.String() + "/block/" + block.ID.String()
		}
		return made, nil
	})
}

func (s *Server) createBlock(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.CreateBlock](c)
	if err != nil {
		return Answer{}, err
	}
	return s.changeBlock(ctx, c, organization.Table{Command: command}, nil, true)
}

func (s *Server) replaceBlock(ctx context.Context, c *Call) (Answer, error) {
	command, err := decode[captable.ReplaceBlock](c)
	if err != nil {
		return Answer{}, err
	}
	command.ID = pathID[captable.Block](c, "block")
	return s.changeBlock(ctx, c, organization.Table{Command: command}, command.ID, false)
}

func (s *Server) deleteBlock(ctx context.Context, c *Call) (Answer, error) {
	id := pathID[captable.Block](c, "block")
	return s.remove(ctx, c, captable.DeleteBlock{ID: id}, id)
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

func (s *Server) getBlock(_ context.Context, c *Call) (Answer, error) {
	table := c.View.State.Table()
	block, ok := table.Block(pathID[captable.Block](c, "block"))
	held := c.blocks(table)
	if !ok || !c.Can(organization.ViewCapTable) && len(held[block.ID]) == 0 {
		return Answer{}, errNotFound()
	}
	return c.read(held.show(c, block), block.Version), nil
}
