// Package tables reads uploaded spreadsheets with the package sheet. A child process reads the cells, and finds the tables and their records.
package tables
