package hooks_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"equity/hooks"
)

func TestWakeBodies(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{ // text and mode, or a refusal
		`{"text":" \n a b\u00a0\ufeff"}`:       "a b now",
		`{"text":"a","mode":"next-heartbeat"}`: "a next-heartbeat",
		`{"text":"a","mode":"NEXT-HEARTBEAT"}`: "a now",
		`{"text":"a","mode":5}`:                "a now",
		` {"text":"a"} `:                       "a now",
		"\ufeff" + `{"text":"a"}`:              "a now",
		`{"text":"a","text":"b"}`:              "b now",
		`{"text":" "}`:                         "text required",
		`{"text":5}`:                           "text required",
		`{"text":["a"]}`:                       "text required",
		`{"Text":"a"}`:                         "text required",
		``:                                     "text required",
		" \n":                                  "text required",
		`null`:                                 "text required",
		`[]`:                                   "text required",
		`[{"text":"a"}]`:                       "text required",
		`"text"`:                               "text required",
		`5`:                                    "text required",
		`true`:                                 "text required",
	} {
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			b := start(t, plainConfig, hooks.Options{})
			w := b.post("/hooks/wake", body, "Content-Type: text/plain")
			if strings.HasSuffix(want, "required") {
				refused(t, w, http.StatusBadRequest, want)
				return
			}
			if len(b.wakes) != 1 || b.wakes[0].Text+" "+b.wakes[0].Mode != want || w.Body.String() != `{"ok":true,"mode":"`+b.wakes[0].Mode+`"}` {
				t.Errorf("%d %s %+v", w.Code, w.Body, b.wakes)
			}
		})
	}
}

func TestInvalidJSONIsRefused(t *testing.T) {
	t.Parallel()
	b := start(t, plainConfig, hooks.Options{})
	for _, body := range []string{"{", `{"text":"a"}x`, `{'text':'a'}`, `{"text":"a",}`, "text=a", "NaN", `{"text":"a` + "\n" + `"}`, strings.Repeat("[", 100_000)} {
		w := b.post("/hooks/wake", body)
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), `{"ok":false,"error":"SyntaxError: `) {
			t.Errorf("%.20q: %d %s", body, w.Code, w.Body)
		}
	}
}

const channels = "channel must be last|telegram|whatsapp|discord|slack|signal|imessage|mattermost|msteams"

func TestRefusedAgentBodies(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		``:                                           "message required",
		`{"message":"  "}`:                           "message required",
		`{"message":1,"channel":"sms"}`:              "message required",
		`{"message":"a","channel":"sms"}`:            channels,
		`{"message":"a","channel":null}`:             channels,
		`{"message":"a","channel":" "}`:              channels,
		`{"message":"a","channel":""}`:               channels,
		`{"message":"a","channel":7}`:                channels,
		`{"message":"a","channel":["last"]}`:         channels,
		`{"message":"a","model":" "}`:                "model required",
		`{"message":"a","model":null}`:               "model required",
		`{"message":"a","model":5}`:                  "model required",
		`{"message":"a","channel":"sms","model":""}`: channels,
	} {
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			refused(t, start(t, plainConfig, hooks.Options{}).post("/hooks/agent", body), http.StatusBadRequest, want)
		})
	}
}

func TestAgentDefaults(t *testing.T) {
	t.Parallel()
	b := start(t, plainConfig, hooks.Options{})
	b.post("/hooks/agent", `{"message":" Do it ","name":" ","sessionKey":" ","to":5,"thinking":null,"timeoutSeconds":"9","wakeMode":"x","deliver":"false"}`)
	a := b.last(t)
	if a.Message != "Do it" || a.Name != "Hook" || a.To != "" || a.Thinking != "" || a.TimeoutSeconds != nil || a.WakeMode != "now" || !a.Deliver || a.Channel != "last" {
		t.Errorf("%+v", a)
	}
	if !regexp.MustCompile(`^hook:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(a.SessionKey) {
		t.Errorf("session %q", a.SessionKey)
	}
}

func TestAgentFields(t *testing.T) {
	t.Parallel()
	b := start(t, plainConfig, hooks.Options{})
	b.post("/hooks/agent", `{"message":"a","name":" N ","sessionKey":" k ","to":" t ","model":" p/m ","thinking":" low ","timeoutSeconds":1.9,
		"wakeMode":"next-heartbeat","deliver":false,"channel":" IMSG "}`)
	a := b.last(t)
	if a.Name != "N" || a.SessionKey != "k" || a.To != "t" || a.Model != "p/m" || a.Thinking != "low" || *a.TimeoutSeconds != 1 ||
		a.WakeMode != "next-heartbeat" || a.Deliver || a.Channel != "imessage" {
		t.Errorf("%+v", a)
	}
}

func TestChannelsAndTimes(t *testing.T) {
	t.Parallel()
	b := start(t, plainConfig, hooks.Options{})
	for given, want := range map[string]string{
		"Teams": "msteams", "LAST": "last", "Mattermost": "mattermost", "signal": "signal", "imessage": "imessage",
	} {
		if b.post("/hooks/agent", `{"message":"a","channel":"`+given+`"}`); b.last(t).Channel != want {
			t.Errorf("%s: %s", given, b.last(t).Channel)
		}
	}
	for given, want := range map[string]int64{"0": -1, "-5": -1, "0.5": 0, "30": 30, "1e400": -1, "true": -1, "null": -1, "1e30": 1 << 31} {
		b.post("/hooks/agent", `{"message":"a","timeoutSeconds":`+given+`}`)
		if got := b.last(t).TimeoutSeconds; (got == nil) != (want < 0) || got != nil && *got != want {
			t.Errorf("%s: %v", given, got)
		}
	}
}
