package captable

import (
	"strconv"
	"strings"
)

// BlockTerms are the fields of a funding round that its owners set.
type BlockTerms struct {
	// Name is unique, whatever its case: shareholdings may name their round by it.
	Name string `json:"name"`
	// Kind is the round's own word for itself, such as seed or seriesA.
	Kind      string `json:"kind,omitempty"`
	CloseDate Date   `json:"closeDate,omitzero"`
	PreMoney  *Money `json:"preMoney,omitempty"`
	Raised    *Money `json:"raised,omitempty"`
	// Securities are the classes that the round issued.
	Securities []SecurityID `json:"securities,omitempty"`
	ExternalID string       `json:"externalId,omitempty"`
	Comments   []string     `json:"comments,omitempty"`
}

// Block is a funding round. Which holdings are of it, they say themselves.
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

// BlockChanged records other terms of a funding round.
type BlockChanged struct {
	ID    BlockID    `json:"id"`
	Terms BlockTerms `json:"terms"`
}

// BlockDeleted records that a funding round which nothing names is gone.
type BlockDeleted struct {
	ID BlockID `json:"id"`
}

// CreateBlock asks for a new funding round.
type CreateBlock struct {
	BlockTerms
	Source *Source `json:"-"`
}

// ReplaceBlock asks for other terms of a funding round.
type ReplaceBlock struct {
	ID BlockID `json:"-"`
	BlockTerms
}

// DeleteBlock asks to remove a funding round that no holding names.
type DeleteBlock struct{ ID BlockID }

func (c CreateBlock) decide(s *State, m Moment) ([]Event, error) {
	terms, err := c.checked(s, BlockID{})
	if err != nil {
		return nil, err
	}
	return []Event{BlockCreated{ID: m.NewID(), Terms: terms, Source: c.Source}}, nil
}

// decide gives a funding round other terms. Shareholdings that name it in words are linked
// to its record before the words change, so that they go on being of it.
func (c ReplaceBlock) decide(s *State, _ Moment) ([]Event, error) {
	block, err := s.block(c.ID)
	if err != nil {
		return nil, err
	}
	terms, err := c.checked(s, c.ID)
	if err != nil {
		return nil, err
	}
	events := []Event{BlockChanged{ID: c.ID, Terms: terms}}
	if !block.named(terms.Name) {
		events = append(events, s.linking(block)...)
	}
	return events, nil
}

// linking gives the holdings that name the round in words, as they did before it had a
// record, its id: they stay of it when its name changes.
func (s *State) linking(block *Block) (events []Event) {
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

// decide deletes a funding round that nothing is of, whether that is said by its id or by
// its name.
func (c DeleteBlock) decide(s *State, _ Moment) ([]Event, error) {
	block, err := s.block(c.ID)
	if err != nil {
		return nil, err
	}
	for h := range s.Shareholdings() {
		if block.named(h.Block) {
			return nil, Refuse(CodeInUse, "A shareholding is of this funding round.").With("shareholding", h.ID.String())
		}
	}
	for i := range s.Instruments() {
		if block.named(i.Block) {
			return nil, Refuse(CodeInUse, "A holding is of this funding round.").With("holding", i.ID.String())
		}
	}
	return []Event{BlockDeleted(c)}, nil
}

// checked gives the terms as they are kept, or what is wrong with them. A round may be
// entered before it closes, so its date may lie in the future.
func (t BlockTerms) checked(s *State, self BlockID) (BlockTerms, error) {
	t.Name = strings.TrimSpace(t.Name)
	var faults Faults
	if t.Name == "" {
		faults.Add("/name", "required", "A funding round has a name.")
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
	if other := s.blockNamed(t.Name); other != nil && other.ID != self {
		return t, Refuse(CodeConflict, "Another funding round has this name.").With("block", other.ID.String())
	}
	return t, s.unusedExternalID(kindBlock, t.ExternalID, self)
}

func (e BlockCreated) apply(s *State, stamp Stamp) {
	s.blocks.Set(e.ID, &Block{ID: e.ID, BlockTerms: e.Terms, Meta: NewMeta(stamp)})
	s.setExternalID(kindBlock, "", e.Terms.ExternalID, e.ID)
}

func (e BlockChanged) apply(s *State, stamp Stamp) {
	touch(s.blocks, e.ID, stamp, func(b *Block) {
		s.setExternalID(kindBlock, b.ExternalID, e.Terms.ExternalID, e.ID)
		b.BlockTerms = e.Terms
	})
}

func (e BlockDeleted) apply(s *State, _ Stamp) {
	if old, ok := s.Block(e.ID); ok {
		s.setExternalID(kindBlock, old.ExternalID, "", e.ID)
		s.blocks.Delete(e.ID)
	}
}

// Block finds a funding round.
func (s *State) Block(id BlockID) (*Block, bool) { return s.blocks.Get(id) }

func (s *State) block(id BlockID) (*Block, error) {
	if block, ok := s.Block(id); ok {
		return block, nil
	}
	return nil, Refuse(CodeNotFound, "There is no such funding round.")
}

func (s *State) blockNamed(name string) *Block {
	for block := range s.Blocks() {
		if strings.EqualFold(block.Name, name) {
			return block
		}
	}
	return nil
}

// named reports whether what a holding says of its round means this one.
func (b *Block) named(text string) bool {
	return text == b.ID.String() || strings.EqualFold(strings.TrimSpace(text), b.Name)
}

// BlockOf finds the funding round that a holding means by its block: the id or the name
// of one, in any case; false where it is a word of its own.
func (s *State) BlockOf(text string) (*Block, bool) {
	if text == "" {
		return nil, false
	}
	if id, err := ParseID[Block](text); err == nil {
		return s.Block(id)
	}
	block := s.blockNamed(strings.TrimSpace(text))
	return block, block != nil
}

// linked gives the block of a holding as it is kept: the id of the round that it means,
// so that the round may be renamed, else the word as it is. An id of none is a fault.
func (s *State) linked(faults *Faults, pointer, text string) string {
	if block, ok := s.BlockOf(text); ok {
		return block.ID.String()
	}
	if _, err := ParseID[Block](text); err == nil && text != "" {
		faults.Add(pointer, "unknownReference", "There is no such funding round.")
	}
	return text
}
