package captable

import (
	"strconv"
	"strings"

	"equity/fault"
)

// BlockTerms are the editable fields of a funding round.
type BlockTerms struct {
	// Name is unique without regard to case, because shareholdings may refer to their round by
	// name.
	Name string `json:"name"`
	// Kind is the type of the round in free text, such as seed or seriesA.
	Kind      string `json:"kind,omitempty"`
	CloseDate Date   `json:"closeDate,omitzero"`
	PreMoney  *Money `json:"preMoney,omitempty"`
	Raised    *Money `json:"raised,omitempty"`
	// Securities are the classes issued in the round.
	Securities []SecurityID `json:"securities,omitempty"`
	ExternalID string       `json:"externalId,omitempty"`
	Comments   []string     `json:"comments,omitempty"`
}

// Block is a funding round. Holdings refer to their round; the round does not list them.
type Block struct {
	ID BlockID `json:"id"`
	BlockTerms
	Meta
}

// BlockCreated records a new funding round.
type BlockCreated struct {
	ID     BlockID    `json:"id"`
	Terms  BlockTerms `json:"terms"`
	Source *Source    `json:"source,omitempty"`
}

// EventType returns the name of the event in the journal.
func (BlockCreated) EventType() string { return "blockCreated" }

// Creates returns the funding round.
func (e BlockCreated) Creates() []Created { return []Created{{e.ID, kindBlock}} }

// Records returns the funding round.
func (e BlockCreated) Records(s *State) []any { return records(s.Block(e.ID)) }

// BlockChanged records the new terms of a funding round.
type BlockChanged struct {
	ID    BlockID    `json:"id"`
	Terms BlockTerms `json:"terms"`
}

// EventType returns the name of the event in the journal.
func (BlockChanged) EventType() string { return "blockChanged" }

// Creates returns nil: the event creates no record.
func (BlockChanged) Creates() []Created { return nil }

// Records returns the funding round.
func (e BlockChanged) Records(s *State) []any { return records(s.Block(e.ID)) }

// BlockDeleted records the deletion of a funding round without references.
type BlockDeleted struct {
	ID BlockID `json:"id"`
}

// EventType returns the name of the event in the journal.
func (BlockDeleted) EventType() string { return "blockDeleted" }

// Creates returns nil: the event creates no record.
func (BlockDeleted) Creates() []Created { return nil }

// Records returns nil: the funding round is deleted.
func (BlockDeleted) Records(*State) []any { return nil }

// CreateBlock creates a funding round.
type CreateBlock struct {
	BlockTerms
	Source *Source `json:"-"`
}

// ReplaceBlock replaces the terms of a funding round.
type ReplaceBlock struct {
	ID BlockID `json:"-"`
	BlockTerms
}

// DeleteBlock deletes a funding round without holdings.
type DeleteBlock struct{ ID BlockID }

func (c CreateBlock) decide(s *State, m DecideContext) ([]Event, error) {
	terms, err := c.checked(s, BlockID{})
	if err != nil {
		return nil, err
	}
	return []Event{BlockCreated{ID: m.NewID(), Terms: terms, Source: c.Source}}, nil
}

// decide replaces the terms of a funding round. If the name changes, holdings that refer to
// the old name are first linked by id, so that they stay in the round.
func (c ReplaceBlock) decide(s *State, _ DecideContext) ([]Event, error) {
	block, err := s.blocks.block(c.ID)
	if err != nil {
		return nil, err
	}
	terms, err := c.checked(s, c.ID)
	if err != nil {
		return nil, err
	}
	events := []Event{BlockChanged{ID: c.ID, Terms: terms}}
	if !block.named(terms.Name) {
		events = append(events, linkingEvents(s, block)...)
	}
	return events, nil
}

// linkingEvents returns the events that replace the name of the round by its id in all holdings that
// refer to it by name. Such references predate the record of the round.
func linkingEvents(s *State, block *Block) (events []Event) {
	id := block.ID.String()
	inWords := func(text string) bool { return text != id && block.named(text) }
	for h := range s.Shareholdings() {
		if inWords(h.Block) {
			details := h.ShareholdingDetails
			details.Block = id
			events = append(events, ShareholdingAmended{ID: h.ID, Details: details})
		}
	}
	for i := range s.Instruments() {
		if inWords(i.Block) {
			terms := i.InstrumentTerms
			terms.Block = id
			events = append(events, InstrumentAmended{ID: i.ID, Terms: terms})
		}
	}
	return events
}

// decide refuses to delete a funding round with holdings, whether they refer to it by id or by
// name.
func (c DeleteBlock) decide(s *State, _ DecideContext) ([]Event, error) {
	block, err := s.blocks.block(c.ID)
	if err != nil {
		return nil, err
	}
	for h := range s.Shareholdings() {
		if block.named(h.Block) {
			return nil, fault.Refuse(
				fault.InUse, "The funding round is used by a shareholding. Remove it there first.",
			).With("shareholding", h.ID.String())
		}
	}
	for i := range s.Instruments() {
		if block.named(i.Block) {
			return nil, fault.Refuse(
				fault.InUse, "The funding round is used by a holding. Remove it there first.",
			).With("holding", i.ID.String())
		}
	}
	return []Event{BlockDeleted(c)}, nil
}

// checked returns the normalized terms, or an error with their faults. The close date may be
// in the future, because a round may be entered before it closes.
func (t BlockTerms) checked(s *State, self BlockID) (BlockTerms, error) {
	t.Name = strings.TrimSpace(t.Name)
	var faults fault.Fields
	if t.Name == "" {
		faults.Add("/name", "required", "The name of the funding round is required.")
	}
	t.PreMoney.check(&faults, "/preMoney")
	t.Raised.check(&faults, "/raised")
	for i, id := range t.Securities {
		if _, known := s.Security(id); !known {
			faults.Add("/securities/"+strconv.Itoa(i), "unknownReference", "There is no such security.")
		}
	}
	if err := faults.Err(); err != nil {
		return t, err
	}
	if other := s.blocks.named(t.Name); other != nil && other.ID != self {
		return t, fault.Refuse(fault.Conflict, "Another funding round has this name. Choose another name.").With("block", other.ID.String())
	}
	return t, s.externalIDs.checkUnused(kindBlock, t.ExternalID, self)
}

func (e BlockCreated) apply(s *State, stamp Stamp) {
	s.blocks.records.Set(e.ID, &Block{ID: e.ID, BlockTerms: e.Terms, Meta: NewMeta(stamp)})
	s.externalIDs.set(kindBlock, "", e.Terms.ExternalID, e.ID)
}

func (e BlockChanged) apply(s *State, stamp Stamp) {
	touch(s.blocks.records, e.ID, stamp, func(b *Block) {
		s.externalIDs.set(kindBlock, b.ExternalID, e.Terms.ExternalID, e.ID)
		b.BlockTerms = e.Terms
	})
}

func (e BlockDeleted) apply(s *State, _ Stamp) {
	if old, ok := s.Block(e.ID); ok {
		s.externalIDs.set(kindBlock, old.ExternalID, "", e.ID)
		s.blocks.records.Delete(e.ID)
	}
}

// Block returns a funding round by id.
func (s *State) Block(id BlockID) (*Block, bool) { return s.blocks.records.Get(id) }

func (r *blockRegister) block(id BlockID) (*Block, error) {
	if block, ok := r.records.Get(id); ok {
		return block, nil
	}
	return nil, fault.Refuse(fault.NotFound, "There is no such funding round.")
}

func (r *blockRegister) named(name string) *Block {
	for block := range r.records.All() {
		if strings.EqualFold(block.Name, name) {
			return block
		}
	}
	return nil
}

// named reports whether the block field of a holding refers to this round.
func (b *Block) named(text string) bool {
	return text == b.ID.String() || strings.EqualFold(strings.TrimSpace(text), b.Name)
}

// BlockOf returns the funding round to which the block field of a holding refers, by id or by
// name without regard to case. It returns false for any other text.
func (s *State) BlockOf(text string) (*Block, bool) { return s.blocks.of(text) }

func (r *blockRegister) of(text string) (*Block, bool) {
	if text == "" {
		return nil, false
	}
	if id, err := ParseID[Block](text); err == nil {
		return r.records.Get(id)
	}
	block := r.named(strings.TrimSpace(text))
	return block, block != nil
}

// linked returns the block field of a holding as it is stored: the id of the round if it
// exists, otherwise the text unchanged. The id keeps the link valid if the round is renamed.
// An unknown id is a fault.
func (r *blockRegister) linked(faults *fault.Fields, pointer, text string) string {
	if block, ok := r.of(text); ok {
		return block.ID.String()
	}
	if _, err := ParseID[Block](text); err == nil && text != "" {
		faults.Add(pointer, "unknownReference", "There is no such funding round.")
	}
	return text
}
