package member

import (
	"context"
	"errors"
	"net/http"
	"path"
	"strings"
	"sync"

	"equity/captable/ocf"
	"equity/fault"
	"equity/http/api"
	"equity/http/tables"
	"equity/membership"
	"equity/messages"
	"equity/sheet"
)

// operations maps operation ids to the handlers of imports.
func (s imports) operations() map[string]api.Handler {
	return map[string]api.Handler{
		"importPackage":     s.importFile,
		"getImportTemplate": s.getImportTemplate,
		"uploadMembers":     s.uploadMembers,
	}
}

// importReport is the result of an import or its dry run.
type importReport struct {
	DryRun   bool `json:"dryRun"`
	Accepted bool `json:"accepted"`
	// Version is the format version of the package. Objects is the number of its objects.
	Version string `json:"version,omitempty"`
	Objects int    `json:"objects,omitempty"`
	Events  int    `json:"events"`
	// Counts is the number of events by type.
	Counts   map[string]int  `json:"counts"`
	Findings []importFinding `json:"findings"`
	// Rows are the rows of a spreadsheet; empty for a package.
	Rows []membership.ImportedRow `json:"rows,omitempty"`
	// Details are the arguments of the request of a dry run, and Records those of the changes in its files.
	Details []api.Detail  `json:"details,omitempty"`
	Records []api.Records `json:"records,omitempty"`
}

// importFinding is an error or a warning.
type importFinding struct {
	Severity string `json:"severity"`
	fault.Field
	// Cell is the address of a cell, of a range of rows, or of a sheet of a spreadsheet.
	Cell string `json:"cell,omitempty"`
}

// importFile imports rows if the request has a kind, else a package.
func (s imports) importFile(ctx context.Context, c *api.Call) (api.Answer, error) {
	switch kind := c.Query("kind"); {
	case !membership.MayImport(c.Permissions, kind):
		return api.Answer{}, api.Forbidden()
	case kind != "":
		return s.importRows(ctx, c, kind, false)
	case sentTable(c):
		return api.Answer{}, api.WrongField("/query/kind", "required", "Choose the kind of the rows: shareholdings, members or options.")
	default:
		return s.importPackage(ctx, c)
	}
}

// uploadMembers imports the members of a file.
func (s imports) uploadMembers(ctx context.Context, c *api.Call) (api.Answer, error) {
	return s.importRows(ctx, c, membership.Members, c.Query("partial") == "true")
}

// importRows imports all rows of the file or none; with partial, all valid rows. Faults are the result
// of a dry run, and otherwise an error.
func (s imports) importRows(ctx context.Context, c *api.Call, kind string, partial bool) (api.Answer, error) {
	content, err := tableFile(c)
	if err != nil {
		return api.Answer{}, err
	}
	rows, findings, err := s.readRows(ctx, c, kind, content)
	if err != nil {
		return api.Answer{}, err
	}
	report := importReport{DryRun: c.DryRun(), Counts: map[string]int{}, Findings: shownFindings(findings)}
	if faults := tables.Faults(findings); len(faults) > 0 {
		if report.DryRun {
			return api.Answer{Record: report, Private: true}, nil
		}
		return api.Answer{}, &fault.Error{
			Code: fault.RowsRefused, Message: "The file cannot be imported. No change was recorded.", Fields: faults,
		}
	}
	request, err := s.request(c, nil)
	if err != nil {
		return api.Answer{}, err
	}
	request.Command.Origin = messages.OriginImport
	imported, err := s.Memberships.Import(ctx, request, membership.File{Kind: kind, Content: content, Rows: rows, Partial: partial})
	if err != nil {
		return api.Answer{}, err
	}
	report.Accepted, report.Rows = imported.Accepted, imported.Rows
	report.count(imported.Reply)
	if report.DryRun {
		if report.Details, err = s.Describer.Details(ctx, c); err == nil {
			report.Records, err = s.rowDetails(ctx, c, kind, rows, imported.Rows)
		}
		if err != nil {
			return api.Answer{}, err
		}
	}
	if !imported.Stored {
		return api.Answer{Record: report, Private: true}, nil
	}
	answer := api.Created(report, "/organization/"+c.Organization.String()+"/journal", "")
	answer.Replayed = imported.Reply.Replayed
	return answer, nil
}

// maxFindings bounds the shown findings of each severity.
const maxFindings = 10_000

// shownFindings returns the findings about a spreadsheet.
func shownFindings(findings []sheet.Finding) []importFinding {
	shown, count := []importFinding{}, map[string]int{}
	for _, finding := range findings {
		if count[finding.Severity]++; count[finding.Severity] <= maxFindings {
			shown = append(shown, importFinding{
				finding.Severity, fault.Field{Pointer: finding.Pointer(), Code: finding.Code, Message: finding.Message}, finding.Cell,
			})
		}
	}
	return shown
}

// importPackage imports a package completely or not at all. Errors in the package are the result of a
// dry run; otherwise they become one error with all findings.
func (s imports) importPackage(ctx context.Context, c *api.Call) (api.Answer, error) {
	unlimit := sync.OnceFunc(s.LimitMemory())
	defer unlimit()
	pack, findings, err := s.readPackage(ctx, c)
	if err != nil {
		return api.Answer{}, err
	}
	read := messages.PreparePackage(pack, findings, s.NewID)
	command, err := c.Command(read.Import, nil)
	if err != nil {
		return api.Answer{}, err
	}
	command.Origin, command.Particulars, command.Decided = messages.OriginImport, read.Particulars, unlimit
	reply, err := s.Do(ctx, c, command)
	report := importReport{
		DryRun: c.DryRun(), Accepted: err == nil, Version: pack.Version, Objects: pack.Objects,
		Counts: map[string]int{}, Findings: []importFinding{},
	}
	var refusal *fault.Error
	switch {
	case err == nil:
	case c.DryRun() && errors.As(err, &refusal) && refusal.Code == fault.PackageRefused:
		for _, problem := range refusal.Fields {
			report.Findings = append(report.Findings, importFinding{Severity: "error", Field: problem})
		}
	default:
		return api.Answer{}, err
	}
	report.add(reply, read.Findings)
	if c.DryRun() {
		if report.Details, err = s.Describer.Details(ctx, c); err == nil && report.Accepted {
			report.Records, err = s.Describer.Package(ctx, c, pack.Contents())
		}
		if err != nil {
			return api.Answer{}, err
		}
		return api.Answer{Record: report, Private: true}, nil
	}
	answer := api.Created(report, "/organization/"+c.Organization.String()+"/captable", "")
	answer.Replayed = reply.Replayed
	return answer, nil
}

func (r *importReport) add(reply messages.Reply, findings ocf.Findings) {
	r.count(reply)
	for _, finding := range findings {
		if finding.Severity == ocf.Warn {
			r.Findings = append(r.Findings, importFinding{Severity: "warning", Field: finding.FieldError()})
		}
	}
}

// count counts the events by type.
func (r *importReport) count(reply messages.Reply) {
	r.Events = len(reply.Events)
	for _, event := range reply.Events {
		r.Counts[event.EventType()]++
	}
	for kind, events := range reply.Counts {
		r.Events += events
		r.Counts[kind] += events
	}
}

// readPackage reads the package in an archive or in the parts of the form.
func (s imports) readPackage(ctx context.Context, c *api.Call) (*ocf.Package, ocf.Findings, error) {
	group := c.Organization.String()
	if len(c.Files) == 1 && (c.Files[0].Field == "" || isArchive(c.Files[0])) {
		return s.Packages.Archive(ctx, group, c.Files[0])
	}
	files, names := make([]api.File, len(c.Files)), map[string]bool{}
	for i, file := range c.Files {
		file.Name = strings.ToValidUTF8(path.Base(path.Clean("/"+file.Name)), "\uFFFD")
		if names[file.Name] {
			return nil, nil, api.WrongField("/file", "duplicate", "Two files have the name "+file.Name+". Send each file once.")
		}
		files[i], names[file.Name] = file, true
	}
	return s.Packages.Files(ctx, group, files)
}

func isArchive(file api.File) bool {
	const sniffed = 512
	begin := make([]byte, sniffed)
	n, _ := file.Content.ReadAt(begin, 0)
	return strings.EqualFold(path.Ext(file.Name), ".zip") || http.DetectContentType(begin[:n]) == api.MediaZip
}
