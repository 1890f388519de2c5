package equity

import (
	"equity/captable"
	"equity/captable/exact"
)

// moneySheet has a row for each convertible, followed by a total for each currency.
func (t capTable) moneySheet(book *workbook, organization string) {
	book.sheet(moneySheet, organization+": convertibles as of "+t.AsOf.String(), []any{
		"Holder", "Kind", "Issued", "Matures", "Currency", "Principal", "Accrued interest", "Balance", "Valuation cap", "Discount",
		"Most favoured",
	})
	for _, line := range t.Convertibles {
		book.line([]any{
			line.Name, string(line.Kind), line.IssueDate.String(), dayCell(line.MaturityDate), line.Principal.Currency,
			line.Principal.Amount,
			line.AccruedInterest, line.Balance, priceCell(line.ValuationCap), percentCell(line.Discount), yesCell(line.MFN),
		})
	}
	for _, sum := range t.Totals.Convertibles {
		book.lastLine([]any{
			"Total", exact.NewDecimal(int64(sum.Count)), nil, nil, sum.Currency, sum.Principal, sum.AccruedInterest, sum.Balance, nil, nil,
			nil,
		})
	}
}

// warrantSheet has a row for each warrant.
func (t capTable) warrantSheet(book *workbook, organization string) {
	book.sheet(warrantSheet, organization+": warrants as of "+t.AsOf.String(), []any{
		"Holder", "Security", "Issued", "Expires", "Exercise price", "Quantity", "Coverage", "Fully diluted",
	})
	names := t.securityNames()
	var diluted captable.Decimal
	for _, line := range t.Warrants {
		book.line([]any{
			line.Name, names[line.Security], line.IssueDate.String(), dayCell(line.ExpirationDate), priceCell(line.ExercisePrice),
			line.Quantity,
			percentCell(line.Coverage), line.FullyDiluted,
		})
		diluted = diluted.Add(line.FullyDiluted)
	}
	book.lastLine([]any{"Total", nil, nil, nil, nil, nil, nil, diluted})
}

// dayCell returns the cell of an optional date.
func dayCell(day captable.Date) any {
	if day.IsZero() {
		return nil
	}
	return day.String()
}

// priceCell returns the cell of an optional price, without its currency.
func priceCell(price *captable.Price) any {
	if price == nil {
		return nil
	}
	return price.Amount
}

// percentCell returns the cell of an optional fraction.
func percentCell(part *captable.Decimal) any {
	if part == nil {
		return nil
	}
	return percent(*part)
}

func yesCell(is bool) any {
	if is {
		return "yes"
	}
	return nil
}
