// Package sheet reads workbooks (XLSX) and delimited text (CSV) into typed cells, and finds out what the cells mean: the format of each
// column, the heading and the kind of each table, and the rows that are no records. A cell is read, or it is named in a [Finding]. The package
// is pure: contents, hints and the present day are arguments.
package sheet
