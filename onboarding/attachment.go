package onboarding

import (
	"strconv"

	"equity/captable/exact"
	"equity/captable/ocf"
	"equity/fault"
	"equity/messages"
	"equity/sheet"
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

// QuestionOf returns what is read from a spreadsheet that completes the description of an onboarding.
func QuestionOf(of messages.Onboarding, today exact.Date) sheet.Question {
	q := sheet.Question{Kind: "shareholdings", Today: today, Currency: defaultCurrency}
	if facts := described(&of); facts.Currency != "" {
		q.Currency = facts.Currency
	}
	for _, class := range described(&of).Classes {
		q.Classes = append(q.Classes, class.Name)
	}
	return q
}

// TableFacts returns the stakes in the tables of a spreadsheet, the shares of its pools, and remarks about what is not a stake.
func TableFacts(found sheet.Recognition) (messages.CompanyFacts, error) {
	var facts messages.CompanyFacts
	var faults fault.Fields
	pool, pools := exact.NewDecimal(0), false
	for i := range found.Tables {
		table := &found.Tables[i]
		for at := range table.Records {
			record := &table.Records[at]
			if record.Kind != "" {
				continue // named in a remark
			}
			stake, person, wrong := stakeOf(table, record)
			faults = append(faults, wrong...)
			facts.Stakes, facts.People = append(facts.Stakes, stake), append(facts.People, person)
		}
		for _, row := range table.Pools {
			if number, err := exact.ParseDecimal(row.Quantity); err == nil && number.Sign() > 0 {
				pool, pools = pool.Add(number), true
			}
		}
	}
	for _, finding := range found.Remarks([]string{"holder", "email", "security", "shares", "pricePerShare", "issueDate"}) {
		if finding.Severity == sheet.SeverityError {
			faults.Add(finding.Pointer(), finding.Code, finding.Message)
		} else if len(facts.Remarks) < mostRemarks {
			facts.Remarks = append(facts.Remarks, messages.PlanWarning{Code: finding.Code, Message: finding.Message})
		}
	}
	if len(facts.Stakes) == 0 && len(faults) == 0 {
		faults.Add("/file", "empty", "The file needs at least one row below the heading.")
	}
	if len(faults) > 0 {
		return facts, &fault.Error{Code: fault.RowsRefused, Message: "The spreadsheet has invalid rows.", Fields: faults}
	}
	if pools {
		facts.Pool = &messages.PoolFacts{Shares: pool.String()}
	}
	facts.People = unique(facts.People, func(p messages.PersonFacts) string { return p.Name })
	return facts, nil
}

// mostRemarks bounds the remarks about a spreadsheet.
const mostRemarks = 100

// stakeOf returns the stake and the holder of a record, and its faults.
func stakeOf(table *sheet.Table, record *sheet.Record) (messages.StakeFacts, messages.PersonFacts, fault.Fields) {
	var faults fault.Fields
	pointer := "/rows/" + strconv.Itoa(record.Row) + "/"
	for _, problem := range record.Faults {
		faults.Add(pointer+problem.Field, problem.Code, problem.Message)
	}
	price, currency := sheet.SplitPrice(table.Value(record, "pricePerShare"))
	stake := messages.StakeFacts{
		Holder: table.Value(record, "holder"), Class: table.Value(record, "security"), Shares: table.Value(record, "shares"), Price: price,
		Date: table.Value(record, "issueDate"),
	}
	required := fault.Fields{}
	for field, text := range map[string]string{"holder": stake.Holder, "shares": stake.Shares} {
		if text == "" {
			required.Add(pointer+field, "required", field+" is required.")
		}
	}
	faults = faults.WithIndependent(required)
	for field, text := range map[string]string{"shares": stake.Shares, "pricePerShare": stake.Price} {
		if number, err := exact.ParseDecimal(text); err == nil && number.Sign() < 0 {
			faults.Add(pointer+field, "invalidDecimal", field+" must not be negative.")
		}
	}
	if currency != "" {
		faults.Add(pointer+"pricePerShare", "otherCurrency", "The price must be in the currency of the company, not in "+currency+".")
	}
	return stake, messages.PersonFacts{Name: stake.Holder, Email: table.Value(record, "email")}, faults
}
