package http

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"equity/captable"
)

// capTableHandlers is the table of what the cap table as a whole can be asked for.
func (s *Server) capTableHandlers() map[string]Handler {
	return map[string]Handler{
		"exportCapTable": s.exportCapTable,
		"getDashboard":   s.getDashboard,
		"explainFigure":  s.explainFigure,
	}
}

// capTable is the table with what it was made of.
type capTable struct {
	// Sequence is the last event that the table knows.
	Sequence uint64 `json:"sequence"`
	// Currency is what amounts are in.
	Currency string `json:"currency"`
	captable.Table
}

func (c *Call) capTable() capTable {
	state := c.View.State
	return capTable{c.View.Sequence, state.Profile().Currency, state.Table().TableOn(c.through(), state.NameOf)}
}

// through is the day at whose end the table stands: the one that is asked for, else
// today (UTC), or tomorrow when something is dated so already, as it may be where the
// day begins earlier. So the table of now has everything that is recorded.
func (c *Call) through() captable.Date {
	if c.Query("asOf") != "" {
		return c.AsOf()
	}
	return max(c.AsOf(), c.View.State.Table().LastDate())
}

// The formats of an export besides JSON.
const (
	contentCSV  = "text/csv; charset=utf-8"
	contentXLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	contentZip  = "application/zip"
)

// exportCapTable answers the whole table. However it is written, it is written once
// for each state, day and scope.
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
		return s.download(c, contentZip, fileName(name, "ocf.zip"), func() ([]byte, error) { return s.exportPackage(ctx, c) })
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

// longestFileName leaves room for the ending in any file system.
const longestFileName = 150 // bytes

// fileName makes a name that every system takes and that looks like what it is:
// letters and digits of any script stay, what could mislead or be a path does not.
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
