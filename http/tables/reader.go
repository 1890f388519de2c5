package tables

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"

	"equity/confine"
	"equity/fault"
	"equity/http/api"
	"equity/sheet"
)

// Runner runs the [Work].
type Runner interface {
	Run(ctx context.Context, group string, request io.Reader) ([]byte, error)
}

// Reader reads files in child processes. It is safe for concurrent use.
type Reader struct{ runner Runner }

// NewReader returns a Reader with the runner of its [Work].
func NewReader(runner Runner) *Reader { return &Reader{runner} }

// Read returns the tables of a file of the group, at least one. If the file is at fault, the error names its place.
func (r *Reader) Read(ctx context.Context, group string, content []byte, asked Request) (sheet.Recognition, error) {
	header, err := json.Marshal(asked)
	if err != nil {
		return sheet.Recognition{}, err
	}
	encoded, err := r.runner.Run(ctx, group, io.MultiReader(bytes.NewReader(append(header, '\n')), bytes.NewReader(content)))
	if _, hostile := errors.AsType[*confine.ContentError](err); hostile {
		message := "The file cannot be read within the limits of the server."
		if sheet.IsWorkbook(content) {
			message = "The workbook cannot be read within the limits of the server. Save it as CSV."
		}
		return sheet.Recognition{}, api.WrongField("/file", "unreadable", message)
	}
	if err != nil {
		return sheet.Recognition{}, api.NotParsed(err)
	}
	var read answer
	if err := json.Unmarshal(encoded, &read); err != nil {
		return sheet.Recognition{}, err
	}
	if refusal := read.Refusal; refusal != nil {
		pointer := "/file"
		if refusal.Line > 0 {
			pointer = "/rows/" + strconv.Itoa(refusal.Line)
		}
		return sheet.Recognition{}, api.WrongField(pointer, refusal.Code, refusal.Message)
	}
	if len(read.Found.Tables) == 0 {
		return sheet.Recognition{}, withoutTable(read.Found)
	}
	return read.Found, nil
}

// withoutTable returns the refusal of a file without a table: the errors in it, or that it has no heading.
func withoutTable(found sheet.Recognition) error {
	faults := Faults(found.Findings)
	if len(faults) == 0 {
		faults.Add("/file", "noTable", "No heading was found. The first row of a table needs the names of its columns, as in the template.")
	}
	return api.WrongFields(faults)
}

// Faults returns the findings that are errors.
func Faults(findings []sheet.Finding) fault.Fields {
	var faults fault.Fields
	for _, finding := range findings {
		if finding.Severity == sheet.SeverityError {
			faults.Add(finding.Pointer(), finding.Code, finding.Message)
		}
	}
	return faults
}
