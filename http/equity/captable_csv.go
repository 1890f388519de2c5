package equity

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
	"unicode"

	"equity/captable"
)

// csv writes the table as CSV (RFC 4180, UTF-8): one line for each holder and security, largest holder
// first; one for the available shares of each pool; and one for each convertible, which is a debt and
// not yet part of the ownership. It has no totals.
func (t capTable) csv() ([]byte, error) {
	var file bytes.Buffer
	w := csv.NewWriter(&file)
	w.UseCRLF = true
	lines := [][]string{{
		"holder", "entity", "security", "securityId", "shareType", "shares", "percentOutstanding", "percentFullyDiluted", "asOf", "kind",
		"options", "available",
		"warrants", "holdingId", "currency", "principal", "accruedInterest",
	}}
	securities := map[captable.SecurityID]captable.TableSecurity{}
	for _, security := range t.Securities {
		securities[security.ID] = security
	}
	for _, holder := range t.Holders {
		for _, p := range holder.BySecurity {
			security := securities[p.Security]
			lines = append(lines, []string{
				inert(holder.Name), holder.Entity.String(), inert(security.Name), security.ID.String(), string(security.ShareType),
				p.Shares.String(), p.PercentOutstanding.String(), p.PercentFullyDiluted.String(), t.AsOf.String(), "holder",
				p.Options.String(), "0",
				p.Warrants.String(), "", "", "0", "0",
			})
		}
	}
	for _, pool := range t.Pools {
		security := securities[pool.Security]
		lines = append(lines, []string{
			inert(pool.PlanName + ": " + pool.Name), "", inert(security.Name), security.ID.String(), string(security.ShareType),
			"0", "0", pool.PercentFullyDiluted.String(), t.AsOf.String(), "pool", "0", pool.Available.String(),
			"0", "", "", "0", "0",
		})
	}
	for _, line := range t.Convertibles {
		lines = append(lines, []string{
			inert(line.Name), line.Entity.String(), "", "", "", "0", "0", "0", t.AsOf.String(), string(line.Kind), "0", "0",
			"0", line.Holding.String(), line.Principal.Currency, line.Principal.Amount.String(), line.AccruedInterest.String(),
		})
	}
	if err := w.WriteAll(lines); err != nil {
		return nil, fmt.Errorf("cap table as csv: %w", err)
	}
	return file.Bytes(), nil
}

// The first characters of formulas, in ASCII and full width, and the characters at which a spreadsheet
// program may start a new cell.
const (
	formulaSigns   = "=+-@＝＋－＠"
	cellSeparators = ";,\t\r\n\"|"
)

// inert prevents a spreadsheet program from interpreting a text, or its part after a separator, as a
// formula. It inserts an apostrophe, which the programs hide.
func inert(text string) string {
	var escaped strings.Builder
	begins := true // a cell may begin here, possibly after blanks
	for i, sign := range text {
		if i == 0 && strings.ContainsRune("\t\r\n", sign) || begins && strings.ContainsRune(formulaSigns, sign) {
			escaped.WriteByte('\'')
		}
		separates := strings.ContainsRune(cellSeparators, sign)
		begins = separates || begins && unicode.IsSpace(sign)
		escaped.WriteRune(sign)
	}
	return escaped.String()
}
