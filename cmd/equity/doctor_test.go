package main

import (
	"crypto/rand"
	"encoding/json"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"equity/actors/office/officetest"
	"equity/app/doctor"
	"equity/http/identity/identitytest"
	"equity/persistence/storetest"
)

// diagnosed is the report of `equity doctor --json` with its exit status.
type diagnosed struct {
	doctor.Report
	status int
	text   string
}

func (s *shell) doctor(t *testing.T) diagnosed {
	t.Helper()
	a := s.runWith(t, "", "doctor", "--json")
	d := diagnosed{status: a.status, text: a.out + a.errors}
	if err := json.Unmarshal([]byte(a.out), &d.Report); err != nil {
		t.Fatalf("%v\n%s%s", err, a.out, a.errors)
	}
	for _, one := range d.Checks {
		if (one.State == doctor.OK) != (one.Repair == "") {
			t.Errorf("a finding has a repair exactly if it needs one: %+v", one)
		}
	}
	if failed := d.Status == doctor.Failure; failed != (d.status == statusFailed) {
		t.Errorf("exit status %d for the report %s", d.status, d.Status)
	}
	return d
}

// finds returns the worst state of a check, and fails unless its findings contain the text.
func (d diagnosed) finds(t *testing.T, check string, want doctor.State, text string) {
	t.Helper()
	for _, one := range d.Checks {
		if one.Check == check && one.State == want && strings.Contains(one.Detail+" "+one.Repair, text) {
			return
		}
	}
	t.Errorf("no finding %s of %q with %q in\n%s", want, check, text, d.text)
}

func TestDoctorChangesNothingBeforeTheFirstStart(t *testing.T) {
	t.Parallel()
	s := setup(t)
	d := s.doctor(t)
	for _, one := range d.Checks {
		if one.State != doctor.OK && one.Check != "disk space" { // the disk of the test is not the server's
			t.Errorf("%+v", one)
		}
	}
	d.finds(t, "database", doctor.OK, "is created at the start")
	d.finds(t, "secret key", doctor.OK, "is created at the start")
	if left, _ := filepath.Glob(filepath.Join(s.directory, "*")); len(left) > 0 {
		t.Errorf("the doctor left %v", left)
	}
	mustContain(t, s.run(t, "doctor"), "ok       settings", "ok       mail", "is created at the start")
}

func TestDoctorRunsBesideAServer(t *testing.T) {
	t.Parallel()
	for name, factory := range storetest.Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			s.variables["DATABASE_URL"] = factory(t)
			r := s.serve(t)
			s.variables["PUBLIC_URL"] = r.url
			d := s.doctor(t)
			for _, check := range []string{"database", "schema", "secret key", "stored keys", "clock", "sessions", "object store", "mail"} {
				d.finds(t, check, doctor.OK, "")
			}
			d.finds(t, "public address", doctor.OK, "is ready")
			if d.status != statusDone {
				t.Error(d.text)
			}
		})
	}
}

func TestDoctorAsksTheServerWhetherItIsReady(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.variables["METRICS_LISTEN"] = "127.0.0.1:1"
	mustContain(t, s.refused(t, statusFailed, "doctor", "--ready"), "failure  server", "repair: start the server")
	s.variables["METRICS_LISTEN"] = "127.0.0.1:0"
	r := s.serve(t)
	s.variables["METRICS_LISTEN"] = ":" + r.metrics[strings.LastIndex(r.metrics, ":")+1:]
	mustContain(t, s.run(t, "doctor", "--ready"), "ok       server  it is ready")
}

func TestDoctorReportsInvalidSettings(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.variables["LISTEN"], s.variables["SMTP_PASSWORD"] = "8080", "hunter2-password"
	s.doctor(t).finds(t, "settings", doctor.Failure, "LISTEN")
	delete(s.variables, "LISTEN")
	d := s.doctor(t)
	d.finds(t, "settings", doctor.Failure, "SMTP_USERNAME is not set")
	s.variables["EQUITY_CONFIG"] = s.file(t, "broken.conf", "NO_SUCH_SETTING=1\n")
	s.doctor(t).finds(t, "settings", doctor.Failure, "NO_SUCH_SETTING")
}

func TestDoctorReportsFoldersAndKeys(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.variables["MAIL_DIRECTORY"] = filepath.Join(s.file(t, "file", ""), "mail")
	s.doctor(t).finds(t, "mail", doctor.Failure, "not writable")
	delete(s.variables, "MAIL_DIRECTORY")
	s.demo(t)
	key := filepath.Join(s.variables["DATA_DIRECTORY"], "secret.key")
	if err := os.Chmod(key, 0o644); err != nil {
		t.Fatal(err)
	}
	s.doctor(t).finds(t, "secret key", doctor.Warning, "chmod 600")
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	d := s.doctor(t)
	d.finds(t, "secret key", doctor.Failure, "no such file")
	d.finds(t, "stored keys", doctor.Failure, "restore")
	if _, err := os.Stat(key); err == nil {
		t.Error("the doctor created a key")
	}
	s.variables["SECRET_KEY"] = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
	s.doctor(t).finds(t, "stored keys", doctor.Failure, "does not match")
}

func TestDoctorReportsTheStateOfTheSchema(t *testing.T) {
	t.Parallel()
	for name, factory := range storetest.Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			s.variables["DATABASE_URL"] = factory(t)
			s.run(t, "demo")
			s.alter(t, `DELETE FROM goose_db_version WHERE version_id = 32`)
			s.doctor(t).finds(t, "schema", doctor.Warning, "equity migrate")
			s.alter(t, `UPDATE clock_reading SET known_at = known_at + 400000000000`)
			s.doctor(t).finds(t, "clock", doctor.Failure, "--accept-clock")
			s.alter(t, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (32, TRUE), (9999, TRUE)`)
			s.doctor(t).finds(t, "schema", doctor.Failure, "9999")
		})
	}
	s := setup(t)
	s.variables["DATABASE_URL"] = storetest.PostgreSQL(t)
	s.doctor(t).finds(t, "schema", doctor.Warning, "the store is empty")
}

func TestDoctorReportsADifferentClock(t *testing.T) {
	t.Parallel()
	s := setupServices(t)
	s.run(t, "demo")
	var out, errors safeBuffer
	p := s.program("", &out, &errors)
	p.now = func() time.Time { return time.Now().Add(time.Minute) }
	if status := p.run(t.Context(), []string{"doctor"}); status != statusDone {
		t.Error(errors.String())
	}
	mustContain(t, out.String(), "the clock of the database server by 1m0s", "the clock of Redis by 1m0s", "repair: synchronize")
}

// TestDoctorReportsServicesThatAreAway has no service at any address. No secret is printed.
func TestDoctorReportsServicesThatAreAway(t *testing.T) {
	t.Parallel()
	const away = "http://127.0.0.1:1"
	s := setup(t)
	secrets := map[string]string{
		"DATABASE_URL": "postgres://equity:hunter2%21database@127.0.0.1:1/none?connect_timeout=1", "REDIS_URL": "redis://:hunter2-redis@127.0.0.1:1/0",
		"STORE_ACCESS_KEY": "hunter2-access", "STORE_SECRET_KEY": "hunter2-store", "SMTP_PASSWORD": "hunter2-mail",
		"CHAT_ADMIN_BOT_TOKEN": "hunter2-chat", "BILLING_SECRET_KEY": "sk_test_hunter2", "BILLING_WEBHOOK_SECRET": "whsec_hunter2",
		"DRIVE_CLIENT_SECRET": "hunter2-drive", "OFFICE_SUITE_CLIENT_SECRET": "hunter2-office", "AGENT_API_KEY": "hunter2-agent",
		"HOOKS_TOKEN": "hunter2-hooks", "SERVICE_GATEWAY_TOKEN": "hunter2-gateway",
	}
	maps.Copy(s.variables, secrets)
	maps.Copy(s.variables, map[string]string{
		"STORE_URL": away, "STORE_BUCKET": "equity", "SMTP_HOST": "127.0.0.1", "SMTP_PORT": "1", "SMTP_USERNAME": "equity",
		"CHAT_URL": away, "BILLING_URL": away, "DRIVE_ENABLED": "true", "DRIVE_CLIENT_ID": "client", "DRIVE_REDIRECT_URI": "https://equity.example/drive",
		"DRIVE_TOKEN_URL": away + "/token", "OFFICE_SUITE_TENANT_ID": "tenant", "OFFICE_SUITE_CLIENT_ID": "client", "OFFICE_SUITE_DRIVE_ID": "drive",
		"OFFICE_SUITE_URL": away, "OFFICE_SUITE_LOGIN_URL": away, "AGENT_URL": away, "AGENT_MODEL": "model", "IDP_ISSUER": away,
		"IDP_CLIENT_ID": "client",
		"SCAN_URL":      "tcp://127.0.0.1:1", "PUBLIC_URL": away, "HOOKS_ENABLED": "true", "HOOKS_FILE": s.file(t, "hooks.json", `{"hooks": {"mappings": [{"id": ""}]}`),
	})
	d := s.doctor(t)
	for _, check := range []string{
		"database", "sessions", "object store", "mail", "identity provider", "team chat", "billing", "cloud drive", "office suite",
		"virus scanner", "language model", "inbound hooks",
	} {
		d.finds(t, check, doctor.Failure, "")
	}
	d.finds(t, "public address", doctor.Warning, "no server answers")
	if text := d.text + s.refused(t, statusFailed, "doctor"); strings.Contains(text, "hunter2") {
		t.Errorf("a secret is printed:\n%s", text)
	}
}

func TestDoctorAcceptsServicesThatAnswer(t *testing.T) {
	t.Parallel()
	s := setupServices(t)
	s.run(t, "demo")
	s.openPostOffice(t)
	issuer := identitytest.New(t, time.Now)
	suite := officetest.New(t)
	models := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/models" || r.Header.Get("Authorization") != "Bearer agent-key" {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	storetest.Cleanup(t, models.Close)
	host := s.useObjects(t)
	bucket := s.variables["STORE_BUCKET"]
	library := suite.App()
	maps.Copy(s.variables, map[string]string{
		"IDP_ISSUER": issuer.Mock.Issuer(), "IDP_CLIENT_ID": "client", "SCAN_URL": os.Getenv("TEST_SCAN_URL"),
		"BILLING_SECRET_KEY": "sk_test_1", "BILLING_WEBHOOK_SECRET": "whsec_1", "BILLING_URL": os.Getenv("TEST_STRIPE_URL"),
		"OFFICE_SUITE_TENANT_ID": library.TenantID, "OFFICE_SUITE_CLIENT_ID": library.ClientID,
		"OFFICE_SUITE_CLIENT_SECRET": library.ClientSecret, "OFFICE_SUITE_DRIVE_ID": library.DriveID, "OFFICE_SUITE_URL": library.URL,
		"OFFICE_SUITE_LOGIN_URL": library.LoginURL, "AGENT_URL": models.URL + "/v1", "AGENT_MODEL": "model", "AGENT_API_KEY": "agent-key",
		"HOOKS_ENABLED": "true", "HOOKS_TOKEN": "hook-token", "HOOKS_ORGANIZATION": "01890000-0000-7000-8000-000000000000",
	})
	s.doctor(t).finds(t, "object store", doctor.Warning, "does not exist")
	r := s.serve(t) // creates the bucket
	for deadline := time.Now().Add(time.Minute); !strings.Contains(s.run(t, "doctor"), bucket+" at "+host+" can be written"); {
		if time.Now().After(deadline) {
			t.Fatal(s.run(t, "doctor"))
		}
	}
	d := s.doctor(t)
	for _, check := range []string{
		"database", "schema", "stored keys", "clock", "sessions", "object store", "mail", "identity provider", "billing", "office suite",
		"virus scanner", "language model", "inbound hooks",
	} {
		d.finds(t, check, doctor.OK, "")
	}
	r.end(t)
	for name, check := range map[string]string{
		"OFFICE_SUITE_CLIENT_SECRET": "office suite", "AGENT_API_KEY": "language model", "STORE_SECRET_KEY": "object store",
	} {
		s.variables[name] = "hunter2-wrong-secret"
		d := s.doctor(t)
		d.finds(t, check, doctor.Failure, "")
		if strings.Contains(d.text, "hunter2") {
			t.Errorf("a secret is printed:\n%s", d.text)
		}
	}
}

// useObjects adds the settings of a new bucket at the S3 server of the tests, and returns the host of the server.
func (s *shell) useObjects(t *testing.T) (host string) {
	t.Helper()
	store, err := url.Parse(os.Getenv("TEST_STORE_URL"))
	if err != nil || store.Host == "" {
		t.Fatal("TEST_STORE_URL is not set: run the tests with .ci/with-services")
	}
	key, _ := store.User.Password()
	maps.Copy(s.variables, map[string]string{
		"STORE_URL": "http://" + store.Host, "STORE_ACCESS_KEY": store.User.Username(), "STORE_SECRET_KEY": key,
		"STORE_BUCKET": "doctor-" + strings.ToLower(rand.Text()), // the store may be shared by several runs
	})
	return store.Host
}

func TestDoctorReportsUnfavourableRedis(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0") // answers as a Redis that evicts keys
	if err != nil {
		t.Fatal(err)
	}
	storetest.Cleanup(t, func() { _ = listener.Close() })
	go serveEvictingRedis(listener)
	s := setup(t)
	s.variables["REDIS_URL"] = "redis://" + listener.Addr().String() + "/0"
	s.doctor(t).finds(t, "sessions", doctor.Warning, "allkeys-lru")
}

func serveEvictingRedis(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			defer func() { _ = conn.Close() }()
			buffer := make([]byte, 4096)
			for {
				n, err := conn.Read(buffer)
				if err != nil {
					return
				}
				answer := "+PONG\r\n"
				switch command := string(buffer[:n]); {
				case strings.Contains(command, "CONFIG"):
					answer = "*2\r\n$16\r\nmaxmemory-policy\r\n$11\r\nallkeys-lru\r\n"
				case strings.Contains(command, "TIME"):
					answer = "-ERR refused\r\n"
				case strings.Contains(command, "SELECT"):
					answer = "+OK\r\n"
				}
				if _, err := conn.Write([]byte(answer)); err != nil {
					return
				}
			}
		}()
	}
}
