package grammar

import (
	"slices"
	"strings"

	"equity/messages"
)

// author is the name of an author without a name.
const author = "I"

// takeAddresses removes the e-mail addresses, and assigns each to the name before it.
func (d *text) takeAddresses(whole string) string {
	d.emails = map[string]string{}
	for {
		found := d.address.FindStringSubmatchIndex(whole)
		if found == nil {
			return whole
		}
		if person := d.person(group(whole, found, 1)); person != "" {
			d.emails[person] = group(whole, found, 2)
		}
		end := found[0]
		if found[2] >= 0 {
			end = found[3]
		}
		whole = whole[:end] + whole[found[1]:]
	}
}

// takeAuthor finds the name of the author.
func (d *text) takeAuthor(whole string) {
	for _, found := range [][]int{d.iAm.FindStringSubmatchIndex(whole), d.author.FindStringSubmatchIndex(whole)} {
		if name := d.person(group(whole, found, 1)); found != nil && name != "" && !institution(name) {
			d.add(messages.PersonFacts{Name: name, Self: true})
			return
		}
	}
}

// person returns the name without filler words. It may be empty.
func (d *text) person(found string) string {
	found = strings.Trim(found, " ,.")
	switch strings.ToLower(found) {
	case "i", "me", "myself":
		return d.self()
	}
	words := strings.Fields(found)
	leading := d.stops
	if institution(found) {
		leading = d.functions
	}
	for len(words) > 0 && leading[strings.ToLower(strings.Trim(words[0], ".,'"))] {
		words = words[1:]
	}
	if len(words) == 1 && d.stops[strings.ToLower(words[0])] {
		return ""
	}
	for len(words) > 0 && d.titles[strings.ToLower(strings.Trim(words[len(words)-1], ".,'"))] {
		words = words[:len(words)-1]
	}
	name := strings.TrimSuffix(strings.Join(words, " "), "'s")
	const shortest, longest = 2, 80
	if len(name) < shortest || len(name) > longest || strings.EqualFold(name, d.facts.Name) {
		return ""
	}
	return d.full(name)
}

// self returns the name of the author.
func (d *text) self() string {
	for _, one := range d.facts.People {
		if one.Self {
			return one.Name
		}
	}
	return author
}

// full returns the known name that begins with the name; else the name.
func (d *text) full(name string) string {
	known := make([]string, 0, len(d.facts.People)+len(d.emails))
	for _, one := range d.facts.People {
		known = append(known, one.Name)
	}
	for one := range d.emails {
		known = append(known, one)
	}
	slices.Sort(known)
	match := ""
	for _, one := range slices.Compact(known) {
		if strings.EqualFold(one, name) {
			return one
		}
		if strings.HasPrefix(strings.ToLower(one), strings.ToLower(name)+" ") {
			if match != "" {
				return name
			}
			match = one
		}
	}
	if match != "" {
		return match
	}
	return name
}

// add adds a person, or completes a known one. It returns the name.
func (d *text) add(person messages.PersonFacts) string {
	if person.Name == author {
		person.Self = true
	}
	for i := range d.facts.People {
		known := &d.facts.People[i]
		if strings.EqualFold(known.Name, person.Name) {
			if known.Relationship == "" {
				known.Relationship = person.Relationship
			}
			known.Self = known.Self || person.Self
			return known.Name
		}
	}
	person.Institution = institution(person.Name)
	d.facts.People = append(d.facts.People, person)
	return person.Name
}

// takeFounders finds lists of founders.
func (d *text) takeFounders(sentence string) {
	found := append(d.foundersList.FindAllString(sentence, -1), d.byList.FindAllString(sentence, -1)...)
	found = append(found, d.listFounded.FindAllString(sentence, -1)...)
	if d.equal.MatchString(sentence) || d.ratio.MatchString(sentence) {
		found = append(found, d.between.FindAllString(sentence, -1)...)
	}
	for _, list := range found {
		for _, name := range d.people.FindAllString(list, -1) {
			d.founder(name)
		}
	}
	for _, mates := range d.startedWith.FindAllStringSubmatch(sentence, -1) {
		if d.writes.MatchString(sentence) {
			d.founder(author)
		}
		for _, name := range d.people.FindAllString(mates[1], -1) {
			d.founder(name)
		}
	}
	for _, mates := range d.mates.FindAllStringSubmatch(sentence, -1) {
		d.founder(author)
		for _, name := range d.people.FindAllString(mates[1], -1) {
			d.founder(name)
		}
	}
}

func (d *text) founder(name string) {
	if person := d.person(name); person != "" && !institution(person) {
		d.add(messages.PersonFacts{Name: person, Relationship: "founder"})
	}
}

// founders returns the names of the founders in their order.
func (d *text) founders() []string {
	var names []string
	for _, one := range d.facts.People {
		if one.Relationship == "founder" {
			names = append(names, one.Name)
		}
	}
	return names
}

// finish completes the facts that depend on the whole description.
func (d *text) finish() {
	d.takeRest()
	for i := range d.facts.People {
		one := &d.facts.People[i]
		one.Email = d.emails[one.Name]
		if one.Relationship != "" {
			continue
		}
		for _, stake := range d.facts.Stakes {
			switch {
			case stake.Holder != one.Name:
			case one.Institution || strings.Contains(strings.ToLower(stake.Class), "preferred"):
				one.Relationship = "investor"
			case stake.Price == "" && stake.Class == "":
				one.Relationship = "founder"
			}
		}
	}
}
