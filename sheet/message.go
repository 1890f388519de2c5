package sheet

import (
	"strconv"
	"strings"

	"equity/captable/exact"
)

// message returns the message about a cell, with its address and its text.
func (d *draft) message(code string, index int, column TableColumn) string {
	row := &d.rows[index]
	text := ""
	if cell := row.at(column.Column); cell != nil {
		text = cell.Value
	}
	at := Address("", row.Number, column.Column) + ": "
	switch code {
	case "ambiguousNumber":
		return at + text + d.meanings(text, column) + " State numberFormat."
	case "ambiguousDate":
		return at + text + datesOf(text, d.question.Today) + " State dateFormat."
	case "ambiguousCurrency":
		return at + text + " can be of several currencies. Write the code of the currency."
	}
	if sentence, known := sentences()[code]; known {
		return at + strconv.Quote(shortened(text)) + " " + sentence
	}
	return at + strconv.Quote(shortened(text)) + " cannot be read."
}

// sentences returns the messages of codes behind the text of a cell.
func sentences() map[string]string {
	return map[string]string{
		"amountOfMoney":     "is an amount of money. A number without currency is required.",
		"cellError":         "is the error of a formula. Correct the formula.",
		"dateInFuture":      "lies in the future.",
		"dateOutOfRange":    "is before the year 1900.",
		"identifierRounded": "has more than 15 digits, of which the program rounded the last ones. Enter it as text.",
		"invalidBoolean":    "is not yes or no.",
		"invalidDate":       "is not a date. Write it like 2024-01-31.",
		"invalidDecimal":    "is not a number. Write it like 1234567.5.",
		"mixedDates":        "does not have the same order of day and month as the other dates of the column.",
		"mixedFormats":      "does not have the same decimal separator as the other numbers of the column.",
		"mixedPercent":      "is a fraction or a percentage. Write the percent sign.",
		"notWhole":          "is not a whole number.",
		"otherFormat":       "does not have the stated format.",
		"range":             "is not between 0 and 1, or 0 % and 100 %.",
		"rounded":           "was rounded to 10 decimal places.",
		"serialDate":        "is a number that was read as the number of a day.",
	}
}

// meanings returns the numbers that a text can mean.
func (d *draft) meanings(text string, column TableColumn) string {
	m := bare(text)
	point, comma := m.read('.', ','), m.read(',', '.')
	if point == "" || comma == "" || point == comma {
		if d.typeOf(column) == Fraction {
			return " is a fraction or a percentage. Write the percent sign."
		}
		return " is ambiguous."
	}
	return " is " + point + " or " + comma + "."
}

// datesOf returns the dates that a text can mean.
func datesOf(text string, today exact.Date) string {
	c := Column{Values: make([]*string, 1)}
	t, isTriple := c.written(0, text, Context{Today: today})
	if !isTriple {
		return " is ambiguous."
	}
	var dates []string
	for _, order := range possible([]triple{t}, today) {
		date, _ := t.in(order, today)
		dates = append(dates, date)
	}
	return " is " + strings.Join(dates, " or ") + "."
}

// shortened returns the beginning of a long text.
func shortened(text string) string {
	const longest = 60
	if runes := []rune(text); len(runes) > longest {
		text = string(runes[:longest]) + "…"
	}
	return text
}
