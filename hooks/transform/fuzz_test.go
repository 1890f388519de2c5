package transform_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"equity/confine"
	"equity/confine/confinetest"
	"equity/hooks/transform"
)

func TestMain(m *testing.M) { confinetest.Main(m, transform.Work()) }

// FuzzChild requires a response or a refusal of the content from each child, within its time.
func FuzzChild(f *testing.F) {
	for _, source := range []string{
		`export default ({payload, headers, url, path}) => ({message: payload.a + headers.b + url.href + path})`,
		`export function transform() { return [1].map((n) => n) }`,
		`const f = () => f(); export default f`,
		`import "./a.js"; export default async () => new Promise(() => {})`,
		`export default () => ({message: "a".repeat(1 << 29)})`,
		`export default ({payload}) => /^a+$/.test(payload.a) ? null : {a: [payload]}`,
		`export default () => ({get message() { throw {toString: 1} }})`,
	} {
		f.Add([]byte(source), []byte(`{"a":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"}`))
	}
	f.Add([]byte(`module.exports = (c) => c`), bytes.Repeat([]byte("["), 1<<16))
	runner := confinetest.Runner(transform.Work())
	f.Fuzz(func(t *testing.T, source, payload []byte) {
		folder := t.TempDir()
		module := filepath.Join(folder, "a.ts")
		if err := os.WriteFile(module, source, 0o600); err != nil {
			t.Fatal(err)
		}
		request, err := json.Marshal(transform.Request{
			Folder: folder, Module: module, Payload: string(payload), Headers: map[string]string{"b": string(payload)}, URL: "http://example.com/hooks/x", Path: "x",
		})
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		answer, err := runner.Run(t.Context(), "", bytes.NewReader(request))
		if _, refused := errors.AsType[*confine.ContentError](err); err != nil && !refused {
			t.Fatal(err)
		}
		var response transform.Response
		if err == nil && json.Unmarshal(answer, &response) != nil {
			t.Fatalf("no response: %.200q", answer)
		}
		if took := time.Since(begin); took > transform.Work().Limits.Time+5*time.Second { // the machine may be busy
			t.Fatalf("the child ended after %s", took)
		}
	})
}
