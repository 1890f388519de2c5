package http

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"equity/captable"
	"equity/captable/exact"
)

// The sheets of the workbook.
const (
	holderSheet   = "Cap table"
	securitySheet = "Securities"
	poolSheet     = "Pools"
)

// xlsx writes the table as a workbook: who has how much of what, the securities, and the
// pools.
// Cells hold the exact digits; programs may show fewer.
func (t capTable) xlsx(organization string) (content []byte, err error) {
	book := &workbook{file: excelize.NewFile()}
	defer func() {
		if failure := book.file.Close(); err == nil {
			err = failure
		}
	}()
	book.begin()
	t.holderSheet(book, organization)
	t.securitySheet(book, organization)
	t.poolSheet(book, organization)
	if book.failure != nil {
		return nil, fmt.Errorf("cap table as xlsx: %w", book.failure)
	}
	var file bytes.Buffer
	if err := book.file.Write(&file); err != nil {
		return nil, fmt.Errorf("cap table as xlsx: %w", err)
	}
	return file.Bytes(), nil
}

// holderSheet has a line a holder and a column a security, and below them a line for
// what each pool may still grant.
func (t capTable) holderSheet(book *workbook, organization string) {
	heading := []any{"Holder"}
	for _, security := range t.Securities {
		heading = append(heading, security.Name)
	}
	heading = append(heading, "Shares", "Options", "% outstanding", "% fully diluted", "Invested ("+t.Currency+")")
	book.sheet(holderSheet, organization+": cap table as of "+t.AsOf.String(), heading)
	for _, holder := range t.Holders {
		held := map[captable.SecurityID]captable.Decimal{}
		for _, p := range holder.BySecurity {
			held[p.Security] = p.Shares
		}
		line := []any{holder.Name}
		for _, security := range t.Securities {
			if shares, some := held[security.ID]; some {
				line = append(line, shares)
			} else {
				line = append(line, nil)
			}
		}
		book.line(append(line, holder.Shares, holder.Options, percent(holder.PercentOutstanding), percent(holder.PercentFullyDiluted), holder.Invested))
	}
	for _, pool := range t.Pools {
		line := append([]any{"Available: " + pool.PlanName + ", " + pool.Name}, make([]any, len(t.Securities)+3)...)
		book.line(append(line, percent(pool.PercentFullyDiluted), nil))
	}
	sum := []any{"Total"}
	for _, security := range t.Securities {
		sum = append(sum, security.Outstanding)
	}
	outstanding, diluted := t.sums()
	book.lastLine(append(sum, t.Totals.Outstanding, t.Totals.Options, outstanding, diluted, t.Totals.Invested))
}

// sums gives what the columns of percentages sum to: 1, or 0 of an empty table.
func (t capTable) sums() (outstanding, diluted percent) {
	var a, b captable.Decimal
	for _, holder := range t.Holders {
		a, b = a.Add(holder.PercentOutstanding), b.Add(holder.PercentFullyDiluted)
	}
	for _, pool := range t.Pools {
		b = b.Add(pool.PercentFullyDiluted)
	}
	return percent(a), percent(b)
}

func (t capTable) securitySheet(book *workbook, organization string) {
	book.sheet(securitySheet, organization+": securities as of "+t.AsOf.String(), []any{
		"Security", "Type", "Authorized", "Issued", "Outstanding", "Treasury", "Reserved", "Available", "Fully diluted", "Holders",
		"% outstanding", "% fully diluted",
	})
	for _, security := range t.Securities {
		book.line([]any{
			security.Name, string(security.ShareType), security.Authorized, security.Issued, security.Outstanding, security.Treasury,
			security.Reserved, security.Available, security.FullyDiluted, exact.NewDecimal(int64(security.Holders)),
			percent(security.PercentOutstanding), percent(security.PercentFullyDiluted),
		})
	}
	outstanding, diluted := t.sums()
	book.lastLine([]any{
		"Total", nil, t.Totals.Authorized, t.Totals.Issued, t.Totals.Outstanding, t.Totals.Treasury, nil, nil, t.Totals.FullyDiluted, nil,
		outstanding, diluted,
	})
}

func (t capTable) poolSheet(book *workbook, organization string) {
	book.sheet(poolSheet, organization+": pools as of "+t.AsOf.String(), []any{
		"Plan", "Pool", "Security", "Reserved", "Granted", "Outstanding", "Exercised", "Cancelled", "Returned", "Available", "% fully diluted",
	})
	names := map[captable.SecurityID]string{}
	for _, security := range t.Securities {
		names[security.ID] = security.Name
	}
	sum, diluted := captable.PoolFigures{}, captable.Decimal{}
	for _, pool := range t.Pools {
		sum, diluted = sum.Add(pool.PoolFigures), diluted.Add(pool.PercentFullyDiluted)
		book.line(append([]any{pool.PlanName, pool.Name, names[pool.Security]}, poolCells(pool.PoolFigures, pool.PercentFullyDiluted)...))
	}
	book.lastLine(append([]any{"Total", nil, nil}, poolCells(sum, diluted)...))
}

func poolCells(f captable.PoolFigures, diluted captable.Decimal) []any {
	return []any{f.Reserve, f.Granted, f.Outstanding(), f.Exercised, f.Cancelled, f.Returned, f.Available(), percent(diluted)}
}

// percent is a fraction that is shown in hundredths.
type percent captable.Decimal

// figures are the styles of a line's numbers.
type figures struct{ whole, part, fraction int }

// workbook writes lines one after another. After its first failure it does nothing.
type workbook struct {
	file    *excelize.File
	failure error

	title, heading int // styles
	plain, total   figures

	name   string
	row    int
	widths []int
}

// begin makes the styles.
func (b *workbook) begin() {
	bold := &excelize.Font{Bold: true}
	shade := excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"E7ECF3"}}
	b.title = b.style(&excelize.Style{Font: &excelize.Font{Bold: true, Size: 14}}) //nolint:mnd // points
	b.heading = b.style(&excelize.Style{Font: bold, Fill: shade, Alignment: &excelize.Alignment{WrapText: true, Vertical: "center"}})
	b.plain = b.figures(excelize.Style{})
	b.total = b.figures(excelize.Style{Font: bold, Border: []excelize.Border{{Type: "top", Style: 1, Color: "000000"}}})
	b.note(b.file.SetSheetName("Sheet1", holderSheet))
}

func (b *workbook) style(style *excelize.Style) int {
	id, err := b.file.NewStyle(style)
	b.note(err)
	return id
}

// figures makes a style for each kind of number: a format that fits parts of a share
// would leave a point behind whole ones.
func (b *workbook) figures(style excelize.Style) figures {
	with := func(format string) int {
		style.CustomNumFmt = &format
		return b.style(&style)
	}
	return figures{whole: with(`#,##0`), part: with(`#,##0.0#########`), fraction: with(`0.00%`)}
}

func (b *workbook) note(err error) {
	if b.failure == nil {
		b.failure = err
	}
}

// sheet begins a sheet with its title and its heading, which stays in sight.
func (b *workbook) sheet(name, title string, heading []any) {
	_, err := b.file.NewSheet(name) // gives the one that exists
	b.note(err)
	b.name, b.row, b.widths = name, 0, make([]int, len(heading))
	b.write([]any{title}, b.title, figures{})
	b.row++
	b.write(heading, b.heading, figures{})
	const above = 3 // the title, an empty line, the heading
	b.note(b.file.SetPanes(name, &excelize.Panes{Freeze: true, XSplit: 1, YSplit: above, TopLeftCell: "B4", ActivePane: "bottomRight"}))
}

func (b *workbook) line(values []any) {
	b.write(values, b.plain.whole, b.plain)
	for i, value := range values {
		if text, is := value.(string); is {
			b.widths[i] = max(b.widths[i], utf8.RuneCountInString(text))
		}
	}
}

// lastLine writes the sums and sets the widths of the columns.
func (b *workbook) lastLine(values []any) {
	b.write(values, b.total.whole, b.total)
	const narrow, wide = 16, 60
	for i, width := range b.widths {
		column, err := excelize.ColumnNumberToName(i + 1)
		b.note(err)
		b.note(b.file.SetColWidth(b.name, column, column, float64(min(max(width+2, narrow), wide))))
	}
}

// write writes a line, texts as texts, so that none is taken for a formula.
func (b *workbook) write(values []any, text int, number figures) {
	b.row++
	for i, value := range values {
		cell, err := excelize.CoordinatesToCellName(i+1, b.row)
		b.note(err)
		style, digits := text, ""
		switch v := value.(type) {
		case string:
			b.note(b.file.SetCellStr(b.name, cell, v))
		case captable.Decimal:
			style, digits = number.of(v), v.String()
		case captable.Authorized:
			style, digits = number.of(v.Shares), v.String() // unlimited becomes a text
		case percent:
			style, digits = number.fraction, captable.Decimal(v).String()
		}
		if digits != "" {
			b.note(b.file.SetCellDefault(b.name, cell, digits))
		}
		b.note(b.file.SetCellStyle(b.name, cell, cell, style))
	}
}

func (f figures) of(d captable.Decimal) int {
	if d.IsWhole() {
		return f.whole
	}
	return f.part
}
