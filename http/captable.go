package http

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"equity/captable"
)

// capTableHandlers maps operation ids to the handlers of the whole cap table.
func (s *Server) capTableHandlers() map[string]Handler {
	return map[string]Handler{
		"exportCapTable": s.exportCapTable,
		"getDashboard":   s.getDashboard,
		"explainFigure":  s.explainFigure,
	}
}

// capTable is the JSON form of the cap table.
type capTable struct {
	// Sequence is the number of the last event that the table includes.
	Sequence uint64 `json:"sequence"`
	// Currency is the currency of all amounts.
	Currency string `json:"currency"`
	captable.Table
}

func (c *Call) capTable() capTable {
	state := c.View.State
	return capTable{c.View.Sequence, state.Profile().Currency, state.Table().TableOn(c.through(), state.NameOf)}
}

// through returns the effective day of the table: the requested day, else the present day in UTC. If
// an event is dated tomorrow, which is possible in time zones ahead of UTC, it returns tomorrow, so
// that the present table includes every recorded event.
func (c *Call) through() captable.Date {
	if c.Query("asOf") != "" {
		return c.AsOf()
	}
	return max(c.AsOf(), c.View.State.Table().LastDate())
}

// The formats of an export other than JSON.
const (
	contentCSV  = "text/csv; charset=utf-8"
	contentXLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	contentZip  = "application/zip"
)

// exportCapTable returns the whole table. Each format is rendered once per state, day and permissions.
func (s *Server) exportCapTable(ctx context.Context, c *Call) (Answer, error) {
	name := c.View.State.Profile().Name + " cap table " + c.AsOf().String()
	switch c.Query("format") {
	case "csv":
		return s.download(c, contentCSV, fileName(name, "csv"), func() ([]byte, error) { return c.capTable().csv() })
	case "xlsx":
		return s.download(c, contentXLSX, fileName(name, "xlsx"), func() ([]byte, error) {
			return c.capTable().xlsx(c.View.State.Profile().PrintedName())
		})
	case "ocf":
		return s.exportPackage(ctx, c, fileName(name, "ocf.zip"))
	default:
		return s.renderShared(c, contentJSON, asJSON(func() (any, error) { return c.capTable(), nil }))
	}
}

// download is renderShared for a file.
func (s *Server) download(c *Call, contentType, name string, write func() ([]byte, error)) (Answer, error) {
	answer, err := s.renderShared(c, contentType, write)
	if answer.Rendered != nil {
		answer.FileName = name
	}
	return answer, err
}

// longestFileName leaves room for the extension in any file system.
const longestFileName = 150 // bytes

// fileName returns a file name that is valid on every system. It keeps letters and digits of any
// script and removes path separators and misleading characters.
func fileName(name, ending string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("-_., &()", r) {
			return r
		}
		return '-'
	}, name)
	for len(name) > longestFileName {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	name = strings.Trim(name, ". -")
	if name == "" {
		name = "file"
	}
	return name + "." + ending
}
