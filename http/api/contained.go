package api

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"equity/captable/ocf"
)

// Contained is a change inside a file or a plan. Its details are those of the request that would record it.
type Contained struct {
	// Pointer is the place of the change in the file.
	Pointer string
	// Operation is the operation of the request, with the parameters of its path and its body.
	Operation string
	Path      map[string]string
	Body      json.RawMessage
	// Cells are further arguments, in place of a body.
	Cells []Cell
	// Refers returns the record that a text at a place in the change refers to, other than by its id. It may be nil.
	Refers func(pointer, text string) Reference
}

// Cell is a cell of a spreadsheet.
type Cell struct {
	Column, Text string
	// Argument is the field of the body with the same meaning: its name, after the name of its object and a slash.
	Argument string
}

// Reference is the record that a text refers to: its id, or the kind and the name of a record of the same file. It is zero for no record.
type Reference struct {
	ID         [16]byte
	Kind, Name string
}

// refer adds the record of the text.
func (d *Detail) refer(to Reference) {
	switch {
	case to.Kind != "":
		d.Kind, d.Name, d.id = to.Kind, visible(to.Name), [16]byte{}
	case to.ID != [16]byte{}:
		d.id = to.ID
	}
}

// Records are the changes of a kind in a file.
type Records struct {
	// Kind is the kind of the rows, or the type of the objects of a package.
	Kind string `json:"kind"`
	// Count is the number of all changes of the kind, and Shown some of them in words, in the order of the file.
	Count int      `json:"count"`
	Shown []Record `json:"shown"`
}

// Record is a change in words.
type Record struct {
	// Pointer is its place in the file, as in findings.
	Pointer string   `json:"pointer"`
	Details []Detail `json:"details"`
}

// Contained returns the changes in words.
func (s *Describer) Contained(ctx context.Context, c *Call, changes []Contained) ([]Record, error) {
	list, ends := &detailList{found: []Detail{}}, make([]int, len(changes))
	for i := range changes {
		if err := s.contained(list, &changes[i]); err != nil {
			return nil, fmt.Errorf("describe %s: %w", changes[i].Operation, err)
		}
		ends[i] = len(list.found)
	}
	if err := s.addNames(ctx, c, list.found); err != nil {
		return nil, err
	}
	records, begin := make([]Record, len(changes)), 0
	for i, end := range ends {
		records[i], begin = Record{changes[i].Pointer, list.found[begin:end:end]}, end
	}
	return records, nil
}

// Package returns the objects of a package in words.
func (s *Describer) Package(ctx context.Context, c *Call, contents []ocf.Contents) ([]Records, error) {
	all := make([]Records, 0, len(contents))
	for _, kind := range contents {
		changes := make([]Contained, len(kind.Shown))
		for i, one := range kind.Shown {
			changes[i] = Contained{
				Pointer: one.Pointer, Operation: "importPackage", Body: one.Object,
				Refers: func(pointer, _ string) Reference {
					return Reference{Kind: one.Names[pointer].Kind, Name: one.Names[pointer].Name}
				},
			}
		}
		shown, err := s.Contained(ctx, c, changes)
		if err != nil {
			return nil, err
		}
		all = append(all, Records{kind.Type, kind.Count, shown})
	}
	return all, nil
}

func (s *Describer) contained(list *detailList, change *Contained) error {
	op, body := s.operations[change.Operation], &argument{}
	if op == nil {
		return fmt.Errorf("%w: unknown operation", ErrContract)
	}
	if op.body != nil && op.body.argument != nil {
		body = op.body.argument
	}
	list.refers, list.base = change.Refers, change.Pointer
	first := len(list.found)
	for i := range op.inPath {
		list.parameter(&op.inPath[i], change.Path)
	}
	for i := range list.found[first:] {
		list.found[first+i].Pointer = change.Pointer + list.found[first+i].Pointer
	}
	for _, cell := range change.Cells {
		of, mark := body, ""
		for name := range strings.SplitSeq(cell.Argument, "/") {
			if of = of.field(name); mark == "" {
				mark = of.mark
			}
		}
		list.text(cell.Text, of, spot{change.Pointer + "/" + cell.Column, words(cell.Column)}, mark)
	}
	if len(change.Body) == 0 {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(change.Body))
	decoder.UseNumber()
	return list.value(decoder, body, spot{pointer: change.Pointer}, "")
}
