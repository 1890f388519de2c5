package main

import (
	"encoding/json"
	"io"
	"mime/quotedprintable"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"equity/persistence/storetest"
)

// secretRun makes requests with secrets, and collects the secrets.
type secretRun struct {
	*browser
	directory string
	secrets   []string
}

// must sends a request and returns the decoded answer.
func (r *secretRun) must(t *testing.T, method, path, body string, want int) map[string]any {
	t.Helper()
	status, _, text := r.send(t, method, path, body)
	for deadline := time.Now().Add(time.Minute); status == http.StatusServiceUnavailable && time.Now().Before(deadline); status, _, text = r.send(t, method, path, body) {
		select { // on a busy machine, a hash can take longer than the server lets the next one wait
		case <-t.Context().Done():
		case <-time.After(time.Second):
		}
	}
	if status != want {
		t.Fatalf("%s %s: %d %s", method, path, status, text)
	}
	var answer map[string]any
	if err := json.Unmarshal([]byte(text), &answer); err != nil && want != http.StatusNoContent {
		t.Fatalf("%s %s: %v in %s", method, path, err, text)
	}
	return answer
}

// hide adds a secret.
func (r *secretRun) hide(values ...any) {
	for _, value := range values {
		if text, is := value.(string); is && text != "" {
			r.secrets = append(r.secrets, text)
		}
	}
}

// mailed waits for a mail to the address with a match of the pattern, which becomes a secret.
func (r *secretRun) mailed(t *testing.T, to, pattern string) string {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; {
		files, _ := filepath.Glob(filepath.Join(r.directory, "mail", "*.eml"))
		for _, file := range files {
			text, _ := os.ReadFile(file)
			decoded, _ := io.ReadAll(quotedprintable.NewReader(strings.NewReader(string(text))))
			if found := regexp.MustCompile(pattern).FindSubmatch(decoded); found != nil && strings.Contains(string(text), to) {
				r.hide(string(found[1]))
				return string(found[1])
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("no mail to %s matches %s", to, pattern)
		}
		select { // polls the server
		case <-t.Context().Done():
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// TestLogsContainNoSecrets runs through the operations with secrets at the most detailed level, also while the database is away, and searches
// the log for all of them.
func TestLogsContainNoSecrets(t *testing.T) {
	t.Parallel()
	for name, factory := range storetest.Engines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			s.variables["DATABASE_URL"], s.variables["LOG_LEVEL"], s.variables["REGISTRATION_IP_LIMIT"] = factory(t), "debug", "100"
			server := s.serve(t, "--demo")
			jar, _ := cookiejar.New(nil)
			r := &secretRun{browser: &browser{&http.Client{Jar: jar}, server.url}, directory: s.variables["DATA_DIRECTORY"]}
			r.account(t)
			r.organization(t)
			r.refusals(t)
			address, _ := url.Parse(server.url)
			for _, cookie := range jar.Cookies(address) {
				r.hide(cookie.Value)
			}
			server.end(t)
			key, _ := os.ReadFile(filepath.Join(r.directory, "secret.key"))
			r.hide(strings.TrimSpace(string(key)))
			if len(r.secrets) < 20 {
				t.Errorf("only %d secrets: %q", len(r.secrets), r.secrets)
			}
			log := server.log.String()
			if !strings.Contains(log, "level=DEBUG") || !strings.Contains(log, "route=/user/login") {
				t.Error("the log is not detailed")
			}
			for _, secret := range r.secrets {
				if strings.Contains(log, secret) {
					t.Errorf("the log contains %q", secret)
				}
			}
		})
	}
}

// account registers, signs in, and uses each kind of credential.
func (r *secretRun) account(t *testing.T) {
	t.Helper()
	const email, password, other = "carla.quist@mail.example", "a violet submarine ascends", "a marble lighthouse glitters"
	r.hide(email, password, other, "Quistgaard")
	r.must(t, "POST", "/v1/user", `{"email":"`+email+`","password":"`+password+`","firstName":"Carla","lastName":"Quistgaard","acceptedTerms":true}`, 201)
	code := r.mailed(t, email, `[?&#]code=([A-Za-z0-9_-]+)`)
	r.must(t, "POST", "/v1/user/email/verify", `{"code":"`+code+`"}`, 200)
	r.must(t, "POST", "/v1/user/login", `{"email":"`+email+`","password":"`+password+`"}`, 200)
	address, _ := url.Parse(r.url)
	for _, cookie := range r.client.Jar.Cookies(address) { // before the change of the password replaces it
		r.hide(cookie.Value)
	}
	r.must(t, "POST", "/v1/user/password", `{"currentPassword":"`+password+`","password":"`+other+`"}`, 200)
	r.hide(r.must(t, "POST", "/v1/user/token", `{"name":"report","scopes":["read"]}`, 201)["token"])
	proposal := r.must(t, "GET", "/v1/user/2fa", "", 200)
	r.hide(proposal["secret"], proposal["otpauthUrl"])
	user := r.must(t, "GET", "/v1/user/current", "", 200)
	profile, _ := user["entity"].(string)
	r.hide("+45 7010 1717", "17 Kanalgaden", "1971-05-23")
	r.must(t, "PATCH", "/v1/profile/"+profile, `{"phone":"+45 7010 1717","dateOfBirth":"1971-05-23","homeAddress":{"street1":"17 Kanalgaden","city":"Odense","country":"DK","postalCode":"5000"}}`, 200)
	r.must(t, "POST", "/v1/user/password/reset", `{"email":"`+email+`"}`, 200)
	r.must(t, "POST", "/v1/user/logout", "", 204)
}

// organization invites a member, and creates secrets of the organization.
func (r *secretRun) organization(t *testing.T) {
	t.Helper()
	r.hide(demoPassword)
	r.must(t, "POST", "/v1/user/login", demoLogin, 200)
	list := r.must(t, "GET", "/v1/organization", "", 200)
	data, _ := list["data"].([]any)
	first, _ := data[0].(map[string]any)
	id, _ := first["id"].(string)
	home := "/v1/organization/" + id
	const invited = "dagny.thorup@mail.example"
	r.hide(invited, "Dagny Thorup")
	r.must(t, "POST", home+"/member", `{"email":"`+invited+`","fullName":"Dagny Thorup","relationship":"investor","roles":["Investor"]}`, 201)
	r.hide(r.must(t, "POST", home+"/webhook", `{"url":"https://hooks.example.com/in?key=webhookkey77","events":["shareholding.created"]}`, 201)["secret"], "webhookkey77")
}

// refusals sends secrets in places where they are invalid.
func (r *secretRun) refusals(t *testing.T) {
	t.Helper()
	r.hide("a wrong trumpet wails", "eqt_thisTokenIsForged0000000000000000000000000", "querysecret99", "brokensecret88")
	r.must(t, "POST", "/v1/user/login", `{"email":"carla.quist@mail.example","password":"a wrong trumpet wails"}`, 400)
	r.must(t, "POST", "/v1/user/login", `{"email":"brokensecret88","password":"brokensecret88`, 400)
	r.send(t, "GET", "/v1/organization?token=querysecret99", "")
	r.send(t, "GET", "/share/brokensecret88", "")
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.url+"/v1/organization", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer eqt_thisTokenIsForged0000000000000000000000000")
	response, err := http.DefaultClient.Do(request)
	if err != nil || response.StatusCode != http.StatusUnauthorized {
		t.Errorf("%v %v", err, response)
	}
	_ = response.Body.Close()
}
