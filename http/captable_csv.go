package http

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
	"unicode/utf8"

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

// inert keeps a spreadsheet program from taking a text for a formula: one that begins
// like one, in ordinary or full-width signs, gets an apostrophe before it, which such
// programs do not show.
func inert(text string) string {
	begin, _ := utf8.DecodeRuneInString(strings.TrimLeft(text, " \u00a0"))
	if strings.ContainsRune("=+-@\t\r\n＝＋－＠", begin) {
		return "'" + text
	}
	return text
}
