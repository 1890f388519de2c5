package onboarding

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strings"

	"equity/captable/exact"
	"equity/messages"
)

// titled are the fields of items that stand in titles.
type titled struct {
	Name             string `json:"name"`
	FullName         string `json:"fullName"`
	Relationship     string `json:"relationship"`
	AuthorizedShares string `json:"authorizedShares"`
	Shares           string `json:"shares"`
	Security         string `json:"security"`
	Entity           string `json:"entity"`
	Kind             string `json:"kind"`
	Principal        struct {
		Amount   string `json:"amount"`
		Currency string `json:"currency"`
	} `json:"principal"`
}

// entitle sets the titles of the items from their fields, so that a correction changes them too.
func (p *planner) entitle() {
	fields := make([]titled, len(p.items))
	names := map[string]string{}
	for i, item := range p.items {
		_ = json.Unmarshal(item.Fields, &fields[i]) // a field of another type has no place in a title
		names[item.ID] = cmp.Or(fields[i].FullName, fields[i].Name)
	}
	names[p.organizationID()] = p.named(p.organizationID(), "")
	for i := range p.items {
		if p.items[i].Kind != kindPackage {
			p.items[i].Title = titleOf(p.items, i, fields[i], names)
		}
	}
}

// named returns the name of a holder for sentences. The user is named by the description, or "you".
func (p *planner) named(entity, name string) string {
	if entity != p.organizationID() {
		return name
	}
	if p.self == nil || p.self.Name == author {
		return "you"
	}
	return p.self.Name
}

// titleOf returns the title of an item, with the names of other items for their ids.
func titleOf(items []messages.PlanItem, at int, fields titled, names map[string]string) string {
	item := items[at]
	relationship := ""
	if fields.Relationship != "" {
		relationship = ", " + inWords(fields.Relationship)
	}
	switch item.Kind {
	case kindSecurity:
		return fields.Name + ", " + inGroups(fields.AuthorizedShares) + " shares"
	case kindMember:
		if item.Operation == amendMember {
			return "You" + relationship
		}
		return fields.FullName + relationship
	case kindPlan:
		return fields.Name + ", " + inGroups(sumsOf(items[at:at+1]).FullyDiluted.String()) + " shares"
	case kindShareholding:
		return inGroups(fields.Shares) + " shares of " + cmp.Or(
			names[fields.Security], "an open class",
		) + " for " + cmp.Or(names[fields.Entity], "an open holder")
	case kindConvertible:
		amount := "an open amount"
		if fields.Principal.Amount != "" {
			amount = strings.TrimSpace(fields.Principal.Currency + " " + inGroups(fields.Principal.Amount))
		}
		return instrumentOf(fields.Kind) + " of " + amount + " for " + cmp.Or(names[fields.Entity], "an open holder")
	default:
		return fields.Name
	}
}

// instrumentOf returns the name of a kind of convertibles.
func instrumentOf(kind string) string {
	if kind == "safe" {
		return "SAFE"
	}
	return "Convertible note"
}

var hump = regexp.MustCompile(`[a-z][A-Z]`)

// inWords returns a code such as boardMember in words.
func inWords(code string) string {
	return hump.ReplaceAllStringFunc(code, func(pair string) string { return pair[:1] + " " + strings.ToLower(pair[1:]) })
}

// inGroups returns a number in English notation: 1,234,567.5. Other text stays.
func inGroups(number string) string {
	const size = 3
	if _, err := exact.ParseDecimal(number); err != nil {
		return number
	}
	whole, fraction, _ := strings.Cut(number, ".")
	for at := len(whole) - size; at > 0 && whole[at-1] != '-'; at -= size {
		whole = whole[:at] + "," + whole[at:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return whole
}
