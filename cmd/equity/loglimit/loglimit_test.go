package loglimit_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"equity/cmd/equity/loglimit"
)

// lines are the written lines. The limit writes some of them in goroutines of its own.
type lines struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (l *lines) Write(text []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(text)
}

// take returns the lines since the last call.
func (l *lines) take() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	defer l.text.Reset()
	return l.text.String()
}

// setup returns a limited log and its lines.
func setup() (*slog.Logger, *lines) {
	written := new(lines)
	return slog.New(loglimit.New(slog.NewTextHandler(written, nil))), written
}

func TestRepeatedLinesAreLimitedAndTheirNumberIsStated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log, lines := setup()
		for i := range loglimit.Most + 30 {
			log.With("organization", i).Warn("not stored", "cause", fmt.Errorf("dial 127.0.0.1:%d: refused", i)) //nolint:err113 // a text
		}
		first := lines.take()
		if written := strings.Count(first, `msg="not stored"`); written != loglimit.Most {
			t.Errorf("%d lines were written", written)
		}
		if !strings.Contains(first, "further lines with this message are suppressed") {
			t.Error("the log does not state that lines are suppressed")
		}
		time.Sleep(loglimit.Period)
		synctest.Wait()
		if text := lines.take(); strings.Count(text, "\n") != 1 || !strings.Contains(text, `message="not stored" number=30`) {
			t.Errorf("after the minute: %s", text)
		}
		log.Warn("not stored", "cause", errors.New("dial 127.0.0.1:9: refused")) //nolint:err113 // a text
		if !strings.Contains(lines.take(), `msg="not stored"`) {
			t.Error("the next minute has no line")
		}
		time.Sleep(loglimit.Period)
		synctest.Wait()
		if text := lines.take(); strings.Contains(text, "suppressed") {
			t.Errorf("without a suppressed line: %s", text)
		}
	})
}

func TestOtherLinesAreWrittenBesideARepeatedOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log, lines := setup()
		for range 2 * loglimit.Most {
			log.Warn("not stored", "cause", "disk is full")
		}
		lines.take()
		log.Warn("not stored", "cause", "permission denied")
		log.Error("not stored", "cause", "disk is full")
		log.Warn("not read", "cause", "disk is full")
		if text := lines.take(); strings.Count(text, "\n") != 3 {
			t.Errorf("the lines are: %s", text)
		}
	})
}

func TestLinesBelowWarningsAreNotLimited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log, lines := setup()
		for range 100 {
			log.Info("site administration", "operation", "blockAddress")
		}
		if written := strings.Count(lines.take(), "\n"); written != 100 {
			t.Errorf("%d lines", written)
		}
	})
}

func TestManyCausesOfAMessageAreLimitedTogether(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log, lines := setup()
		word := func(i int) string {
			return strings.Map(func(c rune) rune { return c + 'a' - '0' }, strconv.Itoa(i))
		}
		for i := range 3000 {
			log.Warn("not stored", "cause", word(i))
		}
		if written := strings.Count(lines.take(), `msg="not stored"`); written > 1000+loglimit.Most {
			t.Errorf("%d lines", written)
		}
	})
}
