package config_test

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"equity/config"
)

func TestInvalidValuesAreNamed(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, value, want string }{
		{"ENVIRONMENT", "prod", `ENVIRONMENT is "prod" (from the environment), but must be one of development, test, production`},
		{"LISTEN", "8080", `LISTEN is "8080" (from the environment), but must be host:port`},
		{"LISTEN", "127.0.0.1:http", "must be host:port"},
		{"METRICS_LISTEN", "127.0.0.1:65536", "must be host:port"},
		{"PUBLIC_URL", "equity.example", "must be an origin"},
		{"PUBLIC_URL", "https://user:pw@equity.example", "must be an origin"},
		{"PUBLIC_URL", "https://equity.example/app", "must be an origin without path"},
		{"PUBLIC_URL", "https://equity.example?a=1", "must be an origin"},
		{"FRONTEND_ORIGIN", "https://equity.example/app", "must be an origin"},
		{"TRUSTED_PROXIES", "10.0.0.0/33", "must be networks"},
		{"SHUTDOWN_TIMEOUT", "30", "must be a time span from 1s to 1h, such as"},
		{"SHUTDOWN_TIMEOUT", "2h", "must be a time span"},
		{"LOG_LEVEL", "INFO+1", "must be one of debug, info, warn, error"},
		{"DATABASE_URL", "mysql://u:p@h/db", `DATABASE_URL is "mysql://u:xxxxx@h/db" (from the environment), but must be postgres://`},
		{"DATABASE_URL", "sqlite://", "must be postgres://"},
		{"DATABASE_URL", "postgres:", "must be postgres://"},
		{"DATABASE_URL", "equity secret", "DATABASE_URL is set to another value"},
		{"REDIS_URL", "localhost:6379", "must be redis://"},
		{"DATABASE_CONNECTIONS", "1", "must be a whole number from 2 to 1000"},
		{"SNAPSHOT_EVERY", "1e3", "must be a whole number"},
		{"SECRET_KEY", "c2hvcnQ=", "SECRET_KEY is set to another value (from the environment), but must be 32 bytes in base64"},
		{"API_SESSION_MAX_AGE", "7d", "must be a whole number from 1000 to 31536000000 (milliseconds)"},
		{"EMAIL_VERIFICATION_LIMIT_SECONDS", "-1", "must be a whole number from 0 to 604800 (seconds)"},
		{"SMTP_HOST", "mail.example:25", "must be the name or address of a host"},
		{"SMTP_PORT", "0", "must be a whole number from 1 to 65535"},
		{"SMTP_SECURITY", "ssl", "must be one of starttls, tls, none"},
		{"IDP_ISSUER", "accounts.google.com", "must be an address"},
		{"IDP_CONTACTS_URL", "https://p.example/people", "must be an address"},
		{"IDP_CONTACTS_URL", "https://{subject}.example/0", "must be an address"},
		{"IDP_CONTACTS_URL", "ftp://p.example/{subject}", "must be an address"},
		{"SMTP_FROM", "Equity", "must be an e-mail address"},
	} {
		t.Run(test.name+"="+test.value, func(t *testing.T) {
			t.Parallel()
			_, err := load(variables{test.name: test.value})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error is %v, want one that contains %q", err, test.want)
			}
		})
	}
}

func TestAllInvalidValuesAreNamedAtOnce(t *testing.T) {
	t.Parallel()
	_, err := load(variables{"LISTEN": "x", "SMTP_PORT": "x", "LOG_FORMAT": "xml"})
	var problems config.SettingsError
	if !errors.As(err, &problems) || len(problems) != 3 {
		t.Fatalf("error is %v, want three problems", err)
	}
	want := "3 settings are invalid:\n  LISTEN is "
	if !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error is %s", err)
	}
}

func TestContradictorySettingsAreNamed(t *testing.T) {
	t.Parallel()
	production := func(more variables) variables {
		set := variables{"ENVIRONMENT": "production", "SECRET_KEY": key, "PUBLIC_URL": "https://e.example"}
		maps.Copy(set, more)
		return set
	}
	for _, test := range []struct {
		claim string
		set   variables
		want  string
	}{
		{"the listeners need different addresses", variables{"METRICS_LISTEN": "127.0.0.1:8080"}, "METRICS_LISTEN is the address of LISTEN"},
		{"the absolute age of sessions is at least the idle age", variables{"API_SESSION_ABSOLUTE_AGE": "1000"}, "API_SESSION_ABSOLUTE_AGE is less"},
		{"a mail user needs a password", variables{"SMTP_HOST": "h", "SMTP_USERNAME": "u"}, "SMTP_PASSWORD is not set"},
		{"a mail password needs a user", variables{"SMTP_HOST": "h", "SMTP_PASSWORD": "p"}, "SMTP_USERNAME is not set"},
		{"a mail user needs a server", variables{"SMTP_USERNAME": "u", "SMTP_PASSWORD": "p"}, "SMTP_HOST is not set"},
		{
			"a mail password needs encryption",
			variables{"SMTP_HOST": "h", "SMTP_USERNAME": "u", "SMTP_PASSWORD": "p", "SMTP_SECURITY": "none"},
			"SMTP_SECURITY is none",
		},
		{"a provider needs a client", variables{"IDP_ISSUER": "https://id.example"}, "IDP_CLIENT_ID is not set"},
		{"contacts need a provider", variables{"IDP_CONTACTS_URL": "https://p.example/{subject}", "IDP_CONTACTS_TOKEN": "t"}, "IDP_ISSUER is not set"},
		{"contacts need a token", variables{"IDP_ISSUER": "https://id.example", "IDP_CLIENT_ID": "c", "IDP_CONTACTS_URL": "https://p.example/{subject}"}, "IDP_CONTACTS_TOKEN is not set"},
		{"a token needs contacts", variables{"IDP_CONTACTS_TOKEN": "t"}, "IDP_CONTACTS_URL is not set"},
		{"a client needs a provider", variables{"IDP_CLIENT_ID": "c"}, "IDP_ISSUER is not set"},
		{"production needs an issuer with HTTPS", production(variables{"IDP_ISSUER": "http://id.example", "IDP_CLIENT_ID": "c"}), "IDP_ISSUER must start"},
		{"production needs a key", production(variables{"SECRET_KEY": ""}), "SECRET_KEY is not set"},
		{"production needs HTTPS", production(variables{"PUBLIC_URL": "http://e.example"}), "PUBLIC_URL is \"http://e.example\""},
		{"production needs a public address", production(variables{"PUBLIC_URL": ""}), "PUBLIC_URL is \"\""},
	} {
		t.Run(test.claim, func(t *testing.T) {
			t.Parallel()
			_, err := load(test.set)
			if err == nil || !strings.Contains(err.Error(), "a setting is invalid: "+test.want) {
				t.Errorf("error is %v, want one that contains only %q", err, test.want)
			}
		})
	}
}
