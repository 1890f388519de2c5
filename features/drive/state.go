package drive

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"equity/organization"
)

// signedState is the content of the state of a request for an authorization.
type signedState struct {
	Organization organization.ID     `json:"o"`
	User         organization.UserID `json:"u"`
	Nonce        string              `json:"n"`
	ExpiresAt    int64               `json:"e"` // seconds since 1970
}

// sign returns the state of a request: its content and the signature.
func (s *service) sign(r *Request) (string, error) {
	packed, err := json.Marshal(signedState{r.Organization, r.User, r.Nonce, r.ExpiresAt.Unix()})
	if err != nil {
		return "", fmt.Errorf("sign state: %w", err)
	}
	content := base64.RawURLEncoding.EncodeToString(packed)
	return content + "." + s.signature(content), nil
}

func (s *service) signature(content string) string {
	digest := hmac.New(sha256.New, s.StateKey)
	digest.Write([]byte("drive state " + content))
	return base64.RawURLEncoding.EncodeToString(digest.Sum(nil))
}

// verify returns the nonce of a valid state of the user in the organization.
func (s *service) verify(state string, id organization.ID, user organization.UserID) (nonce string, ok bool) {
	content, signature, found := strings.Cut(state, ".")
	if !found || !hmac.Equal([]byte(signature), []byte(s.signature(content))) {
		return "", false
	}
	packed, err := base64.RawURLEncoding.DecodeString(content)
	if err != nil {
		return "", false
	}
	var given signedState
	if err := json.Unmarshal(packed, &given); err != nil {
		return "", false
	}
	ok = given.Organization == id && given.User == user && s.Now().Before(time.Unix(given.ExpiresAt, 0))
	return given.Nonce, ok
}
