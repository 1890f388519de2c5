package onboarding

import (
	"strconv"
	"strings"

	"equity/captable/exact"
	"equity/captable/ocf"
	"equity/fault"
	"equity/messages"
)

// PackageFacts returns the facts about the issuer of a package. The build imports the package itself.
func PackageFacts(pack *ocf.Package, name string) messages.CompanyFacts {
	issuer, formed := pack.Issuer, ""
	if !issuer.FormationDate.IsZero() {
		formed = issuer.FormationDate.String()
	}
	return messages.CompanyFacts{
		Name: issuer.LegalName, LegalName: issuer.LegalName, FormedOn: formed, Jurisdiction: issuer.Jurisdiction, Currency: issuer.Currency,
		Package: name, Objects: pack.Objects, Contents: pack.Contents(),
	}
}

// Line is a row of a spreadsheet, with its line in the file.
type Line struct {
	Line  int
	Cells []string
}

// columns maps the usual names of columns to the facts of a stake.
func columns() map[string]string {
	names := map[string]string{}
	for fact, known := range map[string]string{
		"holder": "holder|name|shareholder|stockholder|owner|investor|holder name|stakeholder|full name",
		"email":  "email|e-mail|email address|e-mail address|holder email",
		"class":  "security|class|share class|security class|stock class|type",
		"shares": "shares|number of shares|quantity|units|share count",
		"price":  "pricepershare|price per share|price|issue price|share price",
		"date":   "issuedate|issue date|date|issued on|date issued",
	} {
		for name := range strings.SplitSeq(known, "|") {
			names[name] = fact
		}
	}
	return names
}

// TableFacts returns the stakes in the rows of a spreadsheet.
func TableFacts(heading []string, lines []Line) (messages.CompanyFacts, error) {
	facts, known, places := messages.CompanyFacts{}, columns(), map[string]int{}
	for i, name := range heading {
		if fact, ok := known[strings.ToLower(name)]; ok {
			if _, twice := places[fact]; !twice {
				places[fact] = i
			}
		}
	}
	var faults fault.Fields
	for _, needed := range []string{"holder", "shares"} {
		if _, found := places[needed]; !found {
			faults = append(faults, fault.Field{Pointer: "/rows/1/" + needed, Code: "required", Message: "The column " + needed + " is missing."})
		}
	}
	if len(faults) == 0 {
		for _, line := range lines {
			stake, person, wrong := stakeOf(line, places)
			faults = append(faults, wrong...)
			facts.Stakes, facts.People = append(facts.Stakes, stake), append(facts.People, person)
		}
	}
	if len(faults) > 0 {
		return facts, &fault.Error{Code: fault.RowsRefused, Message: "The spreadsheet has invalid rows.", Fields: faults}
	}
	facts.People = unique(facts.People, func(p messages.PersonFacts) string { return p.Name })
	return facts, nil
}

// stakeOf returns the stake and the holder of a row.
func stakeOf(line Line, places map[string]int) (messages.StakeFacts, messages.PersonFacts, fault.Fields) {
	cell := func(fact string) string {
		if i, found := places[fact]; found {
			return strings.TrimSpace(line.Cells[i])
		}
		return ""
	}
	var faults fault.Fields
	wrong := func(column, code, text string) {
		faults = append(faults, fault.Field{Pointer: "/rows/" + strconv.Itoa(line.Line) + "/" + column, Code: code, Message: text})
	}
	amount := func(fact string) string {
		text := normalAnswer(messages.PlanQuestion{Kind: kindNumber}, cell(fact))
		if number, err := exact.ParseDecimal(text); text != "" && (err != nil || number.Sign() < 0) {
			wrong(fact, "invalidDecimal", "It is not a positive decimal number.")
		}
		return text
	}
	stake := messages.StakeFacts{Holder: cell("holder"), Class: cell("class"), Shares: amount("shares"), Price: amount("price"), Date: cell("date")}
	if stake.Holder == "" {
		wrong("holder", "required", "It is required.")
	}
	if stake.Shares == "" {
		wrong("shares", "required", "It is required.")
	}
	if stake.Date != "" {
		if _, err := exact.ParseDate(stake.Date); err != nil {
			wrong("date", "invalidDate", "It is not a date such as 2026-01-31.")
		}
	}
	return stake, messages.PersonFacts{Name: stake.Holder, Email: cell("email")}, faults
}
