// Package grammar extracts the facts about a company from a description in English, without a language model. It recognizes usual phrases
// about the company, its founders and investors, their shares, option pools, SAFEs and notes, and vesting. It ignores everything else.
package grammar

import (
	"context"
	"regexp"
	"strings"
	"sync"

	"equity/messages"
)

// sharedForms compiles the regular expressions once per process.
//
//nolint:gochecknoglobals // forms are immutable
var sharedForms = sync.OnceValue(newForms)

// Reader extracts facts. It is safe for concurrent use.
type Reader struct{ forms *forms }

// New returns a Reader. All share one set of forms.
func New() Reader { return Reader{sharedForms()} }

// Read returns the facts that a description states.
func (r Reader) Read(_ context.Context, _ messages.ModelPayer, description string) (messages.CompanyFacts, error) {
	d := &text{forms: r.forms}
	whole := d.takeAddresses(r.forms.plain(description))
	whole = d.takeCompany(whole)
	d.takeAuthor(whole)
	all := sentences(whole)
	for i := range all {
		all[i] = d.takeVesting(all[i])
		all[i] = d.takeFormation(all[i])
		all[i] = d.takeFolders(all[i])
		all[i] = d.takeConvertibles(all[i])
		all[i] = d.takePool(all[i])
		all[i] = d.takeClasses(all[i])
		d.takeFounders(all[i])
	}
	for _, sentence := range all {
		d.takeStakes(sentence)
	}
	d.takeSplits(strings.Join(all, ". "))
	d.shrink()
	d.finish()
	return d.facts, nil
}

// text is the work on a description. Each take method adds facts, and returns the rest of a sentence without their words.
type text struct {
	*forms
	facts messages.CompanyFacts
	// emails maps names to addresses.
	emails map[string]string
	// others are the holders of the remaining portion.
	others []string
}

// plain returns the description with plain quotes and single spaces in its lines.
func (f *forms) plain(description string) string {
	description = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "–", "-", "—", " - ", "\u00a0", " ", "\r", "").Replace(description)
	description = f.inBracketsTitle.ReplaceAllString(description, "")
	description = f.fractions.ReplaceAllStringFunc(description, f.percentOf)
	lines := strings.Split(description, "\n")
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(strings.TrimLeft(line, " \t-*•")), " ")
	}
	return strings.Join(lines, "\n")
}

// sentences splits a description. A point after an abbreviation or in a number ends no sentence.
func sentences(whole string) []string {
	var found []string
	begin := 0
	for i, r := range whole {
		end := r == '\n' || r == ';' || r == '!' || r == '?'
		if r == '.' {
			rest := whole[i+1:]
			end = rest == "" || (rest[0] == ' ' || rest[0] == '\n') && !abbreviated(whole[begin:i])
		}
		if end {
			found = append(found, strings.TrimSpace(whole[begin:i]))
			begin = i + 1
		}
	}
	return append(found, strings.TrimSpace(whole[begin:]))
}

// abbreviated reports whether the text ends with an abbreviation.
func abbreviated(before string) bool {
	word := strings.ToLower(before[strings.LastIndexAny(before, " (")+1:])
	switch word {
	case "inc", "corp", "ltd", "co", "llc", "dr", "mr", "mrs", "ms", "no", "st", "jr", "u.s", "e.g", "i.e", "approx", "s.a", "b.v":
		return true
	}
	return len(word) == 1 && word >= "a" && word <= "z" && word != "i"
}

// cut returns the sentence without the part between two positions.
func cut(sentence string, from, to int) string { return sentence[:from] + " " + sentence[to:] }

// takeFormation finds the date of the formation.
func (d *text) takeFormation(sentence string) string {
	if found := d.formed.FindStringSubmatchIndex(sentence); found != nil {
		if date := d.date(sentence[found[2]:found[3]]); date != "" {
			d.facts.FormedOn = date
			return cut(sentence, found[2], found[3])
		}
	}
	return sentence
}

// takeFolders finds the folders of the data room.
func (d *text) takeFolders(sentence string) string {
	found := d.foldersFor.FindStringSubmatchIndex(sentence)
	if found == nil {
		return sentence
	}
	list := sentence[found[2]:found[3]]
	for _, name := range d.separator.Split(list, -1) {
		if name = strings.Trim(name, ` ".`); name != "" && len(name) <= mostFolderName {
			d.facts.Folders = append(d.facts.Folders, name)
		}
	}
	return cut(sentence, found[0], found[1])
}

const mostFolderName = 60

// takeVesting finds the vesting of the founders' shares.
func (d *text) takeVesting(sentence string) string {
	if !d.vests.MatchString(sentence) {
		return sentence
	}
	length, cliff := 0, 0
	if found := d.cliff.FindStringSubmatchIndex(sentence); found != nil {
		cliff = d.months(sentence, found)
		sentence = cut(sentence, found[0], found[1])
	}
	for _, form := range []*regexp.Regexp{d.vestingOver, d.vestingOf, d.yearVesting} {
		if found := form.FindStringSubmatchIndex(sentence); found != nil {
			length = d.months(sentence, found)
			sentence = cut(sentence, found[0], found[1])
			break
		}
	}
	if length > 0 && cliff <= length {
		d.facts.Vesting = &messages.VestingFacts{Months: length, CliffMonths: cliff}
	}
	return sentence
}

// months returns the number of months of a period: the number in the first group, with the unit in the second.
func (d *text) months(sentence string, found []int) int {
	n := d.count(sentence[found[2]:found[3]])
	if strings.HasPrefix(strings.ToLower(sentence[found[4]:found[5]]), "y") {
		n *= 12
	}
	return n
}
