package onboarding

import (
	"context"
	"errors"
	"path"
	"strconv"
	"strings"

	"equity/captable/ocf"
	"equity/fault"
	"equity/http/api"
	"equity/http/sheet"
	"equity/messages"
	"equity/onboarding"
)

// mostRows bounds the rows of a spreadsheet, because each becomes an item that a user checks.
const mostRows = 200

// attach plans the company from a file.
func (s base) attach(ctx context.Context, c *api.Call) (api.Answer, error) {
	if _, err := s.Service.Own(ctx, inPath(c), c.Caller.User); err != nil {
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
		facts, err = s.tableFacts(ctx, c, content)
	}
	if err != nil {
		return api.Answer{}, err
	}
	found, err := s.Service.Attach(ctx, inPath(c), c.Caller.User, file, facts)
	if err != nil {
		return api.Answer{}, err
	}
	return api.Answer{Record: stateOf(found), Private: true}, nil
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
func (s base) tableFacts(ctx context.Context, c *api.Call, content []byte) (messages.CompanyFacts, error) {
	table, err := s.Tables.Read(ctx, c.Caller.User.String(), content, mostRows)
	if broken, refused := errors.AsType[*sheet.Error](err); refused {
		pointer := "/file"
		if broken.Line > 0 {
			pointer = "/rows/" + strconv.Itoa(broken.Line)
		}
		return messages.CompanyFacts{}, api.WrongField(pointer, broken.Code, broken.Message)
	}
	if err != nil {
		return messages.CompanyFacts{}, api.NotParsed(err)
	}
	lines := make([]onboarding.Line, len(table.Rows))
	for i, row := range table.Rows {
		lines[i] = onboarding.Line(row)
	}
	return onboarding.TableFacts(table.Heading, lines)
}
