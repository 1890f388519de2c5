package hooks_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"equity/confine"
	"equity/hooks"
	"equity/hooks/transform"
)

// transformed returns a gateway with a mapping whose module has the source. Fields are further fields of the mapping.
func transformed(t *testing.T, name, source, fields string) *bundle {
	t.Helper()
	folder := t.TempDir()
	write(t, filepath.Join(folder, "modules", name), source)
	return start(t, `{"enabled":true,"token":"hook-secret","transformsDir":"modules","mappings":[{"transform":{"module":"`+name+`"}`+fields+`}]}`,
		hooks.Options{Folder: folder})
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestTransformsOverrideFields(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, source, want string }{
		"default export":      {"a.mjs", `export default ({payload}) => ({message: "Ping " + payload.name})`, "Ping Ada"},
		"named transform":     {"a.mjs", `export function transform({payload}) { return {message: payload.name}; }`, "Ada"},
		"default wins":        {"a.js", `export default () => ({message:"d"}); export const transform = () => ({message:"t"})`, "d"},
		"CommonJS":            {"a.cjs", `module.exports = (c) => ({message: c.path})`, "x/y"},
		"CommonJS, named":     {"a.js", `exports.transform = (c) => ({message: c.path})`, "x/y"},
		"TypeScript":          {"a.ts", `interface C { payload: { name: string } } export default async (c: C): Promise<object> => ({ message: c.payload?.name ?? "none" });`, "Ada"},
		"promise":             {"a.js", `export default () => new Promise((done) => setTimeout(() => done({message: "late"}), 50))`, "late"},
		"headers":             {"a.js", `export default ({headers}) => ({message: headers["x-custom"] + headers.authorization + headers["x-service-token"]})`, "cundefinedundefined"},
		"address":             {"a.js", `export default ({url}) => ({message: url.pathname + url.searchParams.get("k") + url.searchParams.get("token") + url.href})`, "/hooks/x/yv wnullhttp://example.com/hooks/x/y?k=v+w"},
		"undefined":           {"a.js", `export default () => {}`, "base"},
		"false":               {"a.js", `export default () => false`, "base"},
		"text":                {"a.js", `export default () => "text"`, "base"},
		"empty object":        {"a.js", `export default () => ({})`, "base"},
		"null field":          {"a.js", `export default () => ({message: null, name: undefined})`, "base"},
		"message of a number": {"a.js", `export default () => ({message: 5})`, "base"},
		"not trimmed":         {"a.js", `export default () => ({message: " a "})`, " a "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := transformed(t, c.file, c.source, `,"messageTemplate":"base"`)
			w := b.post("/hooks/x/y?k=v+w&token=z", `{"name":"Ada"}`, "X-Custom: c", "x-service-token: s")
			if w.Code != http.StatusAccepted || b.last(t).Message != c.want {
				t.Errorf("%d %s %+v", w.Code, w.Body, b.agents)
			}
		})
	}
}

// busy has no place for a child.
type busy struct{}

func (busy) Run(context.Context, string, io.Reader) ([]byte, error) {
	return nil, &confine.BusyError{RetryAfter: 1500 * time.Millisecond}
}

func TestFullQueueOfTransformsIsRefusedWithRetryAfter(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write(t, filepath.Join(folder, "a.js"), `export default () => ({})`)
	b := start(t, `{"enabled":true,"token":"hook-secret","transformsDir":".","mappings":[{"transform":{"module":"a.js"},"messageTemplate":"m"}]}`,
		hooks.Options{Folder: folder, Transformer: transform.NewRunner(busy{})})
	w := b.post("/hooks/x", `{}`)
	refused(t, w, http.StatusTooManyRequests, "rate limited")
	if got := w.Header().Get("Retry-After"); got != "2" {
		t.Errorf("Retry-After %q", got)
	}
}

func TestTransformChangesTheKind(t *testing.T) {
	t.Parallel()
	b := transformed(t, "a.mjs", "export default ({ payload }) => ({ kind: 'wake', text: `Ping ${payload.name}`, mode: 'next-heartbeat' });", "")
	w := b.post("/hooks/x", `{"name":"Ada"}`)
	if w.Code != http.StatusOK || len(b.wakes) != 1 || b.wakes[0].Text != "Ping Ada" || b.wakes[0].Mode != "next-heartbeat" {
		t.Errorf("%d %s %+v", w.Code, w.Body, b.wakes)
	}
	b = transformed(t, "a.js", `export default () => ({kind: "agent"})`, `,"action":"wake","textTemplate":"t"`)
	refused(t, b.post("/hooks/x", `{}`), http.StatusBadRequest, "hook mapping requires message")
}

func TestTransformOverridesEachField(t *testing.T) {
	t.Parallel()
	b := transformed(t, "a.js", `export default () => ({message: "m", name: 7, sessionKey: " k ", to: "t", model: "p/m", thinking: "high", channel: "teams",
		deliver: false, wakeMode: "next-heartbeat", timeoutSeconds: 3.7, agentId: "hooks"})`, `,"name":"N","timeoutSeconds":9`)
	b.post("/hooks/x", `{}`)
	if a := b.last(t); a.Name != "7" || a.SessionKey != "k" || a.To != "t" || a.Model != "p/m" || a.Thinking != "high" || a.Channel != "msteams" || a.Deliver ||
		a.WakeMode != "next-heartbeat" || *a.TimeoutSeconds != 3 || a.Agent != "hooks" {
		t.Errorf("%+v", a)
	}
	b = transformed(t, "a.js", `export default () => ({message: "m", channel: "sms"})`, "")
	refused(t, b.post("/hooks/x", `{}`), http.StatusBadRequest, channels)
}

func TestNullTransformIsHandled(t *testing.T) {
	t.Parallel()
	b := transformed(t, "a.ts", `export default async () => null`, `,"messageTemplate":"base"`)
	if w := b.post("/hooks/x", `{}`); w.Code != http.StatusNoContent || w.Body.Len() > 0 || len(b.events) > 0 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

func TestNamedExport(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write(t, filepath.Join(folder, "sub/a.js"), `import {greet} from "./lib/greet"; export const named = () => ({message: greet}); export default () => null;`)
	write(t, filepath.Join(folder, "sub/lib/greet.ts"), `export const greet: string = "hello";`)
	b := start(t, `{"enabled":true,"token":"hook-secret","transformsDir":"`+folder+`","mappings":[{"transform":{"module":"sub/a.js","export":" named "}}]}`, hooks.Options{})
	if b.post("/hooks/x", `{}`); b.last(t).Message != "hello" {
		t.Errorf("%q", b.last(t).Message)
	}
}

func TestFailingTransforms(t *testing.T) {
	t.Parallel()
	for name, source := range map[string]string{
		"exception":         `export default () => { throw new Error("secret cause"); }`,
		"rejection":         `export default async () => { throw 1; }`,
		"getter":            `export default () => ({ get message() { throw new Error("a"); } })`,
		"no function":       `export const other = () => ({});`,
		"export of a value": `export default 5`,
		"syntax":            `export default (`,
		"import of Node":    `import fs from "node:fs"; export default () => ({message: fs.readFileSync("/etc/passwd", "utf8")})`,
		"import outside":    `import x from "../outside.js"; export default () => ({message: x})`,
		"missing import":    `import x from "./missing.js"; export default () => x`,
		"never settles":     `export default () => new Promise(() => {})`,
		"no process":        `export default () => ({message: process.env.HOME})`,
		"no requests":       `export default () => fetch("http://127.0.0.1:1/")`,
		"session key":       `export default () => ({message: "m", sessionKey: 5})`,
		"recursion":         `const f = () => f() + 1; export default () => f()`,
		"module throws":     `throw new Error("a"); export default () => null`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := transformed(t, "a.js", source, `,"messageTemplate":"base"`)
			refused(t, b.post("/hooks/x", `{}`), http.StatusInternalServerError, "hook mapping failed")
			if len(b.events) > 0 {
				t.Error("the request had an effect")
			}
		})
	}
}

func TestMissingModuleFails(t *testing.T) {
	t.Parallel()
	b := mapped(t, `{"transform":{"module":"missing.js"}}`)
	refused(t, b.post("/hooks/x", `{}`), http.StatusInternalServerError, "hook mapping failed")
}

func TestLinkOutsideTheFolderIsRefused(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write(t, filepath.Join(folder, "outside.js"), `export default () => ({message: "outside"})`)
	write(t, filepath.Join(folder, "modules/good.js"), `export default () => ({message: "inside"})`)
	if err := os.Symlink(filepath.Join(folder, "outside.js"), filepath.Join(folder, "modules/link.js")); err != nil {
		t.Fatal(err)
	}
	config := func(module string) string {
		return `{"enabled":true,"token":"hook-secret","transformsDir":"modules","mappings":[{"transform":{"module":"` + module + `"}}]}`
	}
	parsed, err := hooks.ParseConfig([]byte(config("link.js")))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = hooks.New(parsed, &recorder{}, hooks.Options{Folder: folder}); err == nil || !strings.Contains(err.Error(), "transformsDir") {
		t.Errorf("a link at the start: %v", err)
	}
	b := start(t, config("good.js"), hooks.Options{Folder: folder})
	good := filepath.Join(folder, "modules/good.js")
	if err := os.Remove(good); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(folder, "outside.js"), good); err != nil {
		t.Fatal(err)
	}
	refused(t, b.post("/hooks/x", `{}`), http.StatusInternalServerError, "hook mapping failed")
}

func TestEndlessTransformsEndInTime(t *testing.T) {
	t.Parallel()
	for name, source := range map[string]string{
		"loop":               `export default () => { for (;;); }`,
		"regular expression": `export default () => ({message: String(/^(?=a)(a+)+$/.test("a".repeat(60) + "!"))})`,
		"back reference":     `export default () => ({message: String(/^((a+)\2?)+b$/.test("a".repeat(60) + "!"))})`,
		"timers":             `export default () => new Promise(() => setInterval(() => {}, 1))`,
		"promises":           `export default async () => { for (;;) await null; }`,
		"memory":             `export default () => { const a = []; for (;;) a.push(new Array(1000).fill(a.length)); }`,
		"a long text":        `export default () => { let a = "x"; for (;;) a += a; }`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := transformed(t, "a.js", source, "")
			started := time.Now()
			w := b.post("/hooks/x", `{}`)
			refused(t, w, http.StatusInternalServerError, "hook mapping failed")
			if took := time.Since(started); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
			if w := b.post("/hooks/wake", `{"text":"a"}`); w.Code != http.StatusOK {
				t.Errorf("the gateway is harmed: %d", w.Code)
			}
		})
	}
}
