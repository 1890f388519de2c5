package mcp

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"equity/fault"
)

// Limits of a request.
const (
	// MaxBody limits the body, in bytes.
	MaxBody = 1 << 20
	// maxMessages limits a batch. Only the version 2025-03-26 of the protocol has batches.
	maxMessages = 20
	// maxDepth limits the nesting of the body.
	maxDepth = 64
	// maxAnswer limits the answers to all messages of a request, in bytes.
	maxAnswer = 16 << 20
)

// problemOf returns the limit that the body exceeds; empty within the limits. It does not check the syntax.
func problemOf(body []byte) string {
	if len(body) > MaxBody {
		return fmt.Sprintf("A request has at most %d KB.", MaxBody>>10)
	}
	depth, messages, batch := 0, 0, false
	inText, escaped := false, false
	for _, c := range body {
		switch {
		case escaped:
			escaped = false
		case inText:
			escaped, inText = c == '\\', c != '"'
		case c == '"':
			inText = true
		case c == '[' || c == '{':
			if depth == 0 {
				batch, messages = c == '[', 1
			}
			if depth++; depth > maxDepth {
				return fmt.Sprintf("A request has at most %d levels of objects and arrays.", maxDepth)
			}
		case c == ']' || c == '}':
			depth--
		case c == ',' && depth == 1:
			messages++
		}
	}
	if batch && messages > maxMessages {
		return fmt.Sprintf("A batch has at most %d messages. This one has %d: send them in several requests.", maxMessages, messages)
	}
	return ""
}

// refuse answers a request that exceeds a limit.
func refuse(w http.ResponseWriter, status int, problem string) {
	text, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": jsonrpc.CodeInvalidRequest, "message": problem},
	})
	if err != nil { // numbers and texts always encode
		return
	}
	w.Header().Set("Content-Type", mediaJSON)
	w.WriteHeader(status)
	_, _ = w.Write(text)
}

// size counts the bytes of the answer to a request. It is safe for concurrent use.
type size struct{ bytes atomic.Int64 }

// add counts bytes. It returns false, and does not count them, if the limit would be exceeded.
func (s *size) add(bytes int) bool {
	if s.bytes.Add(int64(bytes)) <= maxAnswer {
		return true
	}
	s.bytes.Add(-int64(bytes))
	return false
}

// addResult counts the JSON of a result, which the protocol sends as an object and as a text.
func (s *size) addResult(result []byte) bool {
	const escaped = len(`\u003c`) // the library escapes these characters
	object, text := len(result), len(result)
	for _, c := range result {
		switch c {
		case '<', '>', '&':
			object, text = object+escaped-1, text+escaped-1
		case '"', '\\':
			text++
		}
	}
	return s.add(object + text)
}

// errTooLarge is the refusal of a result beyond the limit.
func errTooLarge() error {
	return fault.Refuse(fault.TooLarge, fmt.Sprintf(
		"The answer to a request has at most %d MB. Restrict it with the parameters, or send the messages of a batch one by one.",
		maxAnswer>>20))
}

// errProtocol returns a refusal as an error of the protocol.
func errProtocol(refusal error) error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: refusal.Error()}
}
