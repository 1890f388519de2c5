package embedded

import (
	"slices"
	"strconv"
	"strings"
)

// maxPages bounds the pages of a list that a command reads.
const maxPages = 4

// pageOf is a page of a list.
type pageOf[R any] struct {
	Data       []R    `json:"data"`
	NextCursor string `json:"nextCursor"`
}

// listed returns the records of a list, or false if the command must wait. More reports further records.
func listed[R any](w *work, operation string) (found []R, more, ok bool) {
	arguments := map[string]any{"limit": 200}
	for range maxPages {
		var one pageOf[R]
		if !w.call(operation, arguments, &one) {
			return nil, false, false
		}
		found = append(found, one.Data...)
		if one.NextCursor == "" {
			return found, false, true
		}
		arguments = map[string]any{"limit": 200, "cursor": one.NextCursor}
	}
	return found, true, true
}

type (
	member struct {
		ID       string   `json:"id"`
		Entity   string   `json:"entity"`
		FullName string   `json:"fullName"`
		Email    string   `json:"email"`
		Status   string   `json:"status"`
		Roles    []string `json:"roles"`
	}
	security struct {
		ID               string `json:"id"`
		Name             string `json:"name"`
		Prefix           string `json:"prefix"`
		AuthorizedShares string `json:"authorizedShares"`
		Outstanding      string `json:"outstanding"`
		Available        string `json:"available"`
	}
	plan struct {
		ID    string `json:"id"`
		Name  string `json:"name"`
		Pools []pool `json:"pools"`
	}
	pool struct {
		ID          string `json:"id"`
		Name        string `json:"name"`
		StrikePrice string `json:"strikePrice"`
		Available   string `json:"available"`
		plan        plan
	}
)

func members(w *work, _ []string) {
	found, more, ok := listed[member](w, "listMembers")
	if !ok {
		return
	}
	lines := make([]string, 0, len(found))
	for _, m := range found {
		line := "- " + m.FullName
		if m.Email != "" {
			line += " <" + m.Email + ">"
		}
		lines = append(lines, line+": "+strings.Join(append(slices.Clone(m.Roles), m.Status), ", "))
	}
	w.sayList("member", lines, more)
}

func securities(w *work, _ []string) {
	found, more, ok := listed[security](w, "listSecurities")
	if !ok {
		return
	}
	lines := make([]string, 0, len(found))
	for _, s := range found {
		lines = append(lines, "- "+s.Name+": "+s.AuthorizedShares+" authorized, "+s.Outstanding+" outstanding, "+s.Available+" available")
	}
	w.sayList("security", lines, more)
}

func documents(w *work, _ []string) {
	var found []struct{ Name, Type string }
	if !w.call("listDocuments", map[string]any{}, &found) {
		return
	}
	lines := make([]string, 0, len(found))
	for _, d := range found {
		lines = append(lines, "- "+d.Name+" ("+d.Type+")")
	}
	w.sayList("document", lines, false)
}

// sayList answers with the lines of a list.
func (w *work) sayList(noun string, lines []string, more bool) {
	head := counted(len(lines), noun)
	if more {
		head = "The first " + head
	}
	if len(lines) > 0 {
		head += ":\n"
	}
	w.say(head + strings.Join(lines, "\n"))
}

// counted returns a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, found := strings.CutSuffix(noun, "y"); found {
		return strconv.Itoa(n) + " " + stem + "ies"
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// percent returns a fraction as a percentage, exactly.
func percent(fraction string) string {
	whole, digits, _ := strings.Cut(fraction, ".")
	for len(digits) < 2 {
		digits += "0"
	}
	number := strings.TrimLeft(whole+digits[:2], "0")
	if number == "" {
		number = "0"
	}
	if rest := strings.TrimRight(digits[2:], "0"); rest != "" {
		number += "." + rest
	}
	return number + " %"
}

// named returns the record with the name, without regard to case. Otherwise the command ends with a question.
func named[R any](w *work, noun, name string, all []R, nameOf func(R) []string) (R, bool) {
	var exact, partial []R
	for _, record := range all {
		names := nameOf(record)
		switch {
		case slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, name) }):
			exact = append(exact, record)
		case slices.ContainsFunc(names, func(n string) bool { return strings.Contains(strings.ToLower(n), strings.ToLower(name)) }):
			partial = append(partial, record)
		}
	}
	candidates := exact
	if len(candidates) == 0 {
		candidates = partial
	}
	if len(candidates) == 1 {
		return candidates[0], true
	}
	var none R
	if len(candidates) == 0 {
		w.say("There is no " + noun + " named " + name + ".")
		return none, false
	}
	lines := make([]string, 0, len(candidates))
	for _, record := range candidates {
		lines = append(lines, "- "+nameOf(record)[0])
	}
	question := "Several records match " + name + ". Repeat the command with the full name:\n"
	if name == "" {
		question = "There are several. Repeat the command with the name of the " + noun + ":\n"
	}
	w.say(question + strings.Join(lines, "\n"))
	return none, false
}
