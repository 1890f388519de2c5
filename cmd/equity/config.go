package main

import (
	"fmt"
	"strings"

	"equity/config"
)

// settingsCommand is `equity config`.
type settingsCommand struct {
	Short bool `help:"Print NAME=value lines alone, as a file of settings has them."`
}

// Help is shown by `equity config --help`.
func (settingsCommand) Help() string {
	return `Settings are read once, at the start of a command. A flag overrides an environment
variable, which overrides a line of the file, which overrides the default. Secrets
are not printed. If values are invalid, the command prints all settings, reports
the expected formats, and fails.`
}

// Run prints all settings, including invalid ones, and then reports the problems.
func (c settingsCommand) Run(p program) error {
	values, err := p.source(nil).Values()
	if err != nil {
		return err
	}
	group := ""
	for _, v := range values {
		if c.Short {
			p.say("%s=%s", v.Setting.Name, v.Shown())
			continue
		}
		if v.Setting.Group != group {
			group = v.Setting.Group
			p.say("%s\n", strings.ToUpper(group))
		}
		p.say("%s\n", describe(v))
	}
	_, err = config.New(values)
	return err
}

// describe formats a setting as a paragraph with its meaning, value and
// expected format.
func describe(v config.Value) string {
	var b strings.Builder
	value := v.Shown()
	if value == "" {
		value = "(not set)"
	}
	fmt.Fprintf(&b, "  %s = %s", v.Setting.Name, value)
	if v.Origin != config.FromDefault {
		fmt.Fprintf(&b, "  (%s)", v.Origin)
	}
	for _, line := range wrap(v.Setting.Meaning, 74) {
		fmt.Fprintf(&b, "\n      %s", line)
	}
	for _, line := range wrap("Expected: "+v.Setting.Expected+".", 74) {
		fmt.Fprintf(&b, "\n      %s", line)
	}
	if v.Setting.Default != "" {
		fmt.Fprintf(&b, "\n      Default: %s", v.Setting.Default)
	}
	return b.String()
}

// wrap breaks text between words into lines of at most width characters. A
// longer word has its own line.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
