package config

import (
	"net"
	"net/mail"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// sqliteScheme is the prefix of a DATABASE_URL with the path of an SQLite file.
const sqliteScheme = "sqlite://"

var domainPattern = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`)

// SQLitePath returns the path of the SQLite file, or false if the database is a
// PostgreSQL server.
func (c Config) SQLitePath() (string, bool) {
	return strings.CutPrefix(c.DatabaseURL.Reveal(), sqliteScheme)
}

func listenAddress() kind[string] {
	return kind[string]{
		expected: "host:port, for example 127.0.0.1:8080, or :8080 for every address of the machine",
		parse: func(text string) (string, bool) {
			_, port, err := net.SplitHostPort(text)
			if err != nil {
				return "", false
			}
			n, err := strconv.ParseUint(port, 10, 16)
			return text, err == nil && n <= 65535
		},
	}
}

func webAddress() kind[string] {
	return kind[string]{
		expected: "an address without query, for example https://equity.example.com",
		parse: func(text string) (string, bool) {
			u, err := url.Parse(text)
			if err != nil || !isWeb(u) || u.RawQuery != "" || u.Fragment != "" {
				return "", false
			}
			return strings.TrimRight(text, "/"), true
		},
	}
}

func webOrigin() kind[string] {
	return kind[string]{
		expected: "an origin without path, for example https://app.example.com",
		parse: func(text string) (string, bool) {
			u, err := url.Parse(text)
			if err != nil || !isWeb(u) {
				return "", false
			}
			origin := u.Scheme + "://" + u.Host
			return origin, strings.TrimRight(text, "/") == origin
		},
	}
}

// issuer accepts an issuer address unchanged, including a trailing slash: it must equal the iss claim of tokens.
func issuer() kind[string] {
	return kind[string]{
		expected: "an address without query, for example https://accounts.google.com",
		parse: func(text string) (string, bool) {
			_, ok := webAddress().parse(text)
			return text, ok
		},
	}
}

// subject is the placeholder for the user's id at the identity provider.
const subject = "{subject}"

func subjectAddress() kind[string] {
	return kind[string]{
		expected: "an address with " + subject + " in it, for example https://people.example.com/v1/" + subject + "/connections",
		parse: func(text string) (string, bool) {
			u, err := url.Parse(text)
			return text, err == nil && isWeb(u) && u.Fragment == "" && !strings.Contains(u.Host, subject) && strings.Contains(
				u.Path+u.RawQuery, subject,
			)
		},
	}
}

func isWeb(u *url.URL) bool {
	return (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil
}

func databaseURL() kind[Secret] {
	return kind[Secret]{
		expected: "postgres://USER:PASSWORD@HOST:PORT/NAME or sqlite://PATH",
		parse: func(text string) (Secret, bool) {
			if path, ok := strings.CutPrefix(text, sqliteScheme); ok {
				return Secret(text), path != ""
			}
			return serverURL(text, "postgres", "postgresql")
		},
		show: withoutPassword,
	}
}

func redisURL() kind[Secret] {
	return kind[Secret]{
		expected: "redis://:PASSWORD@HOST:PORT/NUMBER, or rediss:// for TLS",
		parse:    func(text string) (Secret, bool) { return serverURL(text, "redis", "rediss") },
		show:     withoutPassword,
	}
}

// serverURL checks that text is a URL with one of the schemes. The host may be
// missing: PostgreSQL reads the folder of a socket from the query.
func serverURL(text string, schemes ...string) (Secret, bool) {
	u, err := url.Parse(text)
	if err != nil || (u.Host == "" && u.RawQuery == "") {
		return "", false
	}
	return Secret(text), slices.Contains(schemes, u.Scheme)
}

// withoutPassword returns a URL with its password hidden. Text that is not a URL
// is hidden completely, because the position of the password is unknown.
func withoutPassword(text string) string {
	if strings.HasPrefix(text, sqliteScheme) {
		return text
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme == "" {
		return hidden
	}
	query := u.Query()
	if query.Has("password") {
		query.Set("password", hidden)
		u.RawQuery = query.Encode()
	}
	return u.Redacted()
}

func hostName() kind[string] {
	return kind[string]{
		expected: "the name or address of a host, without port",
		parse: func(text string) (string, bool) {
			return text, net.ParseIP(text) != nil || domainPattern.MatchString(strings.ToLower(text))
		},
	}
}

func mailAddress() kind[string] {
	return kind[string]{
		expected: "an e-mail address, for example Equity <no-reply@example.com>",
		parse: func(text string) (string, bool) {
			_, err := mail.ParseAddress(text)
			return text, err == nil
		},
	}
}
