package main

import (
	"maps"
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"

	"equity/persistence/storetest"
)

// damages are statements that no server executes. Those of SQLite store values of another type, which PostgreSQL refuses.
func damages(sqlite bool) map[string]string {
	statements := map[string]string{
		"a changed payload":        `UPDATE journal SET payload = CAST('{}' AS BYTEA) WHERE sequence = 5`,
		"a payload without JSON":   `UPDATE journal SET payload = CAST('nonsense' AS BYTEA) WHERE sequence = 5`,
		"an unknown type":          `UPDATE journal SET type = 'unknown' WHERE sequence = 5`,
		"a changed moment":         `UPDATE journal SET recorded_at = recorded_at + 1 WHERE sequence = 5`,
		"a moment out of range":    `UPDATE journal SET recorded_at = 9223372036854775807 WHERE sequence = 5`,
		"a short hash":             `UPDATE journal SET hash = CAST('x' AS BYTEA) WHERE sequence = 5`,
		"a missing row":            `DELETE FROM journal WHERE sequence = 5`,
		"a missing first row":      `DELETE FROM journal WHERE sequence = 1`,
		"a missing tail":           `DELETE FROM journal WHERE sequence > 5`,
		"an emptied journal":       `DELETE FROM journal`,
		"a head of another length": `UPDATE journal_head SET hash = CAST('x' AS BYTEA)`,
		"a head ahead":             `UPDATE journal_head SET sequence = sequence + 1`,
	}
	if sqlite {
		maps.Copy(statements, map[string]string{
			"a moment that is no number":  `UPDATE journal SET recorded_at = 'then' WHERE sequence = 5`,
			"a payload that is a number":  `UPDATE journal SET payload = 5 WHERE sequence = 5`,
			"a hash that is text":         `UPDATE journal SET hash = 'text' WHERE sequence = 5`,
			"an actor that is not UTF-8":  `UPDATE journal SET actor = CAST(x'ff00' AS TEXT) WHERE sequence = 5`,
			"a key of another type":       `UPDATE journal SET idempotency_key = 7, fingerprint = x'ff' WHERE sequence = 5`,
			"a head that is no number":    `UPDATE journal_head SET sequence = 'then'`,
			"a sequence that is a number": `UPDATE journal SET sequence = 5.5 WHERE sequence = 5`,
		})
	}
	return statements
}

// TestDamagedOrganizationIsRefusedForGood serves a store with a journal that was changed without the server.
func TestDamagedOrganizationIsRefusedForGood(t *testing.T) {
	t.Parallel()
	for engine, factory := range storetest.Engines() {
		for name, statement := range damages(engine == "sqlite") {
			t.Run(engine+"/"+name, func(t *testing.T) {
				t.Parallel()
				s := setup(t)
				s.variables["DATABASE_URL"] = factory(t)
				s.run(t, "demo")
				id := s.demoID(t)
				s.alter(t, statement)
				r := s.serve(t)
				v := r.signIn(t)
				for range 2 {
					v.refusedAsDamaged(t, http.MethodGet, "/v1/organization/"+id, "")
					v.refusedAsDamaged(t, http.MethodGet, "/v1/organization/"+id+"/captable", "")
					v.refusedAsDamaged(t, http.MethodPost, "/v1/organization/"+id+"/legend", `{"name": "A", "text": "B"}`)
				}
				if _, body := r.get(t, r.metrics+"/metrics"); !strings.Contains(body, "\nequity_organizations_damaged 1\n") {
					t.Error("the metric is not 1")
				}
				if status, _, body := v.send(t, http.MethodPost, "/v1/organization", `{"name": "Another", "currency": "USD"}`); status != http.StatusCreated {
					t.Errorf("another organization: %d %s", status, body)
				}
				mustContain(t, s.refused(t, statusFailed, "verify"), "1 with faults")
			})
		}
	}
}

const demoLogin = `{"email": "` + demoEmail + `", "password": "` + demoPassword + `"}`

// browser is a signed-in client of a running server.
type browser struct {
	client *http.Client
	url    string
}

// signIn signs the demo's user in.
func (r *running) signIn(t *testing.T) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	v := &browser{&http.Client{Jar: jar}, r.url}
	if status, _, body := v.send(t, http.MethodPost, "/v1/user/login", demoLogin); status != http.StatusOK {
		t.Fatalf("sign-in: %d %s", status, body)
	}
	return v
}

func (v *browser) send(t *testing.T, method, path, body string) (int, http.Header, string) {
	t.Helper()
	response, text := send(t, v.client, method, v.url+path, body, "")
	return response.StatusCode, response.Header, text
}

// refusedAsDamaged checks that the request is refused without an invitation to repeat it.
func (v *browser) refusedAsDamaged(t *testing.T, method, path, body string) {
	t.Helper()
	status, header, text := v.send(t, method, path, body)
	if status != http.StatusServiceUnavailable || !strings.Contains(text, `"code":"damaged"`) || header.Get("Retry-After") != "" {
		t.Errorf("%s %s: %d %s, Retry-After %q", method, path, status, text, header.Get("Retry-After"))
	}
}

// ofDemo selects the rows of the demo company, which has the longest journal.
const ofDemo = `organization = (SELECT organization FROM journal GROUP BY organization ORDER BY COUNT(*) DESC LIMIT 1)`

// damagedScope is a store with the demo company, a second company, and snapshots, of which one company was damaged.
type damagedScope struct {
	*browser
	running          *running
	demo, second, id string
}

// damageDemo damages the demo company with the statement and serves the store.
func (s *shell) damageDemo(t *testing.T, statement string) *damagedScope {
	t.Helper()
	r := s.serve(t)
	v := r.signIn(t)
	_, _, list := v.send(t, http.MethodGet, "/v1/organization", "")
	_, rest, _ := strings.Cut(list, `"id":"`)
	second := v.created(t, "/v1/organization", `{"name": "Second", "currency": "USD"}`)
	r.end(t)
	s.alter(t, statement)
	again := s.serve(t)
	return &damagedScope{again.signIn(t), again, "/v1/organization/" + rest[:36], "/v1/organization/" + second, rest[:36]}
}

// counted checks the metric of damaged organizations.
func (d *damagedScope) counted(t *testing.T, number string) {
	t.Helper()
	if _, body := d.running.get(t, d.running.metrics+"/metrics"); !strings.Contains(body, "\nequity_organizations_damaged "+number+"\n") {
		t.Errorf("the metric is not %s", number)
	}
}

// secondIsServed checks that the second company can be read and changed.
func (d *damagedScope) secondIsServed(t *testing.T) {
	t.Helper()
	if status, _, body := d.send(t, http.MethodGet, d.second+"/captable", ""); status != http.StatusOK {
		t.Errorf("a read of the other company: %d %s", status, body)
	}
	d.created(t, d.second+"/legend", `{"name": "A", "text": "B"}`)
}

// TestDamageBehindTheLastSnapshotAffectsOneOrganization damages one of two companies. Most of its journal is in snapshots.
func TestDamageBehindTheLastSnapshotAffectsOneOrganization(t *testing.T) {
	t.Parallel()
	for name, statement := range map[string]string{
		"a changed row":  `UPDATE journal SET actor = 'somebody' WHERE ` + ofDemo + ` AND sequence = (SELECT MAX(sequence) - 1 FROM journal WHERE ` + ofDemo + `)`,
		"a missing row":  `DELETE FROM journal WHERE ` + ofDemo + ` AND sequence = (SELECT MAX(sequence) - 1 FROM journal WHERE ` + ofDemo + `)`,
		"a missing tail": `DELETE FROM journal WHERE ` + ofDemo + ` AND sequence > (SELECT MAX(sequence) - 3 FROM journal WHERE ` + ofDemo + `)`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, func(t *testing.T, s *shell) {
				t.Helper()
				d := s.damageDemo(t, statement)
				d.refusedAsDamaged(t, http.MethodGet, d.demo+"/captable", "")
				d.refusedAsDamaged(t, http.MethodPost, d.demo+"/legend", `{"name": "A", "text": "B"}`)
				d.secondIsServed(t)
				d.counted(t, "1")
				mustContain(t, s.refused(t, statusFailed, "verify"), d.id+": ", "2 organizations checked, 1 with faults")
			})
		})
	}
}

// TestDamagedDerivedTablesDoNotSuspendAnOrganization checks that an organization is served from its journal.
func TestDamagedDerivedTablesDoNotSuspendAnOrganization(t *testing.T) {
	t.Parallel()
	for name, statement := range map[string]string{
		"unreadable snapshots": `UPDATE snapshot SET state = CAST('nonsense' AS BYTEA)`,
		"no index rows":        `DELETE FROM resource`,
		"no stored head":       `DELETE FROM journal_head`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, func(t *testing.T, s *shell) {
				t.Helper()
				whole := s.run(t, "export", s.demoID(t), "--format", "json")
				d := s.damageDemo(t, statement)
				if status, _, body := d.send(t, http.MethodGet, d.demo+"/captable", ""); status != http.StatusOK {
					t.Errorf("%d %s", status, body)
				}
				d.secondIsServed(t)
				d.counted(t, "0")
				d.running.end(t)
				mustContain(t, s.refused(t, statusFailed, "verify"), "run 'equity verify --repair'")
				s.run(t, "verify", "--repair")
				mustContain(t, s.run(t, "verify"), "2 organizations checked, 0 with faults")
				if again := s.run(t, "export", d.id, "--format", "json"); again != whole {
					t.Error("the cap table differs after the repair")
				}
			})
		})
	}
}
