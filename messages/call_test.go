package messages_test

import (
	"errors"
	"testing"
	"time"

	"equity/messages"
)

// noon is the time of the first call.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// minuteWindows permit three calls and one run in a minute, and a destructive call in an hour.
func minuteWindows() []messages.CallWindow {
	return []messages.CallWindow{
		{Kinds: []messages.CallKind{"wake", "run"}, Limit: 3, Span: time.Minute},
		{Kinds: []messages.CallKind{"run"}, Limit: 1, Span: time.Minute},
		{Kinds: []messages.CallKind{"destructive"}, Limit: 1, Span: time.Hour},
	}
}

func TestCallsAreAdmittedWithinEachWindow(t *testing.T) {
	t.Parallel()
	type call struct {
		kind  messages.CallKind
		after time.Duration
		retry time.Duration // of a refusal; 0 for an admitted call
	}
	for name, calls := range map[string][]call{
		"the shared window is full": {
			{"wake", 0, 0},
			{"wake", 10 * time.Second, 0},
			{"run", 20 * time.Second, 0},
			{"wake", 30 * time.Second, time.Minute},
			{"wake", time.Minute, 0},
			{"wake", 61 * time.Second, 70 * time.Second},
		},
		"the window of runs is full": {{"run", 0, 0}, {"run", time.Second, time.Minute}, {"wake", 2 * time.Second, 0}},
		"a call of the same second":  {{"wake", 0, 0}, {"wake", 0, 0}, {"wake", 0, 0}, {"wake", 0, time.Minute}},
		"a part of a second": {
			{"run", time.Millisecond, 0}, {"run", time.Minute, 61 * time.Second}, {"run", 61 * time.Second, 0},
		},
		"a longer window outlives shorter ones": {
			{"destructive", 0, 0}, {"wake", 50 * time.Minute, 0}, {"destructive", 59 * time.Minute, time.Hour},
		},
		"a call of a clock that is far ahead":        {{"run", 24 * time.Hour, 0}, {"run", 0, 0}},
		"a call of a clock that is a little ahead":   {{"run", time.Second, 0}, {"run", 0, 61 * time.Second}},
		"a window without a limit permits the kinds": {{"read", 0, 0}, {"read", 0, 0}, {"read", 0, 0}, {"read", 0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log messages.Calls
			for i, c := range calls {
				admitted, err := log.Admit(c.kind, noon.Add(c.after), minuteWindows())
				limit, refused := errors.AsType[*messages.CallLimitError](err)
				switch {
				case refused != (c.retry != 0):
					t.Fatalf("call %d: %v", i, err)
				case refused && !noon.Add(c.after+limit.After).Equal(noon.Add(c.retry)):
					t.Errorf("call %d can be repeated after %v", i, limit.After)
				}
				log = admitted
			}
		})
	}
}

func TestLimitOfZeroRefusesEachCall(t *testing.T) {
	t.Parallel()
	_, err := messages.Calls(nil).Admit("run", noon, []messages.CallWindow{{Kinds: []messages.CallKind{"run"}, Span: time.Minute}})
	if limit, ok := errors.AsType[*messages.CallLimitError](err); !ok || limit.After != time.Minute {
		t.Errorf("%v", err)
	}
}

func TestRecordsOfCallsHaveTheSizeOfTheirWindows(t *testing.T) {
	t.Parallel()
	windows := []messages.CallWindow{{Kinds: []messages.CallKind{"run"}, Limit: 1_000_000, Span: time.Minute}}
	var log messages.Calls
	for i := range 20_000 {
		log, _ = log.Admit("run", noon.Add(time.Duration(i)*10*time.Millisecond), windows)
	}
	now := noon.Add(200 * time.Second)
	if left := windows[0].Limit - log.Left(windows[0], now); len(log) > 61 || left < 5900 || left > 6100 {
		t.Errorf("%d records of %d calls", len(log), left)
	}
}
