package equity

import (
	"bytes"
	"fmt"

	"github.com/xuri/excelize/v2"

	"equity/captable"
	"equity/captable/exact"
)

// The sheets of the workbook.
const (
	holderSheet   = "Cap table"
	securitySheet = "Securities"
	poolSheet     = "Pools"
	moneySheet    = "Convertibles"
	warrantSheet  = "Warrants"
)

// xlsx writes the table as a workbook with sheets for holders, securities, pools, convertibles and
// warrants. Cells contain all digits; programs may display fewer.
func (t capTable) xlsx(organization string) (content []byte, err error) {
	book := &workbook{file: excelize.NewFile()}
	defer func() {
		if failure := book.file.Close(); err == nil {
			err = failure
		}
	}()
	book.begin()
	t.holderSheet(book, organization)
	t.securitySheet(book, organization)
	t.poolSheet(book, organization)
	t.moneySheet(book, organization)
	t.warrantSheet(book, organization)
	if book.failure != nil {
		return nil, fmt.Errorf("cap table as xlsx: %w", book.failure)
	}
	var file bytes.Buffer
	if err := book.file.Write(&file); err != nil {
		return nil, fmt.Errorf("cap table as xlsx: %w", err)
	}
	return file.Bytes(), nil
}

// holderSheet has a row for each holder and a column for each security, followed by a row for the
// available shares of each pool.
func (t capTable) holderSheet(book *workbook, organization string) {
	heading := []any{"Holder"}
	for _, security := range t.Securities {
		heading = append(heading, security.Name)
	}
	heading = append(heading, "Shares", "Options", "Warrants", "% outstanding", "% fully diluted", "Invested ("+t.Currency+")")
	book.sheet(holderSheet, organization+": cap table as of "+t.AsOf.String(), heading)
	for _, holder := range t.Holders {
		held := map[captable.SecurityID]captable.Decimal{}
		for _, p := range holder.BySecurity {
			held[p.Security] = p.Shares
		}
		line := []any{holder.Name}
		for _, security := range t.Securities {
			if shares, some := held[security.ID]; some {
				line = append(line, shares)
			} else {
				line = append(line, nil)
			}
		}
		book.line(append(
			line, holder.Shares, holder.Options, holder.Warrants, percent(holder.PercentOutstanding), percent(holder.PercentFullyDiluted),
			holder.Invested,
		))
	}
	for _, pool := range t.Pools {
		line := append([]any{"Available: " + pool.PlanName + ", " + pool.Name}, make([]any, len(t.Securities)+4)...)
		book.line(append(line, percent(pool.PercentFullyDiluted), nil))
	}
	sum := []any{"Total"}
	for _, security := range t.Securities {
		sum = append(sum, security.Outstanding)
	}
	outstanding, diluted := t.sums()
	book.lastLine(append(sum, t.Totals.Outstanding, t.Totals.Options, t.Totals.Warrants, outstanding, diluted, t.Totals.HolderCost))
}

// sums returns the totals of the percentage columns: 1, or 0 for an empty table.
func (t capTable) sums() (outstanding, diluted percent) {
	var a, b captable.Decimal
	for _, holder := range t.Holders {
		a, b = a.Add(holder.PercentOutstanding), b.Add(holder.PercentFullyDiluted)
	}
	for _, pool := range t.Pools {
		b = b.Add(pool.PercentFullyDiluted)
	}
	return percent(a), percent(b)
}

// securitySheet has a row for each class and a total. The reserved and available columns have no
// total, because shares of different classes are not interchangeable.
func (t capTable) securitySheet(book *workbook, organization string) {
	book.sheet(securitySheet, organization+": securities as of "+t.AsOf.String(), []any{
		"Security", "Type", "Authorized", "Issued", "Outstanding", "Treasury", "Reserved", "Available", "Fully diluted", "Holders",
		"% outstanding", "% fully diluted",
	})
	for _, security := range t.Securities {
		book.line([]any{
			security.Name, string(security.ShareType), security.Authorized, security.Issued, security.Outstanding, security.Treasury,
			security.Reserved, security.Available, security.FullyDiluted, exact.NewDecimal(int64(security.Holders)),
			percent(security.PercentOutstanding), percent(security.PercentFullyDiluted),
		})
	}
	outstanding, diluted := t.sums()
	book.lastLine([]any{
		"Total", nil, t.Totals.Authorized, t.Totals.Issued, t.Totals.Outstanding, t.Totals.Treasury, nil, nil, t.Totals.FullyDiluted, nil,
		outstanding, diluted,
	})
}

func (t capTable) poolSheet(book *workbook, organization string) {
	book.sheet(poolSheet, organization+": pools as of "+t.AsOf.String(), []any{
		"Plan", "Pool", "Security", "Reserved", "Granted", "Outstanding", "Exercised", "Cancelled", "Returned", "Available",
		"% fully diluted",
	})
	names := t.securityNames()
	sum, diluted := captable.PoolFigures{}, captable.Decimal{}
	for _, pool := range t.Pools {
		sum, diluted = sum.Add(pool.PoolFigures), diluted.Add(pool.PercentFullyDiluted)
		book.line(append([]any{pool.PlanName, pool.Name, names[pool.Security]}, poolCells(pool.PoolFigures, pool.PercentFullyDiluted)...))
	}
	book.lastLine(append([]any{"Total", nil, nil}, poolCells(sum, diluted)...))
}

func (t capTable) securityNames() map[captable.SecurityID]string {
	names := map[captable.SecurityID]string{}
	for _, security := range t.Securities {
		names[security.ID] = security.Name
	}
	return names
}

func poolCells(f captable.PoolFigures, diluted captable.Decimal) []any {
	return []any{f.Reserve, f.Granted, f.Outstanding(), f.Exercised, f.Cancelled, f.Returned, f.Available(), percent(diluted)}
}

// percent is a fraction that is displayed as a percentage.
type percent captable.Decimal
