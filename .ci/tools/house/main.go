// Command house measures the language and the form of the code, and fails if a measure exceeds its bound:
//
//	go run ./.ci/tools/house
//
// The rules are heuristics. A place that a rule finds wrongly is no reason for worse words: the bounds leave room for it.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// sentence is the text of a refusal or of the fault of a field.
var sentence = regexp.MustCompile(`(?:fault\.Refuse\([^,()]+,|\.Add\([^,]+, "[a-zA-Z]+",|InvalidField\([^,]+, "[a-zA-Z]+",)\s*"((?:[^"\\]|\\.){6,})"`)

// helpful are words of sentences that state a requirement, a limit or what to do.
var helpful = regexp.MustCompile(`(?i)\b(` + strings.Join([]string{
	"must", "required?", "requires", "needs?", "choose", "write", "enter", "send", "use", "name it", "names? (a|the|one)", "at most", "at least", "cannot", "only",
	"try again", "sign in", "remove", "set", "give", "wait", "check", "ask", "confirm", "begin", "close one", "revoke", "already", "no such", "does not exist",
	"unknown", "taken", "not permitted", "may", "do(es)? not", "not accepted", "too (many|large|long)", "more than", "exceeds?", "no longer", "has ended", "expired",
	"before", "after", "another", "is over", "not supported", "is not", "follow", "requests?", "connect", "turn", "verify", "select", "available", "wrong", "disabled",
	"is off", "is missing",
}, "|") + `)\b`)

// subtest is the name of a subtest, and half is a name that is no claim by itself.
var (
	subtest = regexp.MustCompile(`t\.Run\("((?:[^"\\]|\\.)+)"`)
	half    = regexp.MustCompile(`(?i)^(and|nor|but|or|also|even|not|with|without|of|in|on|at|to|by|from|for|until|unless|if|when|that|which|who|whose|whom|what|` +
		`whatever|nobody|nothing|none|neither|only|it|they|its|their|these|those|so|as|than|yet)\b|\b(what|who|whom|whose|nobody|nothing)\b`)
)

// declared is the comment of a function or type with its name, and other is a name of something else at the start of a comment.
var (
	declared = regexp.MustCompile(`(?m)((?:^//[^\n]*\n)+)(?:func (?:\([^)]*\) )?(\w+)|type (\w+))`)
	first    = regexp.MustCompile(`^//\s?(?:A |An |The )?(\w+)`)
	other    = regexp.MustCompile(`^(?:[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*)$`)
)

// columns is the width from which a line of code counts as wide, with tabs of tabWidth.
const (
	columns  = 140
	tabWidth = 4
)

// measure counts the places of a rule, and those that break it. At most a share of bound in a thousand may break it.
type measure struct {
	name          string
	bound         int
	places, found int
	worst         []string
}

func (m *measure) count(broken bool, file string, text string, at int) {
	m.places++
	if broken {
		m.found++
		m.worst = append(m.worst, fmt.Sprintf("%s:%d", file, 1+strings.Count(text[:at], "\n")))
	}
}

func (m *measure) exceeded() bool { return m.found*1000 > m.bound*m.places }

func main() {
	listed, err := exec.Command("git", "ls-files", "*.go").Output()
	if err != nil {
		fmt.Fprintln(os.Stderr, "list the files:", err)
		os.Exit(1)
	}
	refusals, subtests := &measure{name: "refusals that state no requirement", bound: 50}, &measure{name: "subtests without a claim", bound: 20}
	stale, wide := &measure{name: "comments of another name"}, &measure{name: "wide lines of code", bound: 10}
	for file := range strings.FieldsSeq(string(listed)) {
		content, err := os.ReadFile(file)
		if err != nil || bytes.Contains(content, []byte("// Code generated ")) || strings.Contains(file, "testdata/") {
			continue // also a file that was removed and is still in the index
		}
		text := string(content)
		if !strings.HasSuffix(file, "_test.go") {
			for _, at := range sentence.FindAllStringSubmatchIndex(text, -1) {
				refusals.count(!helpful.MatchString(text[at[2]:at[3]]), file, text, at[0])
			}
		} else {
			for _, at := range subtest.FindAllStringSubmatchIndex(text, -1) {
				subtests.count(half.MatchString(text[at[2]:at[3]]), file, text, at[0])
			}
		}
		for _, at := range declared.FindAllStringSubmatchIndex(text, -1) {
			name := text[max(at[4], at[6]):max(at[5], at[7])]
			word := first.FindStringSubmatch(text[at[2]:at[3]])
			stale.count(word != nil && word[1] != name && other.MatchString(word[1]), file, text, at[0])
		}
		at := 0
		for line := range strings.Lines(text) {
			if code := strings.TrimSpace(line); code != "" && !strings.HasPrefix(code, "//") {
				wide.count(width(strings.TrimRight(line, "\n")) > columns, file, text, at)
			}
			at += len(line)
		}
	}
	failed := false
	for _, m := range []*measure{refusals, subtests, stale, wide} {
		fmt.Printf("%s: %d of %d, at most %d in a thousand\n", m.name, m.found, m.places, m.bound)
		if m.exceeded() {
			failed = true
			fmt.Println("  " + strings.Join(m.worst[:min(len(m.worst), 30)], "\n  "))
		}
	}
	if failed {
		os.Exit(1)
	}
}

// width returns the columns of a line.
func width(line string) int {
	columns := 0
	for _, r := range line {
		if columns++; r == '\t' {
			columns += (tabWidth - columns%tabWidth) % tabWidth
		}
	}
	return columns
}
