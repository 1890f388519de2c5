package member

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"equity/captable/exact"
	"equity/fault"
	"equity/http/api"
	"equity/http/tables"
	"equity/membership"
	"equity/sheet"
)

// sentTable reports whether the upload is a spreadsheet and not a package.
func sentTable(c *api.Call) bool {
	ends := []string{".csv", ".tsv", ".xlsx", ".xlsm", ".xls", ".xlsb", ".ods"}
	return strings.HasPrefix(c.Header("Content-Type"), api.MediaCSV) ||
		len(c.Files) == 1 && slices.Contains(ends, strings.ToLower(path.Ext(c.Files[0].Name)))
}

// tableFile returns the single uploaded file.
func tableFile(c *api.Call) ([]byte, error) {
	var found *api.File
	for _, file := range c.Files {
		if file.Field != "" && file.Field != "file" {
			continue
		}
		if found != nil {
			return nil, api.WrongField("/file", "tooMany", "Send one file at a time.")
		}
		found = &file
	}
	if found == nil {
		return nil, fault.Refuse(fault.MissingFile, "The form has no file. Send at least one file.")
	}
	content, err := found.Bytes()
	if err != nil {
		return nil, fmt.Errorf("read the uploaded file: %w", err)
	}
	return content, nil
}

// readRows reads the rows of the kind in the file, with the findings about it.
func (s imports) readRows(ctx context.Context, c *api.Call, kind string, file []byte) ([]membership.Row, []sheet.Finding, error) {
	question := membership.QuestionOf(kind, c.Present.State, exact.DateOf(c.At))
	question.Numbers, question.Dates = sheet.Format(c.Query("numberFormat")), sheet.Format(c.Query("dateFormat"))
	question.Sheet = c.Query("sheet")
	found, err := s.Tables.Read(ctx, c.Organization.String(), file, tables.Request{
		Options: sheet.Options{Encoding: c.Query("encoding"), Rows: s.Imports.Rows}, Question: question,
	})
	if err != nil {
		return nil, nil, err
	}
	rows, findings := membership.RowsOf(kind, found, c.Query("issueDate"))
	return rows, findings, nil
}

// getImportTemplate returns an empty file with the heading, in the format that spreadsheet programs
// expect.
func (s imports) getImportTemplate(ctx context.Context, c *api.Call) (api.Answer, error) {
	kind := c.Query("kind")
	if c.Query("file") == "last" {
		return s.getLastImport(ctx, c, kind)
	}
	body := "\ufeff" + strings.Join(membership.Columns(kind), ",") + "\r\n"
	return s.Download(c, api.ContentCSV, kind+".csv", func() ([]byte, error) { return []byte(body), nil })
}

// getLastImport returns the last imported file of the kind.
func (s imports) getLastImport(ctx context.Context, c *api.Call, kind string) (api.Answer, error) {
	content, err := s.Memberships.LastFile(ctx, c.Organization, c.Permissions, kind)
	if err != nil {
		return api.Answer{}, err
	}
	tag := c.ContentTag(0, string(content))
	if c.Unchanged(tag) {
		return api.NotModified(tag), nil
	}
	answer := api.Answer{Rendered: content, ContentType: api.ContentCSV, FileName: kind + ".csv", ETag: tag}
	if bytes.HasPrefix(content, []byte("PK")) { // an archive; XLSX files are archives
		answer.ContentType, answer.FileName = api.ContentXLSX, kind+".xlsx"
	}
	return answer, nil
}
