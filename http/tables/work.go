package tables

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"equity/confine"
	"equity/sheet"
)

// Work returns the work of a child: its request is a line with a [Request] in JSON and the bytes of a file, and its answer an [answer].
func Work() confine.Work {
	return confine.Work{
		Name: "table", Do: do,
		Limits: confine.Limits{Memory: 256 << 20, Processor: 15 * time.Second, Time: 20 * time.Second, Output: 64 << 20},
	}
}

// Request selects what is read from a file.
type Request struct {
	// Options contain the maximum number of records, too.
	Options  sheet.Options  `json:"options"`
	Question sheet.Question `json:"question"`
}

type answer struct {
	Found   sheet.Recognition `json:"found"`
	Refusal *sheet.Error      `json:"refusal,omitempty"`
}

func do(in io.Reader, out io.Writer) error {
	buffered := bufio.NewReader(in)
	header, err := buffered.ReadBytes('\n')
	if err != nil {
		return err
	}
	var asked Request
	if err := json.Unmarshal(header, &asked); err != nil {
		return err
	}
	content, err := io.ReadAll(buffered)
	if err != nil {
		return err
	}
	var read answer
	if read.Found, err = recognize(content, asked); err != nil {
		refusal, ok := errors.AsType[*sheet.Error](err)
		if !ok {
			return err
		}
		read = answer{Refusal: refusal}
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false) // six bytes for each <
	return encoder.Encode(read)
}

// recognize returns the tables of a file. The error is a [*sheet.Error] if the file is at fault.
func recognize(content []byte, asked Request) (sheet.Recognition, error) {
	registry, err := sheet.NewRegistry()
	if err != nil {
		return sheet.Recognition{}, err
	}
	book, err := sheet.Read(content, asked.Options)
	if err != nil {
		return sheet.Recognition{}, err
	}
	if !slices.ContainsFunc(
		book.Sheets, func(s sheet.Sheet) bool { return len(s.Rows) > 0 || s.Refusal != nil },
	) && len(book.Findings) == 0 {
		return sheet.Recognition{}, &sheet.Error{Code: "empty", Message: "The file is empty."}
	}
	found := registry.Tables(book, asked.Question)
	records := 0
	for _, table := range found.Tables {
		records += len(table.Records)
		if limit := asked.Options.Rows; records > limit {
			line := table.Records[len(table.Records)-1-(records-limit-1)].Row
			return sheet.Recognition{}, &sheet.Error{
				Line: line, Code: "tooLarge", Message: fmt.Sprintf("A file has at most %d rows.", limit),
			}
		}
	}
	return found, nil
}
