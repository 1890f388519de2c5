package identity

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode"

	"github.com/coreos/go-oidc/v3/oidc"

	"equity/account"
	"equity/http/schema"
	"equity/messages"
)

// Verify returns the claims of an ID token. The error is [account.ErrInvalidToken] for an invalid token. Any other error means
// that the provider was not available.
func (p *Provider) Verify(ctx context.Context, token string) (messages.Claims, error) {
	found, err := p.published(ctx)
	if err != nil {
		return messages.Claims{}, err
	}
	asked := &asking{keys: found.keys}
	verified, err := oidc.NewVerifier(p.settings.Issuer, asked, &oidc.Config{
		ClientID: p.settings.Audience, SupportedSigningAlgs: algorithms(), Now: p.settings.Now,
	}).Verify(ctx, token)
	if asked.failure != nil {
		return messages.Claims{}, fmt.Errorf("keys of %s: %w", p.settings.Issuer, asked.failure)
	}
	if err != nil {
		return messages.Claims{}, fmt.Errorf("%w: %w", account.ErrInvalidToken, err)
	}
	claims, err := p.claims(verified)
	if err != nil {
		return messages.Claims{}, err
	}
	// The digest covers the signed payload. The token itself has several spellings with the same meaning.
	claims.Digest = sha256.Sum256(asked.signed)
	return claims, nil
}

// algorithms returns the accepted public-key algorithms. With a shared-key algorithm, any holder of the client
// secret could sign.
func algorithms() []string {
	return []string{
		oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.EdDSA,
	}
}

// asking is a key set that distinguishes an unavailable provider from an invalid signature, which the library
// reports alike. It also keeps the signed payload.
type asking struct {
	keys    oidc.KeySet
	signed  []byte
	failure error
}

// VerifySignature returns the signed payload.
func (a *asking) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	signed, err := a.keys.VerifySignature(ctx, token)
	if _, unreachable := errors.AsType[*url.Error](err); unreachable {
		a.failure = err
	}
	a.signed = signed
	return signed, err
}

// claimed contains the claims about the person (OpenID Connect Core 1.0, 5.1).
type claimed struct {
	Party      string   `json:"azp"`
	Email      string   `json:"email"`
	Verified   verified `json:"email_verified"`
	Name       string   `json:"name"`
	GivenName  string   `json:"given_name"`
	FamilyName string   `json:"family_name"`
}

// verified is a boolean. Some providers encode it as a string.
type verified bool

// UnmarshalJSON decodes true and "true" as true, and everything else as false.
func (v *verified) UnmarshalJSON(text []byte) error {
	*v = verified(strings.Trim(string(text), `"`) == "true")
	return nil
}

var _ json.Unmarshaler = (*verified)(nil)

func (p *Provider) claims(token *oidc.IDToken) (messages.Claims, error) {
	var said claimed
	if err := token.Claims(&said); err != nil {
		return messages.Claims{}, fmt.Errorf("%w: %w", account.ErrInvalidToken, err)
	}
	if !isSubject(token.Subject) {
		return messages.Claims{}, fmt.Errorf("%w: invalid subject", account.ErrInvalidToken)
	}
	several := len(token.Audience) > 1
	if (several || said.Party != "") && said.Party != p.settings.Audience { // 3.1.3.7, rules 4 and 5
		return messages.Claims{}, fmt.Errorf("%w: it was issued to %q", account.ErrInvalidToken, said.Party)
	}
	first, last := oneLine(said.GivenName), oneLine(said.FamilyName)
	if first == "" && last == "" {
		first, last, _ = strings.Cut(oneLine(said.Name), " ")
	}
	email := strings.TrimSpace(said.Email)
	if !schema.IsEmail(email) { // an invalid address counts as absent
		email = ""
	}
	return messages.Claims{
		Identity: messages.Identity{Issuer: token.Issuer, Subject: token.Subject},
		Email:    email, EmailVerified: bool(said.Verified), FirstName: first, LastName: last, ExpiresAt: token.Expiry,
	}, nil
}

// isSubject reports whether the subject is valid (OpenID Connect Core 1.0, 2): ASCII, at most 255 characters.
func isSubject(subject string) bool {
	const longest = 255
	shapeless := func(r rune) bool { return r < ' ' || r > '~' }
	return subject != "" && len(subject) <= longest && !strings.ContainsFunc(subject, shapeless)
}

// oneLine converts a name from the provider to a valid name of an account.
func oneLine(name string) string {
	const longest = 200
	line := strings.Join(strings.FieldsFunc(name, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
	}), " ")
	if letters := []rune(line); len(letters) > longest {
		line = strings.TrimSpace(string(letters[:longest]))
	}
	return line
}
