package sheet

import (
	"bytes"

	"github.com/xuri/excelize/v2"
)

// zipMagic is what a workbook begins with.
const zipMagic = "PK\x03\x04"

// mostUnzipped bounds what a workbook may become in memory.
const mostUnzipped = 64 << 20

// readWorkbook reads the first sheet of a workbook: what its cells hold, not how they
// look, and of a formula what it last gave.
func readWorkbook(content []byte) (rows []Row, err error) {
	broken := refuse(0, "unreadable", "The file is no workbook that can be read: save it as XLSX or CSV.")
	book, err := excelize.OpenReader(bytes.NewReader(content), excelize.Options{
		RawCellValue: true, UnzipSizeLimit: mostUnzipped, UnzipXMLSizeLimit: mostUnzipped,
	})
	if err != nil {
		return nil, broken
	}
	defer func() { _ = book.Close() }() // it was only read
	names := book.GetSheetList()
	if len(names) == 0 {
		return nil, broken
	}
	lines, err := book.Rows(names[0])
	if err != nil {
		return nil, broken
	}
	defer func() { _ = lines.Close() }()
	for line := 1; lines.Next(); line++ {
		cells, err := lines.Columns()
		if err != nil {
			return nil, broken
		}
		if err := checkCells(line, cells); err != nil {
			return nil, err
		}
		if len(rows) > MaxRows+1 || line > mostLines {
			break
		}
		if row := (Row{line, cells}); !row.blank() {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// mostLines is how far down a sheet is looked for rows.
const mostLines = 10 * MaxRows
