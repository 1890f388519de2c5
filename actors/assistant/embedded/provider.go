package embedded

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"equity/actors/assistant"
	"equity/messages"
)

// Provider recognizes commands.
type Provider struct {
	now      func() time.Time
	commands []command
}

// New returns a Provider. Days without a date are today.
func New(now func() time.Time) *Provider { return &Provider{now, commands()} }

// Name returns the name of the provider.
func (*Provider) Name() string { return "embedded" }

// Model returns the name of the grammar.
func (*Provider) Model() string { return "grammar" }

// Complete returns the next calls of the command in the last message of the user, or its answer.
func (p *Provider) Complete(_ context.Context, prompt assistant.Prompt, text func(part string)) (assistant.Completion, error) {
	question, results := lastQuestion(prompt.Messages)
	work := &work{today: p.now().UTC().Format(time.DateOnly), results: results}
	p.answer(work, question)
	if len(work.calls) == 0 && text != nil {
		text(work.text)
	}
	return assistant.Completion{Text: work.text, Calls: work.calls}, nil
}

// answer carries out the command of the question as far as the results allow.
func (p *Provider) answer(w *work, question string) {
	question = strings.TrimRight(strings.Join(strings.Fields(question), " "), " .!?")
	for _, c := range p.commands {
		if found := c.form.FindStringSubmatch(question); found != nil {
			c.run(w, found[1:])
			return
		}
	}
	w.say("I understand these commands:\n" + p.list())
}

// list returns the commands with one line each.
func (p *Provider) list() string {
	var lines []string
	for _, c := range p.commands {
		if c.example != "" {
			lines = append(lines, "- "+c.example)
		}
	}
	return strings.Join(lines, "\n")
}

// lastQuestion returns the last text of the user and the results of the calls after it.
func lastQuestion(all []assistant.Message) (string, []assistant.Result) {
	var results []assistant.Result
	for _, one := range slices.Backward(all) {
		if one.Role == messages.RoleUser && len(one.Results) == 0 {
			return one.Text, results
		}
		results = slices.Concat(one.Results, results)
	}
	return "", results
}

// work is the progress of a command.
type work struct {
	today   string
	results []assistant.Result
	used    int // the number of results that the command has read
	calls   []assistant.Call
	text    string
}

// ended reports whether the command waits for results or has an answer.
func (w *work) ended() bool { return len(w.calls) > 0 || w.text != "" }

// say ends the command with an answer.
func (w *work) say(text string) { w.text = text }

// call returns the result of the next call, decoded into the target. Without a result, the call is requested. It reports whether the
// command can continue.
func (w *work) call(name string, arguments map[string]any, target any) bool {
	if w.ended() {
		return false
	}
	if w.used == len(w.results) {
		encoded, err := json.Marshal(arguments)
		if err != nil {
			w.say("The command cannot be encoded.")
			return false
		}
		w.calls = append(w.calls, assistant.Call{ID: "call" + strconv.Itoa(w.used+1), Name: name, Arguments: encoded})
		return false
	}
	result := w.results[w.used]
	w.used++
	if result.Failed {
		w.say(refusal(result.Body))
		return false
	}
	if target != nil && json.Unmarshal(result.Body, target) != nil {
		w.say("The answer of the operation " + name + " cannot be read.")
		return false
	}
	return true
}

// propose requests a change. The answer states that it waits for its confirmation, or that it was carried out.
func (w *work) propose(name string, arguments map[string]any, summary string) {
	if !w.call(name, arguments, nil) {
		return
	}
	if w.results[w.used-1].Waiting {
		w.say(summary + "\nPlease check and confirm this change.")
		return
	}
	w.say(summary + "\nDone.")
}

// refusal returns the text of a refused operation.
func refusal(body []byte) string {
	var told struct {
		Error   string `json:"error"`
		Message string `json:"message"`
		Errors  []struct {
			Pointer string `json:"pointer"`
			Message string `json:"message"`
		} `json:"errors"`
	}
	if json.Unmarshal(body, &told) != nil {
		return "The operation was refused."
	}
	text := told.Message
	if text == "" {
		text = told.Error
	}
	lines := []string{text}
	for _, field := range told.Errors {
		lines = append(lines, strings.TrimPrefix(strings.ReplaceAll(field.Pointer, "/", " "), " ")+": "+field.Message)
	}
	return strings.Join(lines, "\n")
}
