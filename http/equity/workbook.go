package equity

import (
	"fmt"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"

	"equity/captable"
)

// figures are the styles of the numbers in a row.
type figures struct{ whole, part, fraction int }

// workbook writes rows in order. After its first error it ignores further calls.
type workbook struct {
	file    *excelize.File
	failure error

	title, heading, numbers int // styles; numbers is the heading of a numeric column
	plain, total            figures

	name    string
	row     int
	columns []column
}

// column holds the length of the longest text and whether the column has texts.
type column struct {
	width int
	texts bool
}

// begin creates the styles.
func (b *workbook) begin() {
	bold := &excelize.Font{Bold: true}
	shade := excelize.Fill{Type: "pattern", Pattern: 1, Color: []string{"E7ECF3"}}
	b.title = b.style(&excelize.Style{Font: &excelize.Font{Bold: true, Size: 14}}) //nolint:mnd // points
	b.heading = b.style(&excelize.Style{Font: bold, Fill: shade, Alignment: &excelize.Alignment{WrapText: true, Vertical: "center"}})
	b.numbers = b.style(
		&excelize.Style{Font: bold, Fill: shade, Alignment: &excelize.Alignment{WrapText: true, Vertical: "center", Horizontal: "right"}},
	)
	b.plain = b.figures(excelize.Style{})
	b.total = b.figures(excelize.Style{Font: bold, Border: []excelize.Border{{Type: "top", Style: 1, Color: "000000"}}})
	b.note(b.file.SetSheetName("Sheet1", holderSheet))
}

func (b *workbook) style(style *excelize.Style) int {
	id, err := b.file.NewStyle(style)
	b.note(err)
	return id
}

// figures creates the style of each kind of number. A format with optional decimals would display a
// trailing decimal point for whole numbers.
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

// sheet starts a sheet with its title and its frozen heading.
func (b *workbook) sheet(name, title string, heading []any) {
	_, err := b.file.NewSheet(name) // returns an existing sheet
	b.note(err)
	b.name, b.row, b.columns = name, 0, make([]column, len(heading))
	b.write([]any{title}, b.title, figures{})
	b.note(b.file.SetRowHeight(name, b.row, 22)) //nolint:mnd // points, for a title of 14
	b.row++
	b.write(heading, b.heading, figures{})
	b.note(
		b.file.SetPanes(name, &excelize.Panes{Freeze: true, XSplit: 1, YSplit: headingRow, TopLeftCell: "B4", ActivePane: "bottomRight"}),
	)
	b.print(name)
}

// headingRow is below the title and an empty row.
const headingRow = 3

// print sets landscape format, all columns on one page, and the heading on each page.
func (b *workbook) print(name string) {
	width, height := 1, 0 // any number of pages long
	b.note(b.file.SetPageLayout(name, &excelize.PageLayoutOptions{Orientation: new("landscape"), FitToWidth: &width, FitToHeight: &height}))
	b.note(b.file.SetSheetProps(name, &excelize.SheetPropsOptions{FitToPage: new(true)}))
	b.note(b.file.SetDefinedName(&excelize.DefinedName{
		Name: "_xlnm.Print_Titles", RefersTo: fmt.Sprintf("'%s'!$1:$%d", name, headingRow), Scope: name,
	}))
}

func (b *workbook) line(values []any) {
	b.write(values, b.plain.whole, b.plain)
	for i, value := range values {
		at := &b.columns[i]
		switch v := value.(type) {
		case string:
			at.texts, at.width = true, max(at.width, utf8.RuneCountInString(v))
		case captable.Decimal:
			digits := len(v.String())
			at.width = max(at.width, digits+digits/3) // thousands separators
		}
	}
}

// lastLine writes the totals, sets the column widths, and aligns the headings of numeric columns with
// their numbers.
func (b *workbook) lastLine(values []any) {
	b.write(values, b.total.whole, b.total)
	const narrow, wide = 18, 60
	for i, at := range b.columns {
		column, err := excelize.ColumnNumberToName(i + 1)
		b.note(err)
		b.note(b.file.SetColWidth(b.name, column, column, float64(min(max(at.width+2, narrow), wide))))
		if !at.texts {
			heading := fmt.Sprint(column, headingRow)
			b.note(b.file.SetCellStyle(b.name, heading, heading, b.numbers))
		}
	}
}

// write writes a row. Texts are written as texts, so that they are never formulas.
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
			style, digits = number.of(v.Shares), v.String() // unlimited is written as a text
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
