package chat

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"equity/organization"
)

// tokenDescription marks the access tokens of this program at the chat server.
const tokenDescription = "equity"

// mostReplacements bounds the attempts to store a token while other servers replace it too.
const mostReplacements = 5

const (
	// mostEnds bounds the attempts to end the sessions of a revoked token while its holder makes requests.
	mostEnds = 10
	// lastRequest is the time after which requests that ran during the revocation of a token have ended.
	lastRequest = time.Second
)

var (
	errContended     = errors.New("the access token was replaced concurrently")
	errStillAccepted = errors.New("the chat server accepts a revoked access token")
)

// token returns a valid access token of the account. It is reused until its maximum age.
func (p *Provisioner) token(ctx context.Context, user organization.UserID, chatUser string) (Token, error) {
	for range mostReplacements {
		account, _, err := p.Accounts.Account(ctx, user)
		if err != nil {
			return Token{}, err
		}
		if valid, err := p.valid(ctx, account); err != nil || valid {
			return account.Token, err
		}
		made, stored, err := p.replaced(ctx, account, chatUser)
		if err != nil || stored {
			return made, err
		}
	}
	return Token{}, errContended
}

// valid reports whether the token is younger than the maximum age and does not end, and the chat server accepts it: its administrator may have revoked it.
func (p *Provisioner) valid(ctx context.Context, account Account) (bool, error) {
	token := account.Token
	if token.Secret == "" || account.Ending || !p.Now().Before(token.IssuedAt.Add(p.MaxTokenAge)) {
		return false, nil
	}
	found, _, err := p.server.GetUserAccessToken(ctx, token.ID)
	if isMissing(err) {
		return false, nil
	}
	return err == nil && found.IsActive, wrapped("read access token", err)
}

// replaced revokes the token of the account, if any, and stores a new one. It revokes first, so that no failure leaves a valid token
// that is not stored as such. It returns false if another server was faster.
func (p *Provisioner) replaced(ctx context.Context, account Account, chatUser string) (Token, bool, error) {
	if account.Token.ID != "" {
		if err := p.revoke(ctx, account.Token.ID); err != nil {
			return Token{}, false, err
		}
	}
	made, _, err := p.server.CreateUserAccessToken(ctx, chatUser, tokenDescription, 0)
	if err != nil {
		return Token{}, false, fmt.Errorf("create access token: %w", err)
	}
	token := Token{ID: made.Id, Secret: made.Token, IssuedAt: p.Now().UTC().Truncate(time.Microsecond)}
	stored, err := p.Accounts.ReplaceToken(ctx, account.User, account.Token.ID, token)
	if err != nil || !stored {
		err = errors.Join(err, p.revoke(context.WithoutCancel(ctx), made.Id))
	}
	return token, stored, err
}

// revoke ends a token. A token that does not exist is no error.
func (p *Provisioner) revoke(ctx context.Context, token string) error {
	_, err := p.server.RevokeUserAccessToken(ctx, token)
	if isMissing(err) || statusOf(err) == http.StatusBadRequest {
		return nil
	}
	return wrapped("revoke access token", err)
}

// revokeAll ends all tokens of this program for the account, including those that no server stored because of a crash.
func (p *Provisioner) revokeAll(ctx context.Context, account Account) error {
	if account.Token.ID != "" {
		if err := p.revoke(ctx, account.Token.ID); err != nil {
			return err
		}
	}
	tokens, _, err := p.server.GetUserAccessTokensForUser(ctx, account.ChatUser, 0, pageSize)
	if err != nil && !isMissing(err) {
		return fmt.Errorf("list access tokens: %w", err)
	}
	for _, token := range tokens {
		if token.Description == tokenDescription {
			if err := p.revoke(ctx, token.Id); err != nil {
				return err
			}
		}
	}
	if account.Token.ID == "" {
		return nil
	}
	if err := p.endSessions(ctx, account); err != nil {
		return err
	}
	_, err = p.Accounts.ReplaceToken(ctx, account.User, account.Token.ID, Token{})
	return err
}

// endSessions makes the chat server refuse the revoked token of the account. A request that runs during the revocation can store the session
// of the token again, and requests that follow keep it. The token is therefore refused only if it still is when such a request has ended.
func (p *Provisioner) endSessions(ctx context.Context, account Account) error {
	refused := false
	for range mostEnds {
		accepted, err := p.accepts(ctx, account.Token.Secret)
		switch {
		case err != nil || !accepted && refused:
			return err
		case !accepted:
			refused = true
			if err := wait(ctx, lastRequest); err != nil {
				return err
			}
			continue
		}
		refused = false
		if _, err := p.server.RevokeAllSessions(ctx, account.ChatUser); err != nil {
			return fmt.Errorf("end sessions: %w", err)
		}
	}
	return errStillAccepted
}

// wait waits for the duration in real time: the chat server does not follow the clock of a test.
func wait(ctx context.Context, duration time.Duration) error {
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// accepts reports whether the chat server accepts the access token.
func (p *Provisioner) accepts(ctx context.Context, secret string) (bool, error) {
	_, _, err := p.server.as(p.URL, secret).GetMe(ctx, "")
	if statusOf(err) == http.StatusUnauthorized {
		return false, nil
	}
	return err == nil, wrapped("use access token", err)
}

// CheckToken reports whether the chat server accepts the stored token of the user.
func (p *Provisioner) CheckToken(ctx context.Context, user organization.UserID) (TokenState, error) {
	account, _, err := p.Accounts.Account(ctx, user)
	switch {
	case err != nil:
		return "", err
	case account.Token.Secret == "":
		return TokenNone, nil
	}
	accepted, err := p.accepts(ctx, account.Token.Secret)
	switch {
	case err == nil && accepted:
		return TokenValid, nil
	case err == nil:
		return TokenInvalid, nil
	}
	p.Log.Warn("chat token not checked", "cause", err)
	return TokenUnchecked, nil
}
