package http

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"

	"equity/captable"
	"equity/captable/ocf"
	"equity/messages"
	"equity/organization"
)

// importHandlers maps operation ids to the handlers of imports.
func (s *Server) importHandlers() map[string]Handler {
	return map[string]Handler{
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
	Rows []importedRow `json:"rows,omitempty"`
}

// importFinding is an error or a warning.
type importFinding struct {
	Severity string `json:"severity"`
	captable.FieldError
}

// importFile imports rows if the request has a kind, else a package.
func (s *Server) importFile(ctx context.Context, c *Call) (Answer, error) {
	switch kind := c.Query("kind"); {
	case !c.mayImport(kind):
		return Answer{}, errForbidden()
	case kind != "":
		return s.importRows(ctx, c, kind, false)
	case c.sentTable():
		return Answer{}, wrongField("/query/kind", "required", "Choose the kind of the rows: shareholdings, members or options.")
	default:
		return s.importPackage(ctx, c)
	}
}

// mayImport reports whether the caller may import rows of the kind, or a package if the kind is empty.
// The guard admits callers with any of the permissions.
func (c *Call) mayImport(kind string) bool {
	switch kind {
	case kindMembers:
		return c.Can(organization.EditMembers)
	case kindOptions:
		return c.Can(organization.EditCapTable) || c.Can(organization.EditIncentivePlan)
	default:
		return c.Can(organization.EditCapTable)
	}
}

// importPackage imports a package completely or not at all. Errors in the package are the result of a
// dry run; otherwise they become one error with all findings.
func (s *Server) importPackage(ctx context.Context, c *Call) (Answer, error) {
	files, err := c.uploaded()
	if err != nil {
		return Answer{}, err
	}
	pack, findings := ocf.ReadWithin(files, s.settings.Imports.packageLimits())
	pack.Prepare(s.newID)
	command, err := c.command(organization.ImportPackage{Package: pack}, nil)
	if err != nil {
		return Answer{}, err
	}
	for _, p := range pack.Particulars() {
		command.Particulars = append(command.Particulars, messages.Particular(p))
	}
	reply, err := s.organizations.Do(ctx, command)
	report := importReport{
		DryRun: c.DryRun(), Accepted: err == nil, Version: pack.Version, Objects: pack.Objects, Events: len(reply.Events),
		Counts: map[string]int{}, Findings: []importFinding{},
	}
	var refusal *captable.Error
	switch {
	case err == nil:
	case c.DryRun() && errors.As(err, &refusal) && refusal.Code == organization.CodePackageRefused:
		for _, fault := range refusal.Fields {
			report.Findings = append(report.Findings, importFinding{"error", fault})
		}
	default:
		return Answer{}, fmt.Errorf("import into %s: %w", c.Organization, err)
	}
	report.add(reply, findings)
	if c.DryRun() {
		return Answer{Record: report, Private: true}, nil
	}
	answer := created(report, "/organization/"+c.Organization.String()+"/captable", "")
	answer.Replayed = reply.Replayed
	return answer, nil
}

func (r *importReport) add(reply messages.Reply, findings ocf.Findings) {
	for _, event := range reply.Events {
		r.Counts[event.EventType()]++
	}
	for _, finding := range findings {
		if finding.Severity == ocf.Warn {
			r.Findings = append(r.Findings, importFinding{"warning", finding.FieldError()})
		}
	}
}

// uploaded returns the files of the package, from an archive or from the parts of the form.
func (c *Call) uploaded() (fs.FS, error) {
	if len(c.Files) == 1 && (c.Files[0].Field == "" || isArchive(c.Files[0])) {
		archive, err := zip.NewReader(bytes.NewReader(c.Files[0].Content), int64(len(c.Files[0].Content)))
		if err != nil {
			return nil, wrongField("/file", "unreadable", "The file is not a valid zip archive.")
		}
		return archive, nil
	}
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for _, file := range c.Files {
		entry, err := w.CreateHeader(&zip.FileHeader{Name: path.Base(path.Clean("/" + file.Name)), Method: zip.Store})
		if err == nil {
			_, err = entry.Write(file.Content)
		}
		if err != nil {
			return nil, fmt.Errorf("pack the uploaded files: %w", err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("pack the uploaded files: %w", err)
	}
	return zip.NewReader(bytes.NewReader(packed.Bytes()), int64(packed.Len()))
}

func isArchive(file File) bool {
	return strings.EqualFold(path.Ext(file.Name), ".zip") || http.DetectContentType(file.Content) == mediaZip
}
