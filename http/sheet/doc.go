// Package sheet reads tables that people filled in: CSV as spreadsheet programs write it,
// and the first sheet of a workbook. It knows nothing of what the cells mean.
package sheet
