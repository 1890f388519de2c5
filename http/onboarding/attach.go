package onboarding

import (
	"context"
	"path"
	"strings"

	"equity/captable/exact"
	"equity/captable/ocf"
	"equity/fault"
	"equity/http/api"
	"equity/http/tables"
	"equity/messages"
	"equity/onboarding"
	"equity/sheet"
)

// mostRows bounds the rows of a spreadsheet, because each becomes an item that a user checks.
const mostRows = 200

// attach plans the company from a file.
func (s base) attach(ctx context.Context, c *api.Call) (api.Answer, error) {
	own, err := s.Service.Own(ctx, inPath(c), c.Caller.User)
	if err != nil {
		return api.Answer{}, err
	}
	if len(c.Files) != 1 {
		return api.Answer{}, api.WrongField("/file", "tooMany", "Send one file.")
	}
	content, err := c.Files[0].Bytes()
	if err != nil {
		return api.Answer{}, err
	}
	file := messages.OnboardingFile{Name: path.Base(path.Clean("/" + c.Files[0].Name)), Content: content}
	var facts messages.CompanyFacts
	if strings.EqualFold(path.Ext(file.Name), ".zip") {
		facts, err = s.packageFacts(ctx, c, file)
	} else {
		facts, err = s.tableFacts(ctx, c, own, content)
	}
	if err != nil {
		return api.Answer{}, err
	}
	attached, err := s.Service.Attach(ctx, inPath(c), c.Caller.User, file, facts)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Record: stateOf(attached), Private: true}, nil
}

// packageFacts returns the issuer of a package without errors.
func (s base) packageFacts(ctx context.Context, c *api.Call, file messages.OnboardingFile) (messages.CompanyFacts, error) {
	pack, findings, err := s.Packages.Archive(ctx, c.Caller.User.String(), c.Files[0])
	if err != nil {
		return messages.CompanyFacts{}, err
	}
	var faults fault.Fields
	for _, finding := range findings {
		if finding.Severity != ocf.Warn {
			faults = append(faults, finding.FieldError())
		}
	}
	if len(faults) > 0 {
		return messages.CompanyFacts{}, &fault.Error{Code: fault.PackageRefused, Message: "The package has errors.", Fields: faults}
	}
	return onboarding.PackageFacts(pack, file.Name), nil
}

// tableFacts returns the facts of the rows of a spreadsheet.
func (s base) tableFacts(ctx context.Context, c *api.Call, of messages.Onboarding, content []byte) (messages.CompanyFacts, error) {
	question := onboarding.QuestionOf(of, exact.DateOf(c.At))
	question.Numbers, question.Dates = sheet.Format(c.Query("numberFormat")), sheet.Format(c.Query("dateFormat"))
	question.Sheet = c.Query("sheet")
	found, err := s.Tables.Read(ctx, c.Caller.User.String(), content, tables.Request{
		Options: sheet.Options{Encoding: c.Query("encoding"), Rows: mostRows}, Question: question,
	})
	if err != nil {
		return messages.CompanyFacts{}, err
	}
	return onboarding.TableFacts(found)
}
