package anthropic

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"equity/actors/assistant"
)

// typeToolUse is the type of a block with a call of a tool.
const typeToolUse = "tool_use"

// event is an event of the stream.
type event struct {
	Type    string `json:"type"`
	Index   int    `json:"index"`
	Message struct {
		Usage usage `json:"usage"`
	} `json:"message"`
	ContentBlock block `json:"content_block"`
	Delta        struct {
		Type        string `json:"type"`
		Text        string `json:"text"`
		PartialJSON string `json:"partial_json"`
	} `json:"delta"`
	Usage usage `json:"usage"`
	Error struct {
		Type string `json:"type"`
	} `json:"error"`
}

type usage struct {
	InputTokens  int64 `json:"input_tokens"`
	OutputTokens int64 `json:"output_tokens"`
}

// read reads the stream of a message.
func read(from io.Reader, text func(part string)) (assistant.Completion, error) {
	r := reader{text: text, calls: map[int]int{}}
	lines := bufio.NewScanner(from)
	const longest = 1 << 20
	lines.Buffer(nil, longest)
	for lines.Scan() {
		data, found := strings.CutPrefix(lines.Text(), "data:")
		if !found {
			continue
		}
		var one event
		if err := json.Unmarshal([]byte(data), &one); err != nil {
			return r.made, fmt.Errorf("%w: an event is not JSON", assistant.ErrProvider)
		}
		if one.Type == "error" {
			return r.made, assistant.NewServiceError(0, one.Error.Type)
		}
		r.add(one)
	}
	if err := lines.Err(); err != nil {
		return r.made, fmt.Errorf("%w: %w", assistant.ErrProvider, err)
	}
	if !r.finished {
		return r.made, fmt.Errorf("%w: the answer ended early", assistant.ErrProvider)
	}
	return r.made, nil
}

// reader collects a message.
type reader struct {
	made     assistant.Completion
	text     func(part string)
	calls    map[int]int // the position of a call by the index of its block
	input    int64
	finished bool
}

func (r *reader) add(one event) {
	switch one.Type {
	case "message_start":
		r.input = one.Message.Usage.InputTokens
		r.made.Tokens = r.input
	case "content_block_start":
		if one.ContentBlock.Type == typeToolUse {
			r.calls[one.Index] = len(r.made.Calls)
			r.made.Calls = append(r.made.Calls, assistant.Call{ID: one.ContentBlock.ID, Name: one.ContentBlock.Name})
		}
	case "content_block_delta":
		if one.Delta.Text != "" {
			r.made.Text += one.Delta.Text
			if r.text != nil {
				r.text(one.Delta.Text)
			}
		}
		if at, found := r.calls[one.Index]; found {
			r.made.Calls[at].Arguments = append(r.made.Calls[at].Arguments, one.Delta.PartialJSON...)
		}
	case "message_delta":
		r.made.Tokens = r.input + one.Usage.OutputTokens
	case "message_stop":
		r.finished = true
	}
}
