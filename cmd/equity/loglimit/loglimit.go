// Package loglimit limits repeated lines of a log.
package loglimit

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"
	"unicode"
)

const (
	// Most is the number of lines with the same level, message and kind of cause that are written in a [Period].
	Most = 20
	// Period begins with the first of the lines.
	Period = time.Minute
	// mostKinds bounds the memory. Beyond it, the lines with the same level and message count together.
	mostKinds = 1000
	// longestCause is the part of a cause that decides its kind.
	longestCause = 120
)

// Handler is a [slog.Handler] that writes at most 20 warnings or errors of a kind in a minute. One line states that further ones are suppressed, and
// another one after the minute how many. Lines of lower levels, such as those about the administration of the site, are never suppressed.
type Handler struct {
	slog.Handler

	kinds *kinds
}

// kinds counts lines. All handlers of a log share it.
type kinds struct {
	to slog.Handler // without attributes

	mu     sync.Mutex
	number map[kind]int
}

type kind struct {
	level          slog.Level
	message, cause string
}

// New returns a Handler that writes to another one.
func New(to slog.Handler) *Handler {
	return &Handler{to, &kinds{to: to, number: map[kind]int{}}}
}

// Handle writes or suppresses a line.
func (h *Handler) Handle(ctx context.Context, line slog.Record) error {
	if line.Level < slog.LevelWarn {
		return h.Handler.Handle(ctx, line)
	}
	of := kind{line.Level, line.Message, causeOf(line)}
	switch number := h.kinds.count(&of); { //nolint:contextcheck // the period outlives the line
	case number <= Most:
		return h.Handler.Handle(ctx, line)
	case number == Most+1:
		return h.kinds.report(ctx, of, "further lines with this message are suppressed for a minute")
	}
	return nil
}

// WithAttrs returns a Handler that adds the attributes. Lines are of the same kind with and without them.
func (h *Handler) WithAttrs(attributes []slog.Attr) slog.Handler {
	return &Handler{h.Handler.WithAttrs(attributes), h.kinds}
}

// WithGroup returns a Handler with the group.
func (h *Handler) WithGroup(name string) slog.Handler {
	return &Handler{h.Handler.WithGroup(name), h.kinds}
}

// count returns the number of lines of the kind in this period. The cause is removed from the kind if there are too many kinds.
func (k *kinds) count(of *kind) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.number[*of] == 0 {
		if len(k.number) >= mostKinds {
			of.cause = ""
		}
		ended := *of
		if k.number[ended] == 0 {
			time.AfterFunc(Period, func() { k.end(ended) })
		}
	}
	k.number[*of]++
	return k.number[*of]
}

// end ends the period of a kind.
func (k *kinds) end(of kind) {
	k.mu.Lock()
	suppressed := k.number[of] - Most
	delete(k.number, of)
	k.mu.Unlock()
	if suppressed > 0 {
		_ = k.report(context.Background(), of, "lines with this message were suppressed", slog.Int("number", suppressed))
	}
}

func (k *kinds) report(ctx context.Context, of kind, text string, more ...slog.Attr) error {
	if !k.to.Enabled(ctx, of.level) {
		return nil
	}
	line := slog.NewRecord(time.Now(), of.level, text, 0)
	line.AddAttrs(slog.String("message", of.message))
	line.AddAttrs(more...)
	return k.to.Handle(ctx, line)
}

// causeOf returns the beginning of the cause of a line, without the words that contain a digit: ids, addresses, ports and times.
func causeOf(line slog.Record) string {
	var cause strings.Builder
	line.Attrs(func(a slog.Attr) bool {
		if a.Key != "cause" && a.Key != "error" {
			return true
		}
		text := a.Value.String()
		for word := range strings.FieldsSeq(text[:min(len(text), longestCause)]) {
			if !strings.ContainsFunc(word, unicode.IsDigit) {
				cause.WriteString(word + " ")
			}
		}
		return false
	})
	return cause.String()
}
