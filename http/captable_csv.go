package http

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
	"unicode"

	"equity/captable"
)

// csv writes the table with one line for what one holder has of one security, the
// biggest holder first, then one for what each pool may still grant, and one for each
// convertible, which is money and no part of the company yet (RFC 4180, UTF-8). Sums are
// left to whoever reads it.
func (t capTable) csv() ([]byte, error) {
	var file bytes.Buffer
	w := csv.NewWriter(&file)
	w.UseCRLF = true
	lines := [][]string{{
		"holder", "entity", "security", "securityId", "shareType", "shares", "percentOutstanding", "percentFullyDiluted", "asOf", "kind", "options", "available",
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
				p.Shares.String(), p.PercentOutstanding.String(), p.PercentFullyDiluted.String(), t.AsOf.String(), "holder", p.Options.String(), "0",
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

// Signs by which a formula begins, in ordinary and full width, and signs at which a
// spreadsheet program may begin another cell, whatever separator the file has.
const (
	formulaSigns   = "=+-@＝＋－＠"
	cellSeparators = ";,\t\r\n\"|"
)

// inert keeps a spreadsheet program from taking a text, or a part of it behind a separator,
// for a formula. An apostrophe before the sign makes it a text; the programs hide it.
func inert(text string) string {
	var made strings.Builder
	begins := true // a cell may begin here, perhaps behind blanks
	for i, sign := range text {
		if i == 0 && strings.ContainsRune("\t\r\n", sign) || begins && strings.ContainsRune(formulaSigns, sign) {
			made.WriteByte('\'')
		}
		separates := strings.ContainsRune(cellSeparators, sign)
		begins = separates || begins && unicode.IsSpace(sign)
		made.WriteRune(sign)
	}
	return made.String()
}
