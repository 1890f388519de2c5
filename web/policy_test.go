package web_test

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"
	"testing"

	"equity/web"
)

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// directives returns the directives of a policy by name.
func directives(tb testing.TB, policy string) map[string]string {
	tb.Helper()
	found := map[string]string{}
	for part := range strings.SplitSeq(policy, "; ") {
		name, value, _ := strings.Cut(part, " ")
		if _, twice := found[name]; twice {
			tb.Errorf("%s is repeated: browsers ignore the second one", name)
		}
		found[name] = value
	}
	return found
}

func TestPolicyPermitsInlineElementsByDigest(t *testing.T) {
	t.Parallel()
	const html = "<head><script>\n one() </script><SCRIPT id=a>two()</SCRIPT\n><script type=module src=/a.js>three()</script>" +
		"<style>a{}</style><script data-src='x'>four()</script></head>"
	got := directives(t, web.Policy([]byte(html), ""))
	if want := "'self' " + digest("\n one() ") + " " + digest("two()") + " " + digest("four()"); got["script-src"] != want {
		t.Errorf("script-src is %s, want %s", got["script-src"], want)
	}
	if want := "'self' " + digest("a{}"); got["style-src"] != want {
		t.Errorf("style-src is %s, want %s", got["style-src"], want)
	}
}

func TestPolicyPermitsNothingElse(t *testing.T) {
	t.Parallel()
	got := directives(t, web.Policy([]byte(page), ""))
	for name, want := range map[string]string{
		"default-src": "'none'", "style-src": "'self'", "img-src": "'self' data: blob:", "font-src": "'self'", "connect-src": "'self'",
		"frame-src": "'self' blob:", "worker-src": "'self'", "manifest-src": "'self'", "form-action": "'self'", "base-uri": "'none'",
		"frame-ancestors": "'none'", "require-trusted-types-for": "'script'", "trusted-types": "'none'", "script-src": "'self' " + digest("theme()"),
	} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
		delete(got, name)
	}
	if len(got) != 0 {
		t.Errorf("more directives: %v", got)
	}
}

func TestPolicyPermitsTheFrameOfTheChat(t *testing.T) {
	t.Parallel()
	app, err := web.New(built(), web.Settings{Frame: "https://chat.example.com"})
	if err != nil {
		t.Fatal(err)
	}
	policy := directives(t, get(app, "GET", "/").Header.Get("Content-Security-Policy"))
	if policy["frame-src"] != "'self' blob: https://chat.example.com" {
		t.Error(policy["frame-src"])
	}
}

func TestPolicyOfTheEmbeddedPageContainsItsScripts(t *testing.T) {
	t.Parallel()
	files, err := web.Files()
	if err != nil {
		t.Fatal(err)
	}
	app, err := web.New(files, web.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	got := get(app, "GET", "/")
	policy, rest := got.Header.Get("Content-Security-Policy"), text(t, got)
	inline := 0
	for {
		_, after, found := strings.Cut(rest, "<script>")
		if !found {
			break
		}
		script, after, _ := strings.Cut(after, "</script>")
		if !strings.Contains(policy, digest(script)) {
			t.Errorf("the policy does not permit %q", script)
		}
		rest = after
		inline++
	}
	if inline == 0 || strings.Contains(policy, "unsafe") {
		t.Errorf("%d inline scripts with the policy %s", inline, policy)
	}
}
