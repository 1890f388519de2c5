package grammar

import (
	"math/big"
	"strconv"
	"strings"
	"time"

	"equity/captable/exact"
	"equity/messages"
)

// group returns a group of a match; empty if it did not take part.
func group(sentence string, found []int, n int) string {
	if 2*n+1 >= len(found) || found[2*n] < 0 {
		return ""
	}
	return sentence[found[2*n]:found[2*n+1]]
}

// number returns the decimal of the digits in group n and of the scale in the next group, or empty text for a number outside the range of the contract.
func number(sentence string, found []int, n int) string {
	return scaled(group(sentence, found, n), group(sentence, found, n+1))
}

// scaled returns the decimal of digits with a scale such as million.
func scaled(digits, scale string) string {
	digits = strings.ReplaceAll(strings.TrimRight(digits, ",."), ",", "")
	if digits == "" {
		return ""
	}
	value, err := exact.ParseDecimal(digits)
	if err != nil {
		return ""
	}
	powers := map[string]int64{"k": 1e3, "thousand": 1e3, "m": 1e6, "mm": 1e6, "mn": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9}
	if power, found := powers[strings.ToLower(scale)]; found {
		value = value.Mul(exact.NewDecimal(power))
	}
	if !value.Fits() {
		return ""
	}
	return value.String()
}

// fraction returns a percentage as a fraction: 0.2 for 20.
func fraction(percentage string) string {
	value, err := exact.ParseDecimal(percentage)
	if err != nil {
		return ""
	}
	part := value.Rat()
	result := exact.RoundDown(part.Quo(part, big.NewRat(hundred, 1)), exact.Places)
	return result.String()
}

const hundred = 100

// percentOf returns a fraction in words as a percentage: "50% of" for "one half of". Other uses of the words, such as "in half" and "third party",
// stay.
func (f *forms) percentOf(words string) string {
	found := f.fractions.FindStringSubmatch(words)
	count, unit, rest := strings.ToLower(found[2]), strings.TrimSuffix(strings.ToLower(found[3]), "s"), found[4]
	if found[1] != "" || count == "" && unit != "half" {
		return words
	}
	percentages := map[string]int{"half": 50, "third": 100, "quarter": 25, "fifth": 20}
	counts := map[string]int{"": 1, "a": 1, "an": 1, "one": 1, "two": 2, "three": 3}
	percentage := strconv.Itoa(counts[count] * percentages[unit])
	if unit == "third" {
		percentage += ofThree
	}
	return percentage + "%" + rest
}

// portionOf returns a percentage as a portion.
func portionOf(percentage string) *messages.Portion {
	digits, divided := strings.CutSuffix(percentage, ofThree)
	portion := messages.Portion{Part: scaled(digits, ""), Of: "100"}
	if divided {
		portion.Of = "300"
	}
	return &portion
}

// count returns a small number in digits or in words, or 0 for other text.
func (d *text) count(word string) int {
	words := map[string]int{
		"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
		"eighteen": 18, "twenty-four": 24, "thirty-six": 36, "forty-eight": 48,
	}
	if n, found := words[strings.ToLower(word)]; found {
		return n
	}
	n, err := strconv.Atoi(word)
	if err != nil || n > 1000 {
		return 0
	}
	return n
}

// date returns a date as YYYY-MM-DD; empty if it does not exist.
func (d *text) date(written string) string {
	for _, layout := range []string{time.DateOnly, "January 2, 2006", "January 2 2006", "2 January 2006", "Jan 2, 2006", "2 Jan 2006"} {
		if day, err := time.Parse(layout, written); err == nil {
			return day.Format(time.DateOnly)
		}
	}
	return ""
}

// currency returns the code of the symbol in group n or of the code in the next one.
func currency(sentence string, found []int, n int) string {
	if code := group(sentence, found, n+1); code != "" {
		return strings.ToUpper(code)
	}
	return map[string]string{"$": "USD", "€": "EUR", "£": "GBP"}[group(sentence, found, n)]
}
