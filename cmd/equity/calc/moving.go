package calc

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"equity/captable/exact"
	"equity/sheet"
)

// maxFile is the maximum size of the file of a case in bytes.
const maxFile = 20 << 20

// foreignFile is the file of a case: its text, its bytes, or its path below the working directory.
type foreignFile struct {
	Text     *string `json:"text"`
	Base64   string  `json:"base64"`
	Path     string  `json:"path"`
	Encoding string  `json:"encoding"`
}

// content returns the bytes of the file.
func (f foreignFile) content() ([]byte, error) {
	switch {
	case f.Text != nil:
		return []byte(*f.Text), nil
	case f.Base64 != "":
		content, err := base64.StdEncoding.DecodeString(f.Base64)
		if err != nil {
			return nil, errors.New("the field base64 of the file is not Base64")
		}
		return content, nil
	case !filepath.IsLocal(f.Path):
		return nil, errors.New("the path of the file must lie in the working directory")
	}
	file, err := os.Open(f.Path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // only read
	content, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(content) > maxFile {
		err = fmt.Errorf("the file is larger than %d MB", maxFile>>20)
	}
	return content, err
}

// read returns the cells of the file, or a refusal.
func (f foreignFile) read() (sheet.Book, error) {
	content, err := f.content()
	if err != nil {
		return sheet.Book{}, err
	}
	book, err := sheet.Read(content, sheet.Options{Encoding: f.Encoding})
	if fault, ok := errors.AsType[*sheet.Error](err); ok {
		return book, refuse(fault.Code + ": " + fault.Error())
	}
	return book, err
}

// cellsCase is a file whose cells are read.
type cellsCase struct {
	File foreignFile `json:"file"`
}

type cellsAnswer struct {
	Encoding   string          `json:"encoding,omitempty"`
	Delimiter  string          `json:"delimiter,omitempty"`
	DateSystem string          `json:"dateSystem,omitempty"`
	Sheets     []sheetOfCells  `json:"sheets"`
	Findings   []sheet.Finding `json:"findings"`
}

type sheetOfCells struct {
	Name  string                    `json:"name"`
	State string                    `json:"state"`
	Cells map[string]map[string]any `json:"cells"`
}

// cellsOf reads the cells of a file.
func cellsOf(c cellsCase) (cellsAnswer, error) {
	book, err := c.File.read()
	if err != nil {
		return cellsAnswer{}, err
	}
	answer := cellsAnswer{
		Encoding: book.Encoding, Delimiter: book.Delimiter, DateSystem: book.DateSystem, Sheets: []sheetOfCells{},
		Findings: append([]sheet.Finding{}, book.Findings...),
	}
	for _, read := range book.Sheets {
		shown := sheetOfCells{read.Name, read.State, map[string]map[string]any{}}
		for _, row := range read.Rows {
			for _, cell := range row.Cells {
				shown.Cells[sheet.Address("", row.Number, int(cell.Column))] = typedCell(cell)
			}
		}
		answer.Sheets = append(answer.Sheets, shown)
	}
	return answer, nil
}

// typedCell returns a cell under the name of its type.
func typedCell(cell sheet.Cell) map[string]any {
	fields := map[string]any{}
	detail := ""
	switch cell.Kind {
	case sheet.Number:
		fields["number"], detail = cell.Value, "shown"
		if cell.Percent {
			fields["percent"] = true
		}
	case sheet.Date:
		fields["date"], detail = cell.Value, "time"
	case sheet.Boolean:
		fields["boolean"] = cell.Value == "true"
	case sheet.Fault:
		fields["error"] = cell.Value
	case sheet.Text:
		fields["text"] = cell.Value
	}
	if cell.Detail != "" {
		fields[detail] = cell.Detail
	}
	return fields
}

// columnCase is a column of texts with its context.
type columnCase struct {
	Type       sheet.Type     `json:"type"`
	Values     []columnValue  `json:"values"`
	Hints      sheet.Hints    `json:"hints"`
	Others     []sheet.Format `json:"others"`
	Fractional bool           `json:"fractional"`
	Today      exact.Date     `json:"today"`
}

// columnValue is a cell of a column: a text, or a number as a workbook stores it.
type columnValue struct{ sheet.Cell }

// UnmarshalJSON decodes a string, a number, or null for an empty cell.
func (v *columnValue) UnmarshalJSON(text []byte) error {
	var number json.Number
	if text[0] != '"' && json.Unmarshal(text, &number) == nil {
		v.Value = number.String()
		if v.Value != "" {
			v.Kind = sheet.Number
		}
		return nil
	}
	return json.Unmarshal(text, &v.Value)
}

type columnAnswer struct {
	Status     sheet.Status  `json:"status"`
	Format     *sheet.Format `json:"format"`
	By         *string       `json:"by"`
	Values     []*string     `json:"values"`
	Ambiguous  []int         `json:"ambiguous"`
	Errors     []sheet.Issue `json:"errors"`
	Warnings   []sheet.Issue `json:"warnings"`
	Currencies []string      `json:"currencies"`
}

// columnOf decides the format of a column and reads its values.
func columnOf(c columnCase) (columnAnswer, error) {
	if !slices.Contains([]sheet.Type{sheet.Quantity, sheet.Price, sheet.Fraction, sheet.Day}, c.Type) {
		return columnAnswer{}, fmt.Errorf("the type %q is unknown: it is quantity, price, fraction or date", c.Type)
	}
	if c.Today.IsZero() {
		c.Today = exact.MustDate("2026-11-28") // the default of the cases
	}
	cells := make([]sheet.Cell, len(c.Values))
	for i, v := range c.Values {
		cells[i] = v.Tidy()
	}
	read := sheet.ReadColumn(cells, sheet.Context{Type: c.Type, Fractional: c.Fractional, Hints: c.Hints, Others: c.Others, Today: c.Today})
	return columnAnswer{
		Status: read.Status, Format: named(read.Format), By: named(read.By), Values: read.Values,
		Ambiguous: listed(read.Ambiguous), Errors: listed(read.Errors), Warnings: listed(read.Warnings),
		Currencies: listed(read.Currencies),
	}, nil
}

// named returns a name, or nil if it is empty.
func named[S ~string](name S) *S {
	if name == "" {
		return nil
	}
	return &name
}

// listed returns a list that is never null in JSON.
func listed[T any](list []T) []T { return append([]T{}, list...) }
