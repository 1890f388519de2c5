package chat

import (
	"net/http"
	"time"
)

// The cookies of the chat server. The server accepts an access token as the value of its session cookie. The cookie with its CSRF token is
// never set: the server checks such a token only if it is sent.
const (
	tokenCookie = "MMAUTHTOKEN"
	userCookie  = "MMUSERID"
)

// sessionCookies returns the cookies of a session for the frame of the chat, if a domain is set.
func sessionCookies(domain string, opened Session, now time.Time) []*http.Cookie {
	return cookies(domain, opened.Token, opened.ChatUser, max(int(opened.ExpiresAt.Sub(now).Seconds()), 1))
}

// expiredCookies returns the cookies that end the session of the frame, if a domain is set.
func expiredCookies(domain string) []*http.Cookie { return cookies(domain, "", "", -1) }

func cookies(domain, token, user string, maxAge int) []*http.Cookie {
	if domain == "" {
		return nil
	}
	cookie := func(name, value string, httpOnly bool) *http.Cookie {
		return &http.Cookie{ //nolint:gosec // scripts of the chat server read the id of the user
			Name: name, Value: value, Domain: domain, Path: "/", MaxAge: maxAge, HttpOnly: httpOnly, Secure: true,
			SameSite: http.SameSiteLaxMode,
		}
	}
	return []*http.Cookie{cookie(tokenCookie, token, true), cookie(userCookie, user, false)}
}
