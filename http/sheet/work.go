package sheet

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"equity/confine"
)

// Work returns the work of a child: its request is a line with a [request] in JSON and the bytes of a file, and its answer an [answer].
func Work() confine.Work {
	return confine.Work{
		Name: "table", Do: do,
		Limits: confine.Limits{Memory: 256 << 20, Processor: 15 * time.Second, Time: 20 * time.Second, Output: 64 << 20},
	}
}

type request struct {
	Rows int `json:"rows"`
}

type answer struct {
	Table   Table  `json:"table"`
	Refusal *Error `json:"refusal,omitempty"`
}

func do(in io.Reader, out io.Writer) error {
	buffered := bufio.NewReader(in)
	header, err := buffered.ReadBytes('\n')
	if err != nil {
		return err
	}
	var asked request
	if err := json.Unmarshal(header, &asked); err != nil {
		return err
	}
	content, err := io.ReadAll(buffered)
	if err != nil {
		return err
	}
	var read answer
	if read.Table, err = ReadWithin(content, asked.Rows); err != nil {
		refusal, ok := errors.AsType[*Error](err)
		if !ok {
			return err
		}
		read.Refusal = refusal
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false) // six bytes for each <
	return encoder.Encode(read)
}

// Runner runs the [Work].
type Runner interface {
	Run(ctx context.Context, group string, request io.Reader) ([]byte, error)
}

// Reader reads files in child processes. It is safe for concurrent use.
type Reader struct{ runner Runner }

// NewReader returns a Reader with the runner of its [Work].
func NewReader(runner Runner) *Reader { return &Reader{runner} }

// Read is [ReadWithin] for a file of the group. The error is an [*Error] if the file is at fault.
func (r *Reader) Read(ctx context.Context, group string, content []byte, most int) (Table, error) {
	header, err := json.Marshal(request{most})
	if err != nil {
		return Table{}, err
	}
	encoded, err := r.runner.Run(ctx, group, io.MultiReader(bytes.NewReader(append(header, '\n')), bytes.NewReader(content)))
	if _, hostile := errors.AsType[*confine.ContentError](err); hostile {
		if isWorkbook(content) {
			return Table{}, refuse(0, "unreadable", "The workbook cannot be read within the limits of the server. Save it as CSV.")
		}
		return Table{}, refuse(0, "unreadable", "The file cannot be read within the limits of the server.")
	}
	if err != nil {
		return Table{}, err
	}
	var read answer
	if err := json.Unmarshal(encoded, &read); err != nil {
		return Table{}, err
	}
	if read.Refusal != nil {
		return Table{}, read.Refusal
	}
	return read.Table, nil
}

// isWorkbook reports whether the file is an archive.
func isWorkbook(content []byte) bool {
	return strings.HasPrefix(string(content[:min(len(content), len(zipMagic))]), zipMagic)
}
