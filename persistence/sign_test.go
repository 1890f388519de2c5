package persistence_test

import (
	"bytes"
	"crypto/hkdf"
	"crypto/sha256"
	"testing"
	"time"

	"github.com/tink-crypto/tink-go/v2/aead"
	aeadsubtle "github.com/tink-crypto/tink-go/v2/aead/subtle"
	"github.com/tink-crypto/tink-go/v2/keyset"

	"equity/messages"
	"equity/organization"
	"equity/organization/document"
	"equity/persistence"
	"equity/persistence/storetest"
)

func digestOf(text string) []byte {
	sum := sha256.Sum256([]byte(text))
	return sum[:]
}

// intruder writes rows of the database, and knows no key.
type intruder struct {
	db         *persistence.Database
	users      *persistence.Users
	ada, eve   persistence.User // the victim, and the account of the intruder
	now, later time.Time
}

func newIntruder(t *testing.T, db *persistence.Database) *intruder {
	t.Helper()
	_, err := persistence.OpenSecrets(t.Context(), db, make([]byte, 32), storetest.Epoch)
	must(t, err)
	i := &intruder{db: db, users: persistence.NewUsers(db), ada: newUser("ada@example.org"), eve: newUser("eve@example.org")}
	i.now, i.later = storetest.Epoch(), storetest.Epoch().Add(time.Hour)
	i.ada.EmailVerifiedAt, i.eve.EmailVerifiedAt = i.now, i.now
	i.ada.PasswordHash, i.eve.PasswordHash = "hash of ada", "hash of eve"
	must(t, i.users.Create(t.Context(), i.ada))
	must(t, i.users.Create(t.Context(), i.eve))
	return i
}

func (i *intruder) write(t *testing.T, statement string, arguments ...any) {
	t.Helper()
	result, err := i.db.Writer().ExecContext(t.Context(), statement, arguments...)
	must(t, err)
	if changed, err := result.RowsAffected(); err != nil || changed == 0 {
		t.Fatalf("no row: %s %v", statement, err)
	}
}

func (i *intruder) recovery() []byte { return digestOf(i.ada.ID.String() + " mine") }

// forgery writes rows. It returns a function that reports whether the intruder is somebody else, or has another right.
type forgery func(t *testing.T, i *intruder) func() (bool, error)

func (i *intruder) byUser(t *testing.T, id organization.UserID) func() (bool, error) {
	t.Helper()
	return func() (bool, error) {
		_, err := i.users.ByID(t.Context(), id)
		return err == nil, nil
	}
}

func forgeries() map[string]forgery {
	token := func(change string, arguments func(i *intruder) []any) forgery {
		return func(t *testing.T, i *intruder) func() (bool, error) {
			t.Helper()
			store, made := persistence.NewAPITokens(i.db), newAPIToken(i.eve.ID)
			_, _, err := store.Create(t.Context(), messages.Once{At: i.now}, made, textOf, newMail("ada@example.org"))
			must(t, err)
			i.write(t, change, arguments(i)...)
			return func() (bool, error) {
				_, found, err := store.Use(t.Context(), textOf(made.ID), i.now)
				return found, err
			}
		}
	}
	user := func(change string, arguments func(i *intruder) []any) forgery {
		return func(t *testing.T, i *intruder) func() (bool, error) {
			t.Helper()
			i.write(t, change, arguments(i)...)
			return i.byUser(t, i.eve.ID)
		}
	}
	both := func(i *intruder) []any { return []any{i.eve.ID[:], i.ada.ID[:]} }
	own := func(i *intruder) []any { return []any{i.eve.ID[:]} }
	return map[string]forgery{
		"an API token of another user":      token(`UPDATE api_token SET user_id = $2 WHERE user_id = $1`, both),
		"an API token of all organizations": token(`UPDATE api_token SET organization = NULL WHERE user_id = $1`, own),
		"an API token with more scopes":     token(`UPDATE api_token SET scopes = 'read write destructive' WHERE user_id = $1`, own),
		"an API token without an end":       token(`UPDATE api_token SET expires_at = expires_at * 2 WHERE user_id = $1`, own),
		"a password": func(t *testing.T, i *intruder) func() (bool, error) {
			t.Helper()
			i.write(t, `UPDATE users SET password_hash = 'hash of eve' WHERE id = $1`, i.ada.ID[:])
			return i.byUser(t, i.ada.ID)
		},
		"an address of another person": user(`UPDATE users SET email_canonical = 'grace@example.org', email = 'grace@example.org' WHERE id = $1`, own),
		"another entity":               user(`UPDATE users SET entity = $2 WHERE id = $1`, both),
		"a site administrator":         user(`UPDATE users SET site_admin = TRUE WHERE id = $1`, own),
		"an enabled account":           user(`UPDATE users SET disabled_at = 5 WHERE id = $1`, own),
		"an identity": func(t *testing.T, i *intruder) func() (bool, error) {
			t.Helper()
			i.write(t, `INSERT INTO identity (issuer, subject, user_id, created_at) VALUES ('https://id.example', 'eve', $1, 1)`, i.ada.ID[:])
			return func() (bool, error) {
				_, err := i.users.ByIdentity(t.Context(), messages.Identity{Issuer: "https://id.example", Subject: "eve"})
				return err == nil, nil
			}
		},
		"a temporary password": func(t *testing.T, i *intruder) func() (bool, error) {
			t.Helper()
			i.write(t, `INSERT INTO temporary_password (user_id, password_hash, expires_at) VALUES ($1, $2, $3)`, i.ada.ID[:], digestOf("mine"), i.later.UnixMicro())
			return func() (bool, error) {
				if valid, err := i.users.IsTemporaryPassword(t.Context(), i.ada.ID, "mine", i.now); valid || err != nil {
					return valid, err
				}
				return i.users.UseTemporaryPassword(t.Context(), i.ada.ID, "mine", i.now)
			}
		},
		"a sign-in link": func(t *testing.T, i *intruder) func() (bool, error) {
			t.Helper()
			i.write(t, `INSERT INTO magic_link (token_hash, user_id, expires_at) VALUES ($1, $2, $3)`, digestOf("mine"), i.ada.ID[:], i.later.UnixMicro())
			return func() (bool, error) {
				if _, err := i.users.ByMagicLink(t.Context(), "mine", i.now); err == nil {
					return true, nil
				}
				return i.users.UseMagicLink(t.Context(), "mine", i.now)
			}
		},
		"a verification code": func(t *testing.T, i *intruder) func() (bool, error) {
			t.Helper()
			i.write(t, `INSERT INTO email_verification (user_id, code_hash, sent_at, expires_at, attempts) VALUES ($1, $2, 1, $3, 0)`, i.ada.ID[:], digestOf("mine"), i.later.UnixMicro())
			return func() (bool, error) {
				_, byEmail := i.users.VerifyEmail(t.Context(), i.ada.Email, "mine", i.now)
				_, byCode := i.users.VerifyEmail(t.Context(), "", "mine", i.now)
				return byEmail == nil || byCode == nil, nil
			}
		},
		"a recovery code": func(t *testing.T, i *intruder) func() (bool, error) {
			t.Helper()
			i.write(t, `INSERT INTO two_factor (user_id, seed, last_step, enabled_at) VALUES ($1, $2, 0, 1)`, i.ada.ID[:], []byte("x"))
			i.write(t, `INSERT INTO recovery_code (user_id, code_hash) VALUES ($1, $2)`, i.ada.ID[:], i.recovery())
			return func() (bool, error) {
				return persistence.NewTwoFactors(i.db, nil).Recover(t.Context(), i.ada.ID, "mine")
			}
		},
		"a code of OAuth": func(t *testing.T, i *intruder) func() (bool, error) {
			t.Helper()
			grant, _ := i.consent(t)
			i.write(t, `UPDATE oauth_code SET code_hash = $2 WHERE grant_id = $1`, grant.ID[:], digestOf("mine"))
			return func() (bool, error) {
				_, err := persistence.NewOAuth(i.db).Exchange(t.Context(), "mine", i.tokens(), func(messages.OAuthCode) error { return nil })
				return err == nil, nil
			}
		},
		"a grant of OAuth of another user": func(t *testing.T, i *intruder) func() (bool, error) {
			t.Helper()
			grant, code := i.consent(t)
			i.write(t, `UPDATE api_token SET user_id = $2 WHERE id = $1`, grant.ID[:], i.ada.ID[:])
			return func() (bool, error) {
				_, err := persistence.NewOAuth(i.db).Exchange(t.Context(), code.Code, i.tokens(), func(messages.OAuthCode) error { return nil })
				return err == nil, nil
			}
		},
		"an access token of OAuth": func(t *testing.T, i *intruder) func() (bool, error) {
			t.Helper()
			grant, _ := i.consent(t)
			i.write(t, `INSERT INTO oauth_token (token_hash, grant_id, refresh, expires_at) VALUES ($1, $2, FALSE, $3)`, digestOf("mine"), grant.ID[:], i.later.UnixMicro())
			return func() (bool, error) {
				_, found, err := persistence.NewOAuth(i.db).Use(t.Context(), "mine", i.now)
				return found, err
			}
		},
		"a code of a share": func(t *testing.T, i *intruder) func() (bool, error) {
			t.Helper()
			share := storetest.NewID[document.Share]()
			i.write(t, `INSERT INTO share_code (share_id, code_hash, attempts, expires_at) VALUES ($1, $2, 0, $3)`, share[:], digestOf(share.String()+" mine"), i.later.UnixMicro())
			return func() (bool, error) {
				return persistence.NewDocuments(i.db).Visit(t.Context(), share, "mine", 5, i.now, "visit", i.later)
			}
		},
		"a visit of a share": func(t *testing.T, i *intruder) func() (bool, error) {
			t.Helper()
			share := storetest.NewID[document.Share]()
			i.write(t, `INSERT INTO share_visit (token_hash, share_id, expires_at) VALUES ($1, $2, $3)`, digestOf("mine"), share[:], i.later.UnixMicro())
			return func() (bool, error) { return persistence.NewDocuments(i.db).Visited(t.Context(), share, "mine", i.now) }
		},
		"a hook token": func(t *testing.T, i *intruder) func() (bool, error) {
			t.Helper()
			i.write(t, `INSERT INTO hook_token (hash, organization, id, created_at) VALUES ($1, $2, $3, 1)`, digestOf("mine"), i.eve.ID[:], i.eve.ID[:])
			return func() (bool, error) {
				_, found, err := persistence.NewHooks(i.db).Source(t.Context(), [32]byte(digestOf("mine")))
				return found, err
			}
		},
	}
}

func (i *intruder) consent(t *testing.T) (messages.APIToken, messages.OAuthCode) {
	t.Helper()
	client := messages.OAuthClient{ID: storetest.NewID[messages.OAuthClient](), CreatedAt: i.now}
	code := messages.OAuthCode{Code: "code", Client: client.ID, ExpiresAt: i.later}
	store, grant := persistence.NewOAuth(i.db), newAPIToken(i.eve.ID)
	must(t, store.AddClient(t.Context(), client))
	must(t, store.Consent(t.Context(), grant, code))
	return grant, code
}

func (i *intruder) tokens() messages.OAuthTokens {
	return messages.OAuthTokens{Access: "access", Refresh: "refresh", IssuedAt: i.now, AccessExpiresAt: i.later, RefreshExpireAt: i.later}
}

func TestWriterOfTheDatabaseIsNobodyElse(t *testing.T) {
	t.Parallel()
	for name, forge := range forgeries() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Each(t, func(t *testing.T, db *persistence.Database) {
				t.Helper()
				i := newIntruder(t, db)
				if name == "another entity" { // the column is unique
					i.write(t, `DELETE FROM users WHERE id = $1`, i.ada.ID[:])
				}
				if somebody, err := forge(t, i)(); err != nil || somebody {
					t.Errorf("accepted: %t, %v", somebody, err)
				}
			})
		})
	}
}

func TestChangeSignsNoAlteredUser(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		i := newIntruder(t, db)
		i.write(t, `UPDATE users SET site_admin = TRUE WHERE id = $1`, i.eve.ID[:])
		if i.users.ChangePassword(t.Context(), i.eve.ID, "hash of eve", "another", newMail(i.eve.Email)) == nil {
			t.Error("the password was changed")
		}
		if valid, _ := i.byUser(t, i.eve.ID)(); valid {
			t.Error("the alteration was signed")
		}
	})
}

// earlierKeyset returns the wrapped keyset of a version without signed rows.
func earlierKeyset(t *testing.T, key []byte) []byte {
	t.Helper()
	derived, err := hkdf.Key(sha256.New, key, nil, "equity keyset", 32)
	must(t, err)
	wrap, err := aeadsubtle.NewXChaCha20Poly1305(derived)
	must(t, err)
	handle, err := keyset.NewHandle(aead.XAES256GCM192BitNonceKeyTemplate())
	must(t, err)
	var wrapped bytes.Buffer
	must(t, handle.WriteWithAssociatedData(keyset.NewBinaryWriter(&wrapped), wrap, []byte("equity keyset")))
	return wrapped.Bytes()
}

func TestRowsOfAnEarlierVersionAreSignedOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *persistence.Database) {
		t.Helper()
		key, ada := bytes.Repeat([]byte("k"), 32), newUser("ada@example.org")
		must(t, persistence.NewUsers(db).Create(t.Context(), ada))
		made := newAPIToken(ada.ID)
		_, _, err := persistence.NewAPITokens(db).Create(t.Context(), messages.Once{At: storetest.Epoch()}, made, textOf, newMail("ada@example.org"))
		must(t, err)
		i := &intruder{db: db}
		i.write(t, `UPDATE users SET mac = NULL`)
		i.write(t, `UPDATE api_token SET mac = NULL`)
		i.write(t, `INSERT INTO secret (name, value, updated_at) VALUES ('.keyset', $1, 1)`, earlierKeyset(t, key))
		use := func(want bool) {
			t.Helper()
			secrets, err := persistence.OpenSecrets(t.Context(), db, key, storetest.Epoch)
			must(t, err)
			if _, found, err := persistence.NewAPITokens(db).Use(t.Context(), textOf(made.ID), storetest.Epoch()); err != nil || found != want {
				t.Errorf("found %t, %v, want %t", found, err, want)
			}
			must(t, secrets.Rotate(t.Context(), nil))
		}
		use(true)
		use(true) // after a rotation
		i.write(t, `UPDATE api_token SET mac = NULL`)
		use(false)
	})
}
