package onboarding

import (
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"equity/messages"
	"equity/sheet"
)

// The kinds of items.
const (
	kindOrganization = "organization"
	kindSecurity     = "security"
	kindSchedule     = "vestingSchedule"
	kindMember       = "member"
	kindPlan         = "plan"
	kindShareholding = "shareholding"
	kindConvertible  = "convertible"
	kindFolder       = "folder"
	kindPackage      = "package"
)

// The sources of items.
const (
	fromPrompt     = "prompt"
	fromDefault    = "default"
	fromAnswer     = "answer"
	fromCorrection = "correction"
)

const (
	high = "high"
	low  = "low"
)

// defaultCurrency is the currency of a company that states none.
const defaultCurrency = "USD"

// The operations of items.
const (
	createOrganization = "createOrganization"
	amendMember        = "amendMember"
	importPackage      = "importPackage"
	createSecurity     = "createSecurity"
	createSchedule     = "createVestingSchedule"
	addMember          = "addMember"
	createPlan         = "createPlan"
	issueShareholding  = "issueShareholding"
	createHolding      = "createHolding"
	createFolder       = "createFolder"
)

// planner derives a plan from facts and answers. The same input always has the same plan, with the same ids.
type planner struct {
	of        *messages.Onboarding
	facts     messages.CompanyFacts
	items     []messages.PlanItem
	questions []messages.PlanQuestion
	// self is the person of the user, or nil.
	self *messages.PersonFacts
	// total is the number of shares to which portions refer.
	total string
	// holdings are the shares of each stake, and reserved are those of the pool.
	holdings []planned
	reserved string
}

// newPlan returns the items and the questions of an analyzed onboarding, with the changes of the user.
func newPlan(of *messages.Onboarding) ([]messages.PlanItem, []messages.PlanQuestion) {
	p := &planner{of: of, facts: combined(*of.Facts, of.Rows)}
	p.organizationAndRecords()
	p.items = slices.DeleteFunc(p.items, func(item messages.PlanItem) bool { return p.removed(item.ID) })
	p.added()
	for _, correction := range of.Corrections {
		if i := indexOf(p.items, correction.Item); i >= 0 {
			if fields, err := corrected(p.items[i].Fields, correction); err == nil {
				p.items[i].Fields, p.items[i].Source, p.items[i].Confidence = fields, fromCorrection, high
			}
		}
	}
	p.entitle()
	return p.items, p.questions
}

// indexOf returns the index of an item; -1 without it.
func indexOf(items []messages.PlanItem, id string) int {
	return slices.IndexFunc(items, func(item messages.PlanItem) bool { return item.ID == id })
}

// removed reports whether the user removed an item.
func (p *planner) removed(item string) bool { return slices.Contains(p.of.Removed, item) }

// combined returns the facts of a description, with the stakes and persons of the rows of a spreadsheet.
func combined(described messages.CompanyFacts, rows *messages.CompanyFacts) messages.CompanyFacts {
	if rows == nil {
		return described
	}
	described.Stakes, described.Remarks = rows.Stakes, rows.Remarks
	described.People = slices.Concat(described.People, rows.People)
	if described.Pool == nil {
		described.Pool = rows.Pool
	}
	return valid(described)
}

// organizationAndRecords adds the items. The records of a package are not items of their own.
func (p *planner) organizationAndRecords() {
	if p.facts.Package != "" {
		p.organization()
		p.add(messages.PlanItem{
			ID: p.id(kindPackage, ""), Kind: kindPackage, Operation: importPackage,
			Title: p.facts.Package + ", " + strconv.Itoa(p.facts.Objects) + " objects",
		}, map[string]any{"file": p.facts.Package})
		return
	}
	p.identify()
	p.organization()
	p.distribute()
	p.classes()
	p.schedule()
	p.members()
	p.plan()
	p.shareholdings()
	p.convertibles()
	p.folders()
}

// id returns the id of an item or a question. It is the same in each analysis. It is a UUID of version 8.
func (p *planner) id(kind, name string) string {
	sum := sha256.Sum256([]byte(string(p.of.ID[:]) + kind + "\x00" + strings.ToLower(name)))
	id := uuid.UUID(sum[:16])
	id[6] = id[6]&0x0f | 0x80
	id[8] = id[8]&0x3f | 0x80
	return id.String()
}

// add adds an item. Fields without a value are omitted.
func (p *planner) add(item messages.PlanItem, fields map[string]any) {
	for name, value := range fields {
		if value == nil || value == "" {
			delete(fields, name)
		}
	}
	item.Fields, _ = json.Marshal(fields) //nolint:errchkjson // texts, lists and objects
	if item.Warnings == nil {
		item.Warnings = []messages.PlanWarning{}
	}
	if item.Source == "" {
		item.Source = fromPrompt
	}
	if item.Confidence == "" {
		item.Confidence = high
	}
	p.items = append(p.items, item)
}

// organizationID is the id of the item of the organization. In the field of an entity, it stands for the user.
func (p *planner) organizationID() string { return p.id(kindOrganization, "") }

func (p *planner) organization() {
	name, source, confidence := p.facts.Name, fromPrompt, high
	if name == "" {
		name, source = p.ask(
			"name", messages.PlanQuestion{Text: "What is the name of the company?", Kind: kindText, Required: true},
		), fromAnswer
	}
	warnings := slices.Clone(p.facts.Remarks)
	currency, form := p.facts.Currency, p.facts.Type
	if currency == "" {
		currency, confidence = defaultCurrency, low
		warnings = append(
			warnings, messages.PlanWarning{Code: "assumedCurrency", Message: "The description has no currency. US dollars are assumed."},
		)
	}
	if form == "" {
		form, confidence = "corporation", low
		warnings = append(
			warnings, messages.PlanWarning{Code: "assumedType", Message: "The description has no legal form. A corporation is assumed."},
		)
	}
	p.add(messages.PlanItem{
		ID: p.organizationID(), Kind: kindOrganization, Operation: createOrganization, Source: source, Confidence: confidence,
		Warnings: warnings,
	}, map[string]any{
		"name": name, "legalName": p.facts.LegalName, "type": form, "currency": currency,
		"jurisdiction": p.facts.Jurisdiction, "formationDate": p.facts.FormedOn,
	})
}

// currency returns the currency of the organization.
func (p *planner) currency() string {
	if p.facts.Currency == "" {
		return defaultCurrency
	}
	return p.facts.Currency
}

// none is the option of a user outside the list of persons.
const none = "None of them"

// identify finds the user among the persons: the author of the description, else the person with the address, else the answer.
func (p *planner) identify() {
	var names []string
	for i := range p.facts.People {
		one := &p.facts.People[i]
		if one.Self || one.Email != "" && strings.EqualFold(one.Email, p.of.Email) {
			p.self = one
			return
		}
		if !one.Institution && !sheet.IsTotal(one.Name) && !p.removed(p.id(kindMember, one.Name)) {
			names = append(names, one.Name)
		}
	}
	const mostOptions = 20
	if len(names) == 0 || len(names) > mostOptions {
		return
	}
	question := messages.PlanQuestion{
		Text: "Which of these people are you?", Kind: kindChoice, Options: append(names, none), Required: true,
	}
	if likely := namedLike(names, p.of.Email); likely != "" {
		question.Default = &likely
	}
	answer := p.ask("self", question)
	for i := range p.facts.People {
		if answer != "" && p.facts.People[i].Name == answer {
			p.self = &p.facts.People[i]
		}
	}
}

// namedLike returns the only name of which a word is in the local part of the address; empty without one.
func namedLike(names []string, email string) string {
	const shortest = 3
	local, _, _ := strings.Cut(strings.ToLower(email), "@")
	found := ""
	for _, name := range names {
		for word := range strings.FieldsSeq(strings.ToLower(name)) {
			if len(word) >= shortest && strings.Contains(local, word) {
				if found != "" && found != name {
					return ""
				}
				found = name
			}
		}
	}
	return found
}

// entity returns the reference to the entity of a person.
func (p *planner) entity(name string) string {
	if p.self != nil && strings.EqualFold(p.self.Name, name) {
		return p.organizationID()
	}
	return p.id(kindMember, name)
}

// author is the name of an author without a name.
const author = "I"

func (p *planner) members() {
	for _, one := range p.facts.People {
		if p.self != nil && one.Name == p.self.Name {
			if one.Relationship != "" {
				p.add(
					messages.PlanItem{ID: p.id(kindMember, one.Name), Kind: kindMember, Operation: amendMember},
					map[string]any{"relationship": one.Relationship},
				)
			}
			continue
		}
		kind := "individual"
		if one.Institution {
			kind = "institution"
		}
		p.add(messages.PlanItem{ID: p.id(kindMember, one.Name), Kind: kindMember, Operation: addMember}, map[string]any{
			"fullName": one.Name, "email": one.Email, "kind": kind, "relationship": one.Relationship,
		})
	}
}

func (p *planner) folders() {
	for _, name := range p.facts.Folders {
		p.add(messages.PlanItem{ID: p.id(kindFolder, name), Kind: kindFolder, Operation: createFolder},
			map[string]any{"name": name, "parentFolder": json.RawMessage("null")})
	}
}
