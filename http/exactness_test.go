package http_test

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"equity/http/apitest"
)

// sequence is a file of testdata/exactness: HTTP steps, and exact values of their answers.
//
// A path or body contains values of earlier answers as {{4:pools[0].id}}, the field of the answer of step 4 (the
// first step is 1). A field path can select an element of a list by a field, as in holders[name=Ada].shares; a final
// "#" is the number of elements.
type sequence struct {
	ID         string         `json:"id"`
	Title      string         `json:"title"`
	Derivation string         `json:"derivation"`
	Steps      []sequenceStep `json:"steps"`
	Checks     []struct {
		Step   int             `json:"step"`
		Field  string          `json:"field"`
		Equals json.RawMessage `json:"equals"`
	} `json:"checks"`
}

// sequenceStep is a request with its expected status. A body that is a string is sent as CSV. AnswerOf sends the body
// of an earlier answer with its content type, and Upload a file beside the sequence.
type sequenceStep struct {
	Method   string          `json:"method"`
	Path     string          `json:"path"`
	Body     json.RawMessage `json:"body"`
	AnswerOf int             `json:"answerOf"`
	Upload   string          `json:"upload"`
	Status   int             `json:"status"`
}

func TestExactnessSequences(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/exactness/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no sequences: %v", err)
	}
	b := apitest.Setup(t)
	for i, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			t.Parallel()
			runSequence(t, b.NewPerson(t, "sequence"+strconv.Itoa(i)+"@example.com"), file)
		})
	}
}

func runSequence(t *testing.T, c *apitest.Client, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var s sequence
	if err := json.Unmarshal(text, &s); err != nil {
		t.Fatal(err)
	}
	if len(s.Checks) == 0 {
		t.Fatal("the sequence checks nothing")
	}
	var answers []apitest.Answer
	for _, step := range s.Steps {
		path, body, headers := step.request(t, filepath.Dir(file), answers)
		answers = append(answers, c.Must(t, step.Method, path, body, step.Status, headers...))
	}
	for _, check := range s.Checks {
		want := decoded(t, check.Equals)
		if got := valueAt(t, answers[check.Step-1], check.Field); got != want {
			t.Errorf("%s: %s of step %d is %v, want %v: %s", s.Title, check.Field, check.Step, got, want, s.Derivation)
		}
	}
}

// request returns the path, the body and the headers of the step.
func (s sequenceStep) request(t *testing.T, folder string, answers []apitest.Answer) (path, body string, headers []string) {
	t.Helper()
	path = filled(t, s.Path, answers)
	var csv string
	switch {
	case s.AnswerOf > 0:
		from := answers[s.AnswerOf-1]
		return path, from.Body, []string{"Content-Type", from.Header.Get("Content-Type")}
	case s.Upload != "":
		body, kind := uploaded(t, filepath.Join(folder, s.Upload))
		return path, body, []string{"Content-Type", kind}
	case s.Body == nil:
		return path, "", nil
	case json.Unmarshal(s.Body, &csv) == nil:
		return path, csv, []string{"Content-Type", "text/csv"}
	}
	return path, filled(t, string(s.Body), answers), nil
}

// uploaded returns the file as a form, and its content type.
func uploaded(t *testing.T, file string) (body, kind string) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreateFormFile("file", filepath.Base(file))
	if err != nil {
		t.Fatal(err)
	}
	_, _ = part.Write(content)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return form.String(), w.FormDataContentType()
}

// filled replaces the references to earlier answers in the text.
func filled(t *testing.T, text string, answers []apitest.Answer) string {
	t.Helper()
	return regexp.MustCompile(`\{\{(\d+):([^}]+)\}\}`).ReplaceAllStringFunc(text, func(reference string) string {
		step, field, _ := strings.Cut(strings.Trim(reference, "{}"), ":")
		n, err := strconv.Atoi(step)
		if err != nil || n > len(answers) {
			t.Fatalf("%s refers to no earlier step", reference)
		}
		value, ok := valueAt(t, answers[n-1], field).(string)
		if !ok {
			t.Fatalf("%s is no text", reference)
		}
		return value
	})
}

// valueAt returns the value at a field path of a sequence: text as it is, other JSON as compact text.
func valueAt(t *testing.T, a apitest.Answer, path string) any {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(a.Body))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%v: %s", err, a.Body)
	}
	for _, part := range regexp.MustCompile(`[^.\[\]]+=[^\]]*|[^.\[\]]+`).FindAllString(path, -1) {
		next, ok := element(value, part)
		if !ok {
			t.Fatalf("no %s of %s in %s", part, path, a.Body)
		}
		value = next
	}
	return value
}

// element returns the field, the element with an index or with a field's value, or the number of elements.
func element(value any, part string) (any, bool) {
	list, isList := value.([]any)
	field, want, selects := strings.Cut(part, "=")
	switch {
	case !isList:
		object, _ := value.(map[string]any)
		next, ok := object[part]
		return next, ok
	case part == "#":
		return json.Number(strconv.Itoa(len(list))), true
	case selects:
		for _, each := range list {
			if object, ok := each.(map[string]any); ok && object[field] == want {
				return each, true
			}
		}
		return nil, false
	}
	i, err := strconv.Atoi(part)
	if err != nil || i >= len(list) {
		return nil, false
	}
	return list[i], true
}

// decoded returns the JSON value with numbers as text.
func decoded(t *testing.T, text json.RawMessage) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return value
}
