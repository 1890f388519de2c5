package identity_test

import (
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/oauth2-proxy/mockoidc"

	"equity/account"
	"equity/http/identity"
	"equity/http/identity/identitytest"
	"equity/messages"
)

func noon() time.Time { return time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC) }

func setup(t *testing.T) (*identitytest.Issuer, *identity.Provider) {
	t.Helper()
	issuer := identitytest.New(t, noon)
	return issuer, identity.New(identity.Settings{Issuer: issuer.Mock.Issuer(), Audience: issuer.Mock.ClientID, Now: noon})
}

// Several base64 texts decode to the same bytes, and white space between them is ignored.
func TestSpellingsOfATokenHaveOneDigest(t *testing.T) {
	t.Parallel()
	issuer, provider := setup(t)
	token := issuer.Token(t, "1", "ada@example.com")
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	turned := func(end int) string { // changes an unused trailing bit, if the length has one
		return token[:end] + string(digits[strings.IndexByte(digits, token[end])^1]) + token[end+1:]
	}
	header, signature := strings.IndexByte(token, '.'), strings.LastIndexByte(token, '.')
	known, accepted := map[[32]byte]bool{}, 0
	for _, written := range []string{
		token, " " + token, token + "\n", token[:10] + "\t" + token[10:], turned(header - 1), turned(signature - 1), turned(len(token) - 1),
	} {
		got, err := provider.Verify(t.Context(), written)
		if err == nil {
			known[got.Digest], accepted = true, accepted+1
		}
	}
	if len(known) != 1 || accepted < 3 {
		t.Errorf("%d digests of %d accepted tokens", len(known), accepted)
	}
	if other, err := provider.Verify(t.Context(), issuer.Token(t, "1", "ada@example.com")); err != nil || known[other.Digest] {
		t.Errorf("another token has the same digest: %v", err)
	}
}

func TestValidTokenHasItsClaims(t *testing.T) {
	t.Parallel()
	issuer, provider := setup(t)
	for claim, c := range map[string]struct {
		change map[string]any
		want   messages.Claims
	}{
		"with names": {nil, messages.Claims{Email: "ada@example.com", EmailVerified: true, FirstName: "Ada", LastName: "Lovelace"}},
		"with one name": {
			map[string]any{"given_name": nil, "family_name": nil, "name": " Cher "},
			messages.Claims{Email: "ada@example.com", EmailVerified: true, FirstName: "Cher"},
		},
		"with a whole name": {
			map[string]any{"given_name": nil, "family_name": nil, "name": "Ada King Lovelace"},
			messages.Claims{Email: "ada@example.com", EmailVerified: true, FirstName: "Ada", LastName: "King Lovelace"},
		},
		"verified as text": {
			map[string]any{"email_verified": "true"},
			messages.Claims{Email: "ada@example.com", EmailVerified: true, FirstName: "Ada", LastName: "Lovelace"},
		},
		"not verified": {
			map[string]any{"email_verified": false}, messages.Claims{Email: "ada@example.com", FirstName: "Ada", LastName: "Lovelace"},
		},
		"without verification": {
			map[string]any{"email_verified": nil}, messages.Claims{Email: "ada@example.com", FirstName: "Ada", LastName: "Lovelace"},
		},
		"with an invalid address": {
			map[string]any{"email": "ada@example.com\r\nBcc: bob@example.com"},
			messages.Claims{EmailVerified: true, FirstName: "Ada", LastName: "Lovelace"},
		},
		"with names of two lines": {
			map[string]any{"given_name": "Ada\r\nBcc:\x00 ", "family_name": strings.Repeat("é", 300)},
			messages.Claims{Email: "ada@example.com", EmailVerified: true, FirstName: "Ada Bcc:", LastName: strings.Repeat("é", 200)},
		},
		"for two audiences, issued to us": {
			map[string]any{"aud": []string{"another", issuer.Mock.ClientID}, "azp": issuer.Mock.ClientID},
			messages.Claims{Email: "ada@example.com", EmailVerified: true, FirstName: "Ada", LastName: "Lovelace"},
		},
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			c.want.Identity = messages.Identity{Issuer: issuer.Mock.Issuer(), Subject: "1"}
			got, err := provider.Verify(t.Context(), issuer.Token(t, "1", "ada@example.com", c.change))
			if got.Digest == [32]byte{} || !got.ExpiresAt.Equal(noon().Add(time.Hour)) {
				t.Errorf("it has no digest or a wrong expiry: %+v", got)
			}
			got.Digest, got.ExpiresAt = [32]byte{}, time.Time{}
			if err != nil || got != c.want {
				t.Errorf("%+v %v", got, err)
			}
		})
	}
}

func TestInvalidTokenIsRefused(t *testing.T) {
	t.Parallel()
	issuer, provider := setup(t)
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	stranger, err := mockoidc.NewKeypair(key)
	if err != nil {
		t.Fatal(err)
	}
	sign := func(method jwt.SigningMethod, key any) string {
		token, err := jwt.NewWithClaims(method, issuer.Claims("1", "ada@example.com")).SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return token
	}
	forged, err := stranger.SignJWT(issuer.Claims("1", "ada@example.com"))
	if err != nil {
		t.Fatal(err)
	}
	good := issuer.Token(t, "1", "ada@example.com")
	parts, other := strings.Split(good, "."), strings.Split(issuer.Token(t, "2", "bob@example.com"), ".")
	with := func(name string, value any) string {
		return issuer.Token(t, "1", "ada@example.com", map[string]any{name: value})
	}
	for claim, token := range map[string]string{
		"by another's key":                        forged,
		"without a signing key":                   sign(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType),
		"by the client's secret":                  sign(jwt.SigningMethodHS256, []byte(issuer.Mock.ClientSecret)),
		"with other claims":                       parts[0] + "." + other[1] + "." + parts[2],
		"without its signature":                   parts[0] + "." + parts[1] + ".",
		"for another client":                      with("aud", "another"),
		"for two, issued to another":              with("aud", []string{"another", issuer.Mock.ClientID}),
		"for us, issued to another":               with("azp", "another"),
		"without an audience":                     with("aud", nil),
		"of another issuer":                       with("iss", "https://evil.example"),
		"that has expired":                        with("exp", noon().Add(-time.Second).Unix()),
		"that never expires":                      with("exp", nil),
		"that is not valid yet":                   with("nbf", noon().Add(time.Hour).Unix()),
		"without a subject":                       with("sub", ""),
		"with a control character in the subject": with("sub", "1\x00"),
		"with a long subject":                     with("sub", strings.Repeat("1", 256)),
		"that is not a token":                     "no token",
		"that is empty":                           "",
		"with claims of a wrong type":             with("email", []string{"ada@example.com"}),
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			got, err := provider.Verify(t.Context(), token)
			if !errors.Is(err, account.ErrInvalidToken) || got != (messages.Claims{}) {
				t.Errorf("%+v %v", got, err)
			}
			if err != nil && token != "" && strings.Contains(err.Error(), token) {
				t.Errorf("the error repeats the token: %v", err)
			}
		})
	}
}
