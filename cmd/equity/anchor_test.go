package main

import (
	"io"
	"mime/quotedprintable"
	"net/http"
	"net/http/cookiejar"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"equity/actors/anchor/anchortest"
)

var anchorInProof = regexp.MustCompile(`"anchor":\{[^}]+\}`)

// TestServerAnchorsAtItsStart asks a server for proofs, and restarts it later: an anchor is due a day after the last one, not after the start.
func TestServerAnchorsAtItsStart(t *testing.T) {
	t.Parallel()
	s := setup(t)
	mails, office := s.openPostOffice(t), anchortest.NewAuthority(t, "sha256")
	path := filepath.Join(s.directory, "anchors.jsonl")
	lines := func() int {
		text, _ := os.ReadFile(path) // absent before the first line
		return strings.Count(string(text), "\n")
	}
	s.variables["ANCHOR_FILE"], s.variables["ANCHOR_MAIL"], s.variables["TSA_URL"] = path, "true", office.URL
	s.variables["TSA_USERNAME"], s.variables["TSA_PASSWORD"] = anchortest.Username, anchortest.Password
	s.runWith(t, "correct horse battery\n", "admin", "create", "root@example.com")
	r := s.serve(t)
	jar, _ := cookiejar.New(nil) // never fails
	v := &visitor{T: t, Client: http.Client{Jar: jar}, at: r.url}
	v.ask("POST", "/v1/user/login", `{"email":"root@example.com","password":"correct horse battery"}`, http.StatusOK)
	for number, name := range []string{"Acme", "Globex"} {
		made := v.ask("POST", "/v1/organization", `{"name":"`+name+`","currency":"USD"}`, http.StatusCreated)
		id := regexp.MustCompile(`"id":"([^"]+)"`).FindStringSubmatch(made)[1]
		first := v.ask("GET", "/v1/organization/"+id+"/journal/proof", "", http.StatusOK)
		if again := v.ask("GET", "/v1/organization/"+id+"/journal/proof", "", http.StatusOK); again != first || lines() != number+1 {
			t.Errorf("%d lines after two proofs of %s", lines(), name)
		}
		exported := s.run(t, "export", id, "--format", "proof")
		if signed := anchorInProof.FindString(first); signed == "" || signed != anchorInProof.FindString(exported) {
			t.Errorf("the exported proof has another anchor: %.600s", exported)
		}
	}
	r.end(t)
	before := lines()
	s.alter(t, `UPDATE job SET started_at = 0`)
	r = s.serve(t)
	until(t, "the mail of the anchor", func() bool { return mails.got("root@example.com") != "" })
	r.end(t)
	if after := lines(); after != before+3 {
		t.Errorf("%d lines were added; want two anchors and a time stamp", after-before)
	}
	mustContain(t, s.run(t, "verify"), "0 with faults", "2 organizations, 1 time stamps", "their certificates were not checked")
	mustContain(t, s.run(t, "verify", "--tsa-ca", office.CA), "signed with trusted certificates")
	mustContain(t, s.refused(t, statusFailed, "verify", "--tsa-ca", anchortest.NewAuthority(t, "sha256").CA), "time stamp authority: ")
	mustContain(t, s.refused(t, statusFailed, "verify", "--tsa-ca", path), "--tsa-ca: ")

	letter, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(mails.got("root@example.com"))))
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`\{"organization".+\}`).FindString(string(letter))
	key := regexp.MustCompile(`--key (\S+)`).FindStringSubmatch(string(letter))
	if line == "" || key == nil {
		t.Fatalf("the mail has no anchor:\n%s", letter)
	}
	mustContain(t, s.run(t, "verify", "--against", s.file(t, "mailed.jsonl", line), "--key", key[1]), "0 with faults", "1 organizations, 0 time stamps")
	mustContain(t, s.refused(t, statusFailed, "verify", "--against", s.file(t, "altered.jsonl", strings.Replace(line, `"sequence":`, `"sequence":1`, 1)), "--key", key[1]),
		errUnknownKey.Error())
	s.run(t, "export", s.firstID(t), "--format", "proof")
	if after := lines(); after != before+3 {
		t.Error("the proof of an unchanged journal added a line")
	}
}

// firstID returns the id of an organization of the store.
func (s *shell) firstID(t *testing.T) string {
	t.Helper()
	return organizationID.FindStringSubmatch(s.run(t, "verify"))[1]
}
