package loglimit_test

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"equity/cmd/equity/loglimit"
)

// setup returns a limited log and its lines.
func setup() (*slog.Logger, *bytes.Buffer) {
	var lines bytes.Buffer
	return slog.New(loglimit.New(slog.NewTextHandler(&lines, nil))), &lines
}

func TestRepeatedLinesAreLimitedAndTheirNumberIsStated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		log, lines := setup()
		for i := range loglimit.Most + 30 {
			log.With("organization", i).Warn("not stored", "cause", fmt.Errorf("dial 127.0.0.1:%d: refused", i)) //nolint:err113 // a text
		}
		if written := strings.Count(lines.String(), `msg="not stored"`); written != loglimit.Most {
			t.Errorf("%d lines were written", written)
		}
		if !strings.Contains(lines.String(), "further lines with this message are suppressed") {
			t.Error("the log does not state that lines are suppressed")
		}
		lines.Reset()
		time.Sleep(loglimit.Period)
		synctest.Wait()
		if text := lines.String(); strings.Count(text, "\n") != 1 || !strings.Contains(text, `message="not stored" number=30`) {
			t.Errorf("after the minute: %s", text)
		}
		lines.Reset()
		log.Warn("not stored", "cause", errors.New("dial 127.0.0.1:9: refused")) //nolint:err113 // a text
		if !strings.Contains(lines.String(), `msg="not stored"`) {
			t.Error("the next minute has no line")
		}
		time.Sleep(loglimit.Period)
		synctest.Wait()
		if strings.Contains(lines.String(), "suppressed") {
			t.Errorf("without a suppressed line: %s", lines)
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
		lines.Reset()
		log.Warn("not stored", "cause", "permission denied")
		log.Error("not stored", "cause", "disk is full")
		log.Warn("not read", "cause", "disk is full")
		if written := strings.Count(lines.String(), "\n"); written != 3 {
			t.Errorf("%d lines: %s", written, lines)
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
		if written := strings.Count(lines.String(), "\n"); written != 100 {
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
		if written := strings.Count(lines.String(), `msg="not stored"`); written > 1000+loglimit.Most {
			t.Errorf("%d lines", written)
		}
	})
}
