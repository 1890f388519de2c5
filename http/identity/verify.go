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

	"equity/http/schema"
	"equity/messages"
)

// ErrRefused is the error of a token that is not good, whatever is wrong with it. The cause that it is wrapped with is
// for the log.
var ErrRefused = errors.New("identity token refused")

// Verify reads an ID token. The error is ErrRefused when the token is not good, and another one when the provider could
// not be asked.
func (p *Provider) Verify(ctx context.Context, token string) (messages.Claims, error) {
	keys, err := p.published(ctx)
	if err != nil {
		return messages.Claims{}, err
	}
	asked := &asking{keys: keys}
	verified, err := oidc.NewVerifier(p.settings.Issuer, asked, &oidc.Config{
		ClientID: p.settings.Audience, SupportedSigningAlgs: algorithms(), Now: p.settings.Now,
	}).Verify(ctx, token)
	if asked.failure != nil {
		return messages.Claims{}, fmt.Errorf("keys of %s: %w", p.settings.Issuer, asked.failure)
	}
	if err != nil {
		return messages.Claims{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	claims, err := p.claims(verified)
	if err != nil {
		return messages.Claims{}, err
	}
	// What was signed, and not the token: each of its parts may be written in more than one way.
	claims.Digest = sha256.Sum256(asked.signed)
	return claims, nil
}

// algorithms are those with a public key. With a shared one, whoever knows the client's secret could sign.
func algorithms() []string {
	return []string{
		oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.EdDSA,
	}
}

// asking tells a provider that does not answer from a signature that does not fit, which the library tells alike, and keeps
// what was signed.
type asking struct {
	keys    oidc.KeySet
	signed  []byte
	failure error
}

// VerifySignature gives what was signed.
func (a *asking) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	signed, err := a.keys.VerifySignature(ctx, token)
	if _, unreachable := errors.AsType[*url.Error](err); unreachable {
		a.failure = err
	}
	a.signed = signed
	return signed, err
}

// claimed is what a token says of the person, as OpenID Connect Core names it (5.1).
type claimed struct {
	Party      string   `json:"azp"`
	Email      string   `json:"email"`
	Verified   verified `json:"email_verified"`
	Name       string   `json:"name"`
	GivenName  string   `json:"given_name"`
	FamilyName string   `json:"family_name"`
}

// verified is a boolean that some providers write as text.
type verified bool

// UnmarshalJSON reads true and "true"; anything else is no.
func (v *verified) UnmarshalJSON(text []byte) error {
	*v = verified(strings.Trim(string(text), `"`) == "true")
	return nil
}

var _ json.Unmarshaler = (*verified)(nil)

func (p *Provider) claims(token *oidc.IDToken) (messages.Claims, error) {
	var said claimed
	if err := token.Claims(&said); err != nil {
		return messages.Claims{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	if !isSubject(token.Subject) {
		return messages.Claims{}, fmt.Errorf("%w: it names nobody", ErrRefused)
	}
	several := len(token.Audience) > 1
	if (several || said.Party != "") && said.Party != p.settings.Audience { // 3.1.3.7, rules 4 and 5
		return messages.Claims{}, fmt.Errorf("%w: it was issued to %q", ErrRefused, said.Party)
	}
	first, last := oneLine(said.GivenName), oneLine(said.FamilyName)
	if first == "" && last == "" {
		first, last, _ = strings.Cut(oneLine(said.Name), " ")
	}
	email := strings.TrimSpace(said.Email)
	if !schema.IsEmail(email) { // none is better than one that nobody could write to
		email = ""
	}
	return messages.Claims{
		Identity: messages.Identity{Issuer: token.Issuer, Subject: token.Subject},
		Email:    email, EmailVerified: bool(said.Verified), FirstName: first, LastName: last, ExpiresAt: token.Expiry,
	}, nil
}

// isSubject wants what the specification lets a subject be (OpenID Connect Core, 2): ASCII, at most 255 characters.
func isSubject(subject string) bool {
	const longest = 255
	shapeless := func(r rune) bool { return r < ' ' || r > '~' }
	return subject != "" && len(subject) <= longest && !strings.ContainsFunc(subject, shapeless)
}

// oneLine makes a name, which people may choose at their provider as they like, one that could be registered here.
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
