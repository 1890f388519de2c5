package grammar

import (
	"encoding/json"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"equity/messages"
)

// Unused returns the numbers, names and words for instruments of a description that no fact states, in their order.
func (r Reader) Unused(description string, facts messages.CompanyFacts) []messages.UnusedText {
	u := uses{forms: r.forms, words: map[string]bool{}, values: map[string]bool{}}
	u.take(facts)
	found := []messages.UnusedText{}
	for _, at := range r.forms.notable.FindAllStringSubmatchIndex(description, -1) {
		from, to := at[0], at[1]
		if at[2*nameGroup] >= 0 {
			if from, to = u.unusedName(description, from, to); from == to {
				continue
			}
		} else if u.states(
			description[from:to], group(description, at, numberGroup), group(description, at, numberGroup+1),
			group(description, at, numberGroup+2),
		) {
			continue
		}
		part := strings.TrimRight(description[from:to], ".,")
		found = append(found, messages.UnusedText{Text: part, Position: utf8.RuneCountInString(description[:from])})
	}
	return found
}

// uses are the words and numbers of facts.
type uses struct {
	*forms
	facts  messages.CompanyFacts
	words  map[string]bool
	values map[string]bool // by their reduced fractions
	ratio  []*big.Rat      // the portions of the stakes
}

// The groups of the form of notable parts. The number is followed by its scale and its percent sign.
const (
	nameGroup   = 2
	numberGroup = 3
)

// setNotable sets the form of the parts of a description that a record should use: addresses, dates, ratios, names, numbers, and words for
// instruments.
func (f *forms) setNotable() {
	f.notable = form(email + `|` + day + `|\d+(?:\.\d+)?(?: ?[/:] ?\d+(?:\.\d+)?)+\b|` + `(` + name + `)|` + digits + scale + `( ?(?:%|percent\b|per cent\b))?|` +
		`\b(?i:safes?|notes?|warrants?|options?|pools?|esop)\b`)
}

// take adds the texts of facts.
func (u *uses) take(facts messages.CompanyFacts) {
	u.facts = facts
	encoded, _ := json.Marshal(facts) //nolint:errchkjson // texts, lists and objects
	var stated any
	_ = json.Unmarshal(encoded, &stated) // it was encoded here
	u.takeTexts(stated)
	if facts.Vesting != nil {
		u.number(big.NewRat(int64(facts.Vesting.Months), 1))
		u.number(big.NewRat(int64(facts.Vesting.CliffMonths), 1))
	}
	left := big.NewRat(1, 1)
	if facts.Pool != nil && facts.Pool.Portion != nil {
		if pool := ratio(*facts.Pool.Portion); pool != nil {
			u.number(pool)
			left.Sub(left, pool)
		}
	}
	for _, stake := range facts.Stakes {
		if stake.Portion == nil {
			continue
		}
		if part := ratio(*stake.Portion); part != nil {
			u.ratio = append(u.ratio, part)
			u.number(part)
			if left.Sign() > 0 {
				u.number(new(big.Rat).Quo(part, left)) // of the whole without the pool
			}
		}
	}
}

// takeTexts adds the words and numbers of all texts in a value.
func (u *uses) takeTexts(value any) {
	switch inner := value.(type) {
	case map[string]any:
		for _, part := range inner {
			u.takeTexts(part)
		}
	case []any:
		for _, part := range inner {
			u.takeTexts(part)
		}
	case string:
		for _, word := range wordsOf(inner) {
			u.words[word] = true
		}
		if number, valid := new(big.Rat).SetString(inner); valid && decimalText.MatchString(inner) {
			u.number(number)
		}
	}
}

func (u *uses) number(number *big.Rat) { u.values[number.RatString()] = true }

var (
	decimalText = regexp.MustCompile(`^\d{1,30}(?:\.\d{1,30})?$`)
	wordText    = regexp.MustCompile(`[\p{L}\d][\p{L}\d'@.\-]*`)
)

// wordsOf returns the words of a text without case, without points at their ends.
func wordsOf(text string) []string {
	words := wordText.FindAllString(strings.ToLower(strings.ReplaceAll(text, "’", "'")), -1)
	for i, word := range words {
		words[i] = strings.TrimSuffix(strings.Trim(word, ".-'"), "'s")
	}
	return words
}

// unusedName returns the part of a name without known words at its ends; empty if all are known.
func (u *uses) unusedName(description string, from, to int) (begin, end int) {
	begin, end = from, from
	for _, at := range wordText.FindAllStringIndex(description[from:to], -1) {
		word := wordsOf(description[from+at[0] : from+at[1]])[0]
		first, _, _ := strings.Cut(word, "-") // "Four-year" is no name
		used, known := u.instrument(word)
		if used || u.words[word] || !known && (u.stops[word] || u.stops[first]) {
			continue
		}
		if end == from {
			begin = from + at[0]
		}
		end = from + at[1]
	}
	if end == from {
		return from, from
	}
	return begin, end
}

// instrument reports whether the facts have an instrument, and whether the word is one.
func (u *uses) instrument(word string) (used, known bool) {
	of := func(kind string) bool {
		return slices.ContainsFunc(u.facts.Convertibles, func(c messages.ConvertibleFacts) bool { return c.Kind == kind })
	}
	switch strings.TrimSuffix(strings.ToLower(word), "s") {
	case safe:
		return of(safe), true
	case "note":
		return of(convertibleNote) || of(safe), true // a safe note is a SAFE
	case "warrant":
		return false, true
	case "option", "pool", "esop":
		return u.facts.Pool != nil, true
	}
	return false, false
}

// states reports whether the facts state a part of a description that is no name.
func (u *uses) states(part, digits, scale, percentage string) bool {
	if digits == "" {
		if used, known := u.instrument(part); known {
			return used
		}
		if date := (&text{forms: u.forms}).date(part); date != "" {
			return u.words[date]
		}
		if strings.ContainsAny(part, "/:") {
			return u.divided(part)
		}
		return u.words[strings.ToLower(part)]
	}
	number, valid := new(big.Rat).SetString(scaled(digits, scale))
	if !valid {
		return false
	}
	candidates := []*big.Rat{number, new(big.Rat).Quo(number, big.NewRat(hundred, 1))}
	if percentage == "" {
		const yearMonths = 12
		candidates = append(candidates, new(big.Rat).Mul(number, big.NewRat(yearMonths, 1)))
	}
	return u.words[strings.TrimRight(digits, ".,")] || slices.ContainsFunc(
		candidates, func(one *big.Rat) bool { return u.values[one.RatString()] },
	)
}

// divided reports whether the stakes are divided in a ratio such as 60/40.
func (u *uses) divided(text string) bool {
	parts := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("/: ", r) })
	if len(parts) != len(u.ratio) {
		return false
	}
	stated, held := new(big.Rat), new(big.Rat)
	numbers := make([]*big.Rat, len(parts))
	for i, part := range parts {
		number, valid := new(big.Rat).SetString(part)
		if !valid || number.Sign() < 0 {
			return false
		}
		numbers[i] = number
		stated.Add(stated, number)
		held.Add(held, u.ratio[i])
	}
	for i, number := range numbers {
		if new(big.Rat).Mul(number, held).Cmp(new(big.Rat).Mul(u.ratio[i], stated)) != 0 {
			return false
		}
	}
	return true
}
