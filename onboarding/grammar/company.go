package grammar

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"equity/organization/jurisdiction"
)

// takeCompany finds the company: its name, form, place and currency. The name is replaced, so that it is not a person.
func (d *text) takeCompany(whole string) string {
	whole = d.takeName(whole)
	lower := strings.ToLower(whole)
	legal := strings.ToLower(d.facts.LegalName)
	switch {
	case strings.Contains(lower+legal, "llc") || strings.Contains(lower, "limited liability company"):
		d.facts.Type = "llc"
	case d.foreignForm.MatchString(legal):
		d.facts.Type = "other"
	case d.partnerForm.MatchString(legal) || strings.Contains(lower, " partnership"):
		d.facts.Type = "partnership"
	case legal != "" || d.corporateForm.MatchString(lower):
		d.facts.Type = "corporation"
	}
	d.facts.Jurisdiction = d.placeIn(whole)
	if d.facts.Jurisdiction == "" {
		d.facts.Jurisdiction = placeOf(legal)
	}
	if found := d.dollars.FindStringSubmatchIndex(whole); found != nil {
		d.facts.Currency = currency(whole, found, 1)
	}
	return whole
}

// takeName finds the name of the company.
func (d *text) takeName(whole string) string {
	if found := d.quoted.FindStringSubmatchIndex(whole); found != nil {
		d.facts.Name = strings.TrimSpace(group(whole, found, 1))
		return cut(whole, found[2]-1, found[3]+1)
	}
	if found := d.suffixed.FindStringSubmatchIndex(whole); found != nil {
		name := d.companyName(group(whole, found, 1))
		if name != "" && !investor(name) {
			begin := found[3] - len(name)
			d.facts.Name, d.facts.LegalName = name, strings.TrimSuffix(strings.Trim(whole[begin:found[5]], `"`), ",")
			return strings.ReplaceAll(cut(whole, begin, found[5]), name, "the company")
		}
	}
	if found := d.called.FindStringSubmatchIndex(whole); found != nil {
		name := group(whole, found, 1)
		d.facts.Name = strings.Trim(name, `"`)
		return strings.ReplaceAll(whole, name, "the company")
	}
	for _, form := range []*regexp.Regexp{d.created, d.mine, d.isA, d.heading} {
		if found := form.FindStringSubmatchIndex(whole); found != nil {
			if name := d.companyName(group(whole, found, 1)); name != "" {
				d.facts.Name = strings.Trim(name, `"`)
				return strings.ReplaceAll(whole, name, "the company")
			}
		}
	}
	if found := d.anyQuoted.FindStringSubmatchIndex(whole); found != nil {
		d.facts.Name = strings.TrimSpace(group(whole, found, 1))
		return cut(whole, found[0], found[1])
	}
	return whole
}

// investor reports whether a name is that of an investment company.
func investor(name string) bool {
	last := strings.ToLower(name[strings.LastIndex(name, " ")+1:])
	return slices.Contains([]string{"ventures", "capital", "fund", "partners", "angels", "vc", "investments"}, last)
}

// companyName returns the name without filler words. It may be empty.
func (d *text) companyName(found string) string {
	words := strings.Fields(found)
	for len(words) > 0 && d.stops[strings.ToLower(strings.Trim(words[0], `",.`))] {
		words = words[1:]
	}
	for len(words) > 0 && (d.stops[strings.ToLower(words[len(words)-1])] || words[len(words)-1] == "&") {
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ")
}

// placeIn returns the jurisdiction of the first place in a text.
func (d *text) placeIn(whole string) string {
	return d.places[d.place.FindString(whole)]
}

// placeOf returns the country of a legal form that only one country uses.
func placeOf(legal string) string {
	for suffix, country := range map[string]string{"gmbh": "DE", " ug": "DE", " oy": "FI"} {
		if strings.HasSuffix(legal, suffix) {
			return country
		}
	}
	return ""
}

// places maps the names of states and countries to their codes (ISO 3166).
func places() map[string]string {
	all := map[string]string{
		"Germany": "DE", "United Kingdom": "GB", "UK": "GB", "England": "GB", "France": "FR", "Switzerland": "CH", "Austria": "AT",
		"Canada":      "CA",
		"Netherlands": "NL", "Spain": "ES", "Italy": "IT", "Ireland": "IE", "Singapore": "SG", "India": "IN", "Australia": "AU",
		"Israel":  "IL",
		"Estonia": "EE", "Sweden": "SE", "Finland": "FI", "Denmark": "DK", "Norway": "NO", "Japan": "JP", "Portugal": "PT", "Belgium": "BE",
		"Cayman Islands": "KY", "Luxembourg": "LU", "Poland": "PL", "Mexico": "MX", "Brazil": "BR", "New Zealand": "NZ",
	}
	maps.Copy(all, jurisdiction.States())
	return all
}

// institution reports whether a name is that of a company or a fund.
func institution(name string) bool {
	words := strings.Fields(strings.ToLower(strings.Trim(name, ".")))
	if len(words) == 0 {
		return false
	}
	last := strings.Trim(words[len(words)-1], ".,")
	endings := []string{
		"ventures", "venture", "capital", "fund", "partners", "lp", "llc", "inc", "holdings", "holding", "angels", "accelerator",
		"combinator", "vc",
		"investments", "group", "trust", "foundation", "labs", "gmbh", "ag", "ltd", "university", "bank", "associates", "syndicate", "i",
		"ii", "iii", "iv",
	}
	return len(words) > 1 && slices.Contains(endings, last)
}

// functionWords are the words that may precede the name of an institution.
func functionWords() map[string]bool {
	return setOf(`the a an our and or with in on at for of to from by we us then also by`)
}

// titles are words that may follow the name of a person.
func titles() map[string]bool {
	return setOf(`ceo cto cfo coo founder founders co-founder safe safes stock shares note notes and with in on at for`)
}

func setOf(list string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		all[word] = true
	}
	return all
}

// stopWords are words that begin with a capital letter and are no names of people.
func stopWords() map[string]bool {
	all := setOf(`we our us the i my me it its he she they their them this that these those each both all every founder founders co-founder
		co-founders cofounder cofounders company companies startup start-up inc inc. corp corporation llc ltd common preferred series class stock shares share safe safes
		note notes option options pool plan equity incentive vesting cliff a an and or with in on at for of to is are was were be has have by from as if then so create
		build set start starting form found founding founded started incorporated incorporate issue issued reserve ceo cto cfo coo chief officer president chairman employee employees investor
		investors advisor advisors board c-corp s-corp corp. delaware january february march april may june july august september october november december monday
		tuesday wednesday thursday friday saturday sunday total authorized outstanding fully diluted cap discount seed round pre-seed preseed post-money pre-money
		convertible esop split ownership there here please also no not one two three four five six seven eight nine ten us usd eur gbp ignore previous instructions
		void everything just only after before when while since today tomorrow register launch new name named called what who how why which let lets make help add
		give show tell you your mr mrs ms dr jr. organization organisation business firm team hires hire future remaining rest remainder half legal finance hr
		documents folder folders data room capital raise raised raising money par value price angel's dear hello hi hey thanks thank people members member shareholder
		shareholders stockholder stockholders holder holders cap-table captable table united states america usa`)
	for place := range places() {
		for part := range strings.FieldsSeq(strings.ToLower(place)) {
			all[part] = true
		}
	}
	return all
}
