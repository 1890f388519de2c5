package captable_test

import (
	"testing"

	"equity/captable"
	"equity/fault"
)

func round(name string, of ...captable.SecurityID) captable.CreateBlock {
	return captable.CreateBlock{BlockTerms: captable.BlockTerms{Name: name, Kind: "series", PreMoney: dollars("100"), Securities: of}}
}

func (b *bundle) round(name string, of ...captable.SecurityID) captable.BlockID {
	b.Helper()
	return b.do(round(name, of...))[0].(captable.BlockCreated).ID
}

func TestBlocks(t *testing.T) {
	t.Parallel()
	replace := func(id captable.BlockID, name string) captable.ReplaceBlock {
		return captable.ReplaceBlock{ID: id, BlockTerms: captable.BlockTerms{Name: name}}
	}
	t.Run("a round is created, replaced and deleted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.round(" Seed ", b.common("1"))
		block, _ := b.state.Block(id)
		equal(t, "name", block.Name, "Seed")
		b.do(replace(id, "Series Seed"))
		block, _ = b.state.Block(id)
		equal(t, "name", block.Name, "Series Seed")
		equal(t, "securities", len(block.Securities), 0)
		b.do(captable.DeleteBlock{ID: id})
		b.refused(captable.DeleteBlock{ID: id}, fault.NotFound)
		b.refused(replace(id, "x"), fault.NotFound)
	})
	t.Run("a refused round names every wrong field", func(t *testing.T) {
		t.Parallel()
		setup(t).refused(captable.CreateBlock{BlockTerms: captable.BlockTerms{
			Name: " ", PreMoney: dollars("-1"), Raised: dollars("-2"), Securities: []captable.SecurityID{{1}},
		}}, fault.Invalid, "/name required", "/preMoney/amount negative", "/raised/amount negative", "/securities/0 unknownReference")
	})
	t.Run("the name of a round is unique regardless of case", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.round("Seed")
		equal(t, "block", b.refused(round("SEED"), fault.Conflict)["block"], id.String())
		b.do(replace(id, "SEED"))
		b.refused(replace(b.round("A"), "seed"), fault.Conflict)
	})
	t.Run("a class of a round cannot be deleted", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		class := b.common("1")
		b.round("Seed", class)
		b.refused(captable.DeleteSecurity{ID: class}, fault.InUse)
	})
}

func TestSharesOfABlock(t *testing.T) {
	t.Parallel()
	of := func(b *bundle, block string) captable.IssueShareholding {
		var class captable.SecurityID
		for security := range b.state.Securities() {
			class = security.ID
		}
		if class.IsZero() {
			class = b.common("100")
		}
		command := issue(ada, class, "1", today)
		command.Block = block
		return command
	}
	issued := func(b *bundle, block string) *captable.Shareholding {
		return b.holding(b.do(of(b, block))[0].(captable.ShareholdingIssued).ID)
	}
	t.Run("shares name a round by its id or name and stay linked when it is renamed", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		id := b.round("Seed")
		equal(t, "by id", issued(b, id.String()).Block, id.String())
		held := issued(b, " seed ")
		equal(t, "by name", held.Block, id.String())
		b.do(captable.ReplaceBlock{ID: id, BlockTerms: captable.BlockTerms{Name: "A"}})
		block, ok := b.state.BlockOf(held.Block)
		equal(t, "found", ok && block.Name == "A", true)
		b.do(amend(held.ID, `{"block":"A"}`))
		equal(t, "amended", b.holding(held.ID).Block, id.String())
		b.refused(captable.DeleteBlock{ID: id}, fault.InUse)
	})
	t.Run("shares may name a round without a record and are linked when it is created", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		held := issued(b, "Friends")
		equal(t, "block", held.Block, "Friends")
		if _, ok := b.state.BlockOf(held.Block); ok {
			t.Error("a block was found before there was one")
		}
		command := safe(ada, "1", today)
		command.Block = "Friends"
		right := b.instrument(command)
		id := b.round("friends")
		block, ok := b.state.BlockOf(held.Block)
		equal(t, "found", ok && block.ID == id, true)
		b.refused(captable.DeleteBlock{ID: id}, fault.InUse)
		b.do(captable.ReplaceBlock{ID: id, BlockTerms: captable.BlockTerms{Name: "Friends and family"}})
		equal(t, "renamed", b.holding(held.ID).Block, id.String())
		equal(t, "right", b.right(right).Block, id.String())
		b.refused(captable.DeleteBlock{ID: id}, fault.InUse)
	})
	t.Run("shares with an unknown round id are refused", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.refused(of(b, captable.BlockID{1}.String()), fault.Invalid, "/block unknownReference")
	})
	t.Run("an empty name matches no round", func(t *testing.T) {
		t.Parallel()
		if _, ok := setup(t).state.BlockOf(""); ok {
			t.Error("nothing was found to be a block")
		}
	})
}
