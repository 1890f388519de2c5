package system_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"equity/actors/system"
)

func TestLibraryIsQuiet(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	log := slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{Level: slog.LevelDebug}))
	library := system.New(log).Logger()
	for _, logger := range []*slog.Logger{library, library.With("a", 1), library.WithGroup("g")} {
		logger.Debug("quiet")
		logger.Info("quiet")
		logger.Warn("heard", "b", 2)
	}
	if got := text.String(); strings.Contains(got, "level=INFO") || strings.Contains(got, "quiet") || strings.Count(got, "heard") != 3 {
		t.Errorf("logged\n%s", got)
	}
	log.Info("its own")
	if !strings.Contains(text.String(), "its own") {
		t.Error("the logger that was given is quiet too")
	}
}

func TestLoggerThatWantsLessStaysSo(t *testing.T) {
	t.Parallel()
	var text bytes.Buffer
	log := slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{Level: slog.LevelError}))
	system.New(log).Logger().Warn("too little")
	if text.Len() > 0 {
		t.Errorf("logged %s", text.String())
	}
}
