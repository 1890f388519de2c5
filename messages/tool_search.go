package messages

import (
	"slices"
	"strings"
	"unicode"
)

// MatchTools returns at most limit tools whose names, tags, titles and descriptions match the words of the text, the best first. Common
// tools fill the rest.
func MatchTools(all []Tool, text string, limit int) []Tool {
	words := wordsOf(text)
	type scored struct {
		tool  Tool
		score int
	}
	found := make([]scored, 0, len(all))
	for _, tool := range all {
		score := tool.score(words)
		if tool.Common {
			score += 2
		}
		if score > 0 {
			found = append(found, scored{tool, score})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return b.score - a.score })
	chosen := make([]Tool, 0, limit)
	for _, one := range found[:min(len(found), limit)] {
		chosen = append(chosen, one.tool)
	}
	return chosen
}

// score returns the number of matches, weighted by their place. A word counts once.
func (t *Tool) score(words []string) int {
	score := 0
	name, title := strings.ToLower(t.Name+" "+strings.Join(t.Tags, " ")), strings.ToLower(t.Title)
	description := strings.ToLower(t.Description)
	for _, word := range words {
		switch {
		case strings.Contains(name, word):
			score += 4
		case strings.Contains(title, word):
			score += 3
		case strings.Contains(description, word):
			score++
		}
	}
	return score
}

// wordsOf returns the words of at least three letters in lower case, without a plural s.
func wordsOf(text string) []string {
	const shortest = 3
	var found []string
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if word = strings.TrimSuffix(word, "s"); len(word) >= shortest && !slices.Contains(found, word) {
			found = append(found, word)
		}
	}
	return found
}
