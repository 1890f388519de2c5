// Package sheet reads tables from CSV files and from the first sheet of XLSX workbooks. It does not interpret the
// cells. A [Reader] reads workbooks in child processes.
package sheet
