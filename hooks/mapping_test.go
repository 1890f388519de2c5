package hooks_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"equity/hooks"
)

// mapped returns a gateway with the mappings.
func mapped(t *testing.T, mappings string) *bundle {
	t.Helper()
	return start(t, `{"enabled":true,"token":"hook-secret","mappings":[`+mappings+`]}`, hooks.Options{Folder: t.TempDir()})
}

// quote returns the text as JSON.
func quote(text string) string {
	packed, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(packed)
}

func TestTemplates(t *testing.T) {
	t.Parallel()
	const body = `{"a":{"b":[{"c":"v","n":null}],"o":{"2":1,"x":"<é\u2028\u0001\"","1":[true,1.50,1e21,1e-7,-0]}},"t":true,"n":12.0,"big":12345678901234567890,
		"list":["p","q"],"s":"text","e":"","source":"S"}`
	for template, want := range map[string]string{
		"{{a.b[0].c}}":                 "v",
		"{{ a.b[0].c }}":               "v",
		"{{payload.a.b[0].c}}":         "v",
		"{{a.b.0.c}}":                  "v",
		"{{a.b[1].c}}|":                "|",
		"{{a.b[0].n}}|":                "|",
		"{{a.b[0].c.d}}|":              "|",
		"{{a[0]}}|":                    "|",
		"{{missing.deep[3].x}}|":       "|",
		"{{payload}}|":                 "|",
		"{{payload.}}|":                "|",
		"{{list.length}}":              "2",
		"{{a.b.length}}":               "1",
		"{{s.length}}|":                "|",
		"{{list}}":                     `["p","q"]`,
		"{{a.o}}":                      `{"1":[true,1.5,1e+21,1e-7,0],"2":1,"x":"<é` + "\u2028" + `\u0001\""}`,
		"{{t}} {{n}} {{big}}":          "true 12 12345678901234567000",
		"{{e}}|":                       "|",
		"{{path}}":                     "p/q",
		"{{now}}":                      "2026-02-03T04:05:06.789Z",
		"{{headers.x-custom}}":         "one, two",
		"{{headers.X-Custom}}|":        "|",
		"{{headers.authorization}}|":   "|",
		"{{headers.x-service-token}}|": "|",
		"{{headers.host}}":             "example.com",
		"{{query.k}}":                  "w z",
		"{{query.token}}|":             "|",
		"{{query.none}}|":              "|",
		"{{}}":                         "{{}}",
		"{{ }}|":                       "|",
		"{{a}b}}":                      "{{a}b}}",
		"{{a":                          "{{a",
		"a}}{{s}}":                     "a}}text",
		"{{{s}}}|":                     "}|",
		"{{s}}{{s}}":                   "texttext",
		"{{s\n}}":                      "text",
		" {{s}} ":                      " text ",
		"{{a.b[00].c}}":                "v",
		"{{a.b[x].c}}|":                "|",
		"{{__proto__}}|":               "|",
	} {
		t.Run(template, func(t *testing.T) {
			t.Parallel()
			b := mapped(t, `{"messageTemplate":`+quote(template+" ")+`}`)
			w := b.post("/hooks/p/q?k=v&k=w+z&token=x", body, "X-Custom: one", "X-Custom: two", "x-service-token: y")
			if strings.TrimSpace(want) == "" {
				refused(t, w, http.StatusBadRequest, "hook mapping requires message")
				return
			}
			if got := b.last(t).Message; got != want+" " {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestTemplatesOfArrays(t *testing.T) {
	t.Parallel()
	b := mapped(t, `{"messageTemplate":"{{[0].a}} {{length}} {{1}}"}`)
	if b.post("/hooks/x", `[{"a":"v"},"w"]`); b.last(t).Message != "v 2 w" {
		t.Errorf("%q", b.last(t).Message)
	}
}

func TestValuesAreNotRenderedAgain(t *testing.T) {
	t.Parallel()
	b := mapped(t, `{"messageTemplate":"{{a}}"}`)
	if b.post("/hooks/x", `{"a":"{{b}}","b":"secret"}`); b.last(t).Message != "{{b}}" {
		t.Errorf("%q", b.last(t).Message)
	}
}

func TestMappingSelection(t *testing.T) {
	t.Parallel()
	const mappings = `{"match":{"path":" /a/b// "},"messageTemplate":"path"},
		{"match":{"path":"s","source":" S "},"messageTemplate":"source"},
		{"match":{"path":"s"},"messageTemplate":"any source"},
		{"match":{"path":"wake"},"messageTemplate":"wake with a slash"},
		{"match":{"path":"agent"},"messageTemplate":"never"},
		{"match":{"source":"only"},"messageTemplate":"only source"}`
	for target, c := range map[string]struct{ body, want string }{
		"/hooks/a/b":     {`{}`, "path"},
		"/hooks//a/b///": {`{}`, "path"},
		"/hooks/A/b":     {`{}`, ""},
		"/hooks/s":       {`{"source":"S"}`, "source"},
		"/hooks/s/":      {`{"source":"s"}`, "any source"},
		"/hooks/s//":     {`{"source":" S "}`, "any source"},
		"/hooks/wake/":   {`{"text":"x"}`, "wake with a slash"},
		"/hooks/agent//": {`{}`, "never"},
		"/hooks/x":       {`{"source":"only"}`, "only source"},
		"/hooks/y":       {`{"source":["only"]}`, ""},
		"/hooks/z":       {`["only"]`, ""},
	} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			b := mapped(t, mappings)
			w := b.post(target, c.body)
			if c.want == "" {
				plainly(t, w, http.StatusNotFound, "Not Found")
			} else if got := b.last(t).Message; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestWakeAndAgentPrecedeMappings(t *testing.T) {
	t.Parallel()
	b := mapped(t, `{"messageTemplate":"mapped"}`)
	b.post("/hooks//wake", `{"text":"a"}`)
	b.post("/hooks/agent", `{"message":"direct"}`)
	if len(b.wakes) != 1 || len(b.agents) != 1 || b.agents[0].Message != "direct" {
		t.Errorf("%+v %+v", b.wakes, b.agents)
	}
	refused(t, b.post("/hooks/wake", `{}`), http.StatusBadRequest, "text required")
}

func TestFieldsOfMappings(t *testing.T) {
	t.Parallel()
	b := mapped(t, `{"match":{"path":"x"},"name":" {{n}} ","sessionKey":" k:{{n}} ","to":"{{none}}","model":"{{none}}","thinking":"{{n}}","channel":"Slack",
		"deliver":false,"wakeMode":"next-heartbeat","timeoutSeconds":7.5,"messageTemplate":"m"},
		{"match":{"path":"y"},"name":"{{none}}","sessionKey":"{{none}}","messageTemplate":"m","deliver":null},
		{"match":{"path":"z"},"channel":"sms","messageTemplate":"m"}`)
	b.post("/hooks/x", `{"n":"v"}`)
	if a := b.last(t); a.Name != "v" || a.SessionKey != "k:v" || a.To != "" || a.Model != "" || a.Thinking != "v" || a.Channel != "slack" || a.Deliver ||
		a.WakeMode != "next-heartbeat" || *a.TimeoutSeconds != 7 {
		t.Errorf("%+v", a)
	}
	b.post("/hooks/y", `{}`)
	if a := b.last(t); a.Name != "Hook" || !strings.HasPrefix(a.SessionKey, "hook:") || !a.Deliver || a.Channel != "last" || a.WakeMode != "now" {
		t.Errorf("%+v", a)
	}
	refused(t, b.post("/hooks/z", `{}`), http.StatusBadRequest, channels)
}

func TestWakeMappings(t *testing.T) {
	t.Parallel()
	b := mapped(t, `{"match":{"path":"x"},"action":"wake","textTemplate":" {{t}} ","wakeMode":"next-heartbeat","messageTemplate":"m"},
		{"match":{"path":"y"},"action":"wake","messageTemplate":"m"}`)
	w := b.post("/hooks/x", `{"t":"v"}`)
	if w.Code != http.StatusOK || w.Body.String() != `{"ok":true,"mode":"next-heartbeat"}` || b.wakes[0].Text != " v " {
		t.Errorf("%d %s %+v", w.Code, w.Body, b.wakes)
	}
	refused(t, b.post("/hooks/y", `{}`), http.StatusBadRequest, "hook mapping requires text")
}

func TestPresetFollowsMappings(t *testing.T) {
	t.Parallel()
	b := start(t, `{"enabled":true,"token":"hook-secret","presets":["gmail","unknown"],"mappings":[{"match":{"path":"gmail","source":"mine"},"messageTemplate":"own"}]}`, hooks.Options{})
	if b.post("/hooks/gmail", `{"source":"mine"}`); b.last(t).Message != "own" {
		t.Errorf("%q", b.last(t).Message)
	}
	b.post("/hooks/gmail", `{}`)
	if a := b.last(t); a.Message != "New email from \nSubject: \n\n" || a.Name != "Gmail" || a.SessionKey != "hook:gmail:" {
		t.Errorf("%+v", a)
	}
}

func FuzzBodies(f *testing.F) {
	for _, seed := range []string{`{"a":[{"b":1e400}]}`, `[`, `"\ud800"`, `{"a":{"1":2,"0":"\u0000"}}`, "null", "{\"\":\"\"}"} {
		f.Add(seed, "{{a[0].b}}{{ payload. }}{{{a}}}")
	}
	f.Fuzz(func(t *testing.T, body, template string) {
		b := mapped(t, `{"messageTemplate":`+quote("x"+template)+`}`)
		w := b.post("/hooks/x", body)
		switch w.Code {
		case http.StatusAccepted:
			if !json.Valid(w.Body.Bytes()) || !strings.HasPrefix(b.last(t).Message, "x") {
				t.Errorf("%s %q", w.Body, b.last(t).Message)
			}
		case http.StatusBadRequest:
			if json.Valid([]byte(body)) {
				t.Errorf("valid JSON was refused: %s", w.Body)
			}
		default:
			t.Errorf("%d %s", w.Code, w.Body)
		}
	})
}
