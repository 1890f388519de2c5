package assistant

import (
	"slices"
	"strings"
	"unicode"

	"equity/messages"
)

// maxTools is the number of tools in a prompt, in addition to findTools.
const maxTools = 40

const toolFindTools = "findTools"

// findTools returns the tool that searches tools.
func findTools() messages.Tool {
	return messages.Tool{
		Name: toolFindTools, Title: "Search tools", Class: messages.ToolRead,
		Description: "Searches the available operations by words, such as \"vesting schedule\" or \"transfer shares\". The found tools can be called next.",
		InputSchema: []byte(`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"],"additionalProperties":false}`),
	}
}

// basics are tools for most messages.
func basics() []string {
	return []string{
		"getDashboard", "getOrganization", "listMembers", "listSecurities", "listShareholdings", "listHoldings", "listOptions", "listPlans",
		"explainFigure", "listJournal", "issueShareholding", "addMember", "createSecurity", "createHolding",
	}
}

// matching returns the tools whose names, tags, titles and descriptions match the words of the text, the best first. Tools for most
// messages fill the rest.
func matching(all []messages.Tool, text string, limit int) []messages.Tool {
	words := wordsOf(text)
	type scored struct {
		tool  messages.Tool
		score int
	}
	found := make([]scored, 0, len(all))
	for _, tool := range all {
		score := 0
		name, title := strings.ToLower(tool.Name+" "+strings.Join(tool.Tags, " ")), strings.ToLower(tool.Title)
		description := strings.ToLower(tool.Description)
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
		if slices.Contains(basics(), tool.Name) {
			score += 2
		}
		if score > 0 {
			found = append(found, scored{tool, score})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return b.score - a.score })
	chosen := make([]messages.Tool, 0, limit)
	for _, one := range found[:min(len(found), limit)] {
		chosen = append(chosen, one.tool)
	}
	return chosen
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
