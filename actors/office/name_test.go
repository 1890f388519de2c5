package office_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"equity/actors/consumer"
	"equity/actors/office"
	"equity/actors/office/officetest"
	"equity/fault"
)

// unusual are names that the office suite accepts.
func unusual() []string {
	return []string{
		"Plan.pdf", "50% + 50% #1.txt", "it's & (a) [list]{1}; =$,@!~.txt", "+%2B%20%.txt", "日本語 – Übersicht.docx", "📈🚀.xlsx", "~draft", "$~x",
		".hidden", "..x", "con.txt", "com10", "lock", "vti_", "name with  two spaces", strings.Repeat("x", 255), "`^´", "a\u0301 combining",
	}
}

func TestNamesThatTheOfficeSuiteAccepts(t *testing.T) {
	t.Parallel()
	for _, name := range unusual() {
		if err := office.CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestNamesThatTheOfficeSuiteRefuses(t *testing.T) {
	t.Parallel()
	for code, names := range map[string][]string{
		"required":         {""},
		"encoding":         {"a\xff"},
		"maxLength":        {strings.Repeat("x", 256), strings.Repeat("🚀", 128)},
		"character":        {`a"b`, "a*b", "a:b", "a<b", "a>b", "a?b", "a/b", `a\b`, "a|b", "/", "../x"},
		"controlCharacter": {"a\nb", "a\x00b", "\x7f", "a\u0085b", "gpj.\u202eexe", "a\u2066b", "a\u200eb", "a\u200bb", "a\u2028b"},
		"space":            {" a", "a ", "\u00a0a", " "},
		"dot":              {"a.", ".", ".."},
		"reserved": {
			"~$a.docx", "CON", "con", "Prn", "AUX", "nul", "COM0", "com9", "LPT1", ".lock", "Desktop.ini", "a_vti_b", "_VTI_",
		},
	} {
		for _, name := range names {
			err := office.CheckName(name)
			refusal, _ := err.(*fault.Error) //nolint:errorlint // not wrapped
			if !fault.Is(err, fault.Invalid) || len(refusal.Fields) != 1 || refusal.Fields[0].Code != code || refusal.Fields[0].Pointer != "/name" {
				t.Errorf("%q: %+v", name, err)
			}
		}
	}
}

func TestRefusedNamesReachNoServer(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, call := range map[string]func() error{
		"upload": func() error {
			_, err := b.client.Upload(t.Context(), officetest.Root, "a/b", office.Fail, strings.NewReader(""), 0)
			return err
		},
		"folder": func() error {
			_, err := b.client.EnsureFolder(t.Context(), officetest.Root, "a/b")
			return err
		},
		"move": func() error {
			_, err := b.client.Move(t.Context(), officetest.Root, "", office.Move{Name: "a/b"})
			return err
		},
	} {
		if err := call(); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if calls := b.server.Calls("all"); calls != 0 {
		t.Errorf("%d calls", calls)
	}
}

func TestUnusualNamesSurviveAllCalls(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, name := range unusual() {
		b.survives(name)
	}
	if got, want := b.names(officetest.Root), slices.Sorted(slices.Values(unusual())); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// survives stores a file with the name, and finds it by the name.
func (b *bundle) survives(name string) string {
	b.Helper()
	stored, err := b.client.Upload(b.Context(), officetest.Root, name, office.Fail, strings.NewReader(name), int64(len(name)))
	if err != nil {
		b.Fatalf("%q: %v", name, err)
	}
	found, err := b.client.Child(b.Context(), officetest.Root, name)
	if err != nil || found != stored || found.Name != name {
		b.Fatalf("%q: %+v %v", name, found, err)
	}
	if content, _ := b.server.Content(stored.ID); content != name {
		b.Fatalf("%q: %q", name, content)
	}
	return stored.ID
}

func FuzzAcceptedNamesSurviveAllCalls(f *testing.F) {
	for _, name := range unusual() {
		f.Add(name)
	}
	server := officetest.New(f)
	client := office.NewClient(server.App(), consumer.NewBreakers(time.Now), time.Now, func(context.Context, time.Duration) error { return nil })
	f.Fuzz(func(t *testing.T, name string) {
		if office.CheckName(name) != nil {
			return
		}
		b := &bundle{T: t, server: server, client: client}
		id := b.survives(name)
		if err := client.Delete(t.Context(), id, ""); err != nil {
			t.Fatal(err)
		}
		if _, err := client.CreateFolder(t.Context(), officetest.Root, name); err != nil {
			t.Fatal(err)
		}
		if names := b.server.Names(officetest.Root); len(names) != 1 || names[0] != name {
			t.Fatalf("%q: %q", name, names)
		}
		found, err := client.Child(t.Context(), officetest.Root, name)
		if err != nil {
			t.Fatal(err)
		}
		server.Delete(found.ID)
	})
}
