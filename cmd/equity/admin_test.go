package main

import (
	"path/filepath"
	"strings"
	"testing"

	"equity/config"
	"equity/persistence"
	"equity/persistence/storetest"
)

// users opens the accounts of the shell's store.
func (s *shell) users(t *testing.T) *persistence.Users {
	t.Helper()
	p := s.program("", &safeBuffer{}, &safeBuffer{})
	c, err := p.settings(nil)
	if err != nil {
		t.Fatal(err)
	}
	db, err := openDatabase(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	storetest.Cleanup(t, func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := openSecrets(t.Context(), c, db, p); err != nil {
		t.Fatal(err)
	}
	return persistence.NewUsers(db)
}

func TestAdministratorIsCreated(t *testing.T) {
	t.Parallel()
	s := setup(t)
	made := s.runWith(t, "correct horse battery\r\n", "admin", "create", "Root@example.com", "--first-name", "Ada")
	if made.status != statusDone {
		t.Fatal(made.errors)
	}
	mustContain(t, made.out+made.errors, "Password for Root@example.com:", "administers this server")
	user, err := s.users(t).ByEmail(t.Context(), "root@EXAMPLE.com")
	if err != nil {
		t.Fatal(err)
	}
	if !user.SiteAdmin || user.FirstName != "Ada" || user.EmailVerifiedAt.IsZero() || strings.Contains(user.PasswordHash, "horse") {
		t.Errorf("made %+v", user)
	}
}

func TestExistingAccountBecomesAdministrator(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.demo(t)
	before, err := s.users(t).ByEmail(t.Context(), demoEmail)
	if err != nil || before.SiteAdmin {
		t.Fatalf("%+v, %v", before, err)
	}
	s.run(t, "admin", "create", demoEmail)
	after, err := s.users(t).ByEmail(t.Context(), demoEmail)
	if err != nil || !after.SiteAdmin || after.PasswordHash != before.PasswordHash {
		t.Errorf("%+v, %v", after, err)
	}
}

func TestPasswordIsRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ claim, in, want string }{
		{"if it is missing", "", "from standard input"},
		{"when it is short", "1234567\n", "fewer than 8"},
		{"when it is long", strings.Repeat("x", 129) + "\n", "more than 128"},
	} {
		t.Run(test.claim, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			got := s.runWith(t, test.in, "admin", "create", "a@example.com")
			if got.status != statusFailed {
				t.Errorf("status %d", got.status)
			}
			mustContain(t, got.errors, test.want)
			if _, err := s.users(t).ByEmail(t.Context(), "a@example.com"); err == nil {
				t.Error("an account was made")
			}
		})
	}
}

func TestKeysAreRotated(t *testing.T) {
	t.Parallel()
	const first, second = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", "AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
	s := setup(t)
	s.variables["SECRET_KEY"] = first
	s.run(t, "demo") // encrypts the key that signs sessions
	mustContain(t, s.run(t, "admin", "rotate-keys"), "under a new key")
	mustContain(t, s.refused(t, statusFailed, "admin", "rotate-keys", "--new-key", "NEW"), "--new-key NEW", "32 bytes")
	s.variables["NEW"] = second
	mustContain(t, s.run(t, "admin", "rotate-keys", "--new-key", "NEW"), "new SECRET_KEY only")
	mustContain(t, s.refused(t, statusFailed, "demo"), "equity: ")
	s.variables["SECRET_KEY"] = second
	s.run(t, "demo")
	if left, _ := filepath.Glob("secret.key"); len(left) > 0 {
		t.Error("a key was made in the working folder")
	}
}

func TestBlockedAddressesCannotRegister(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ blocked, email, code string }{
		{"eve@example.com", "Eve@example.com", "EmailBlacklisted"},
		{"example.org", "somebody@mail.example.org", "DomainBlacklisted"},
		{"@example.net", "somebody@example.net", "DomainBlacklisted"},
	} {
		t.Run(test.blocked, func(t *testing.T) {
			t.Parallel()
			s := setup(t)
			s.run(t, "admin", "block", test.blocked)
			server := s.serve(t)
			status, body := server.post(t, "/v1/user", `{"email": "`+test.email+`", "password": "correct horse battery",
				"firstName": "E", "lastName": "V", "acceptedTerms": true}`)
			if status != 400 || !strings.Contains(body, test.code) {
				t.Errorf("%d %s", status, body)
			}
		})
	}
}

func TestProductionGeneratesNoKey(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.variables["ENVIRONMENT"], s.variables["PUBLIC_URL"] = string(config.Production), "https://equity.example.com"
	mustContain(t, s.refused(t, statusFailed, "serve"), "SECRET_KEY is not set")
	s.variables["SECRET_KEY"] = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
	mustContain(t, s.refused(t, statusFailed, "serve", "--demo"), errDemoProduction.Error())
}
