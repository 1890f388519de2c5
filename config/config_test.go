package config_test

import (
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"

	"equity/config"
)

// key is 32 zero bytes in base64.
const key = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

type variables map[string]string

func (v variables) lookup(name string) (string, bool) {
	text, ok := v[name]
	return text, ok
}

func load(v variables) (config.Config, error) {
	return config.Load(config.Source{Environment: v.lookup})
}

func TestDefaultsNeedNoOtherService(t *testing.T) {
	t.Parallel()
	c, err := load(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := config.Config{
		Environment: config.Development, Listen: "127.0.0.1:8080", MetricsListen: "127.0.0.1:9090",
		TrustedProxies:  []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")},
		Imports:         config.Imports{Parallel: 3, FileBytes: 20 << 20, Rows: 10_000, PackageBytes: 256 << 20, PackageObjects: 600_000},
		ShutdownTimeout: 30 * time.Second, StoreTimeout: 5 * time.Second, MaintenanceTimeout: time.Hour, RequestQueueTimeout: time.Second,
		ClockSkewLimit: 24 * time.Hour, ClockStopLimit: 30 * 24 * time.Hour, StaleReads: 5 * time.Minute, SessionGrace: time.Minute,
		LogLevel: slog.LevelInfo, LogFormat: config.LogText,
		Telemetry:     config.Telemetry{Service: "equity", OneIn: 1, MetricsEvery: time.Minute},
		DataDirectory: "./data", DatabaseURL: "sqlite://./data/equity.db", DatabaseConnections: 16,
		PassivateAfter: 15 * time.Minute, LiveOrganizations: 10_000, SnapshotEvery: 1000,
		SessionMaxAge: 7 * 24 * time.Hour, SessionAbsoluteAge: 30 * 24 * time.Hour,
		RegistrationIPLimit: 20, EmailVerificationLimit: 30 * time.Minute,
		BillingGraceDays: 14,
		Files:            config.Files{Region: "us-east-1", FileMegabytes: 10, DocumentMegabytes: 10, OrganizationMegabytes: 20480},
		Anchors:          config.Anchors{Mail: "false"},
		OfficeSuite:      config.OfficeSuite{URL: "https://graph.microsoft.com/v1.0", LoginURL: "https://login.microsoftonline.com"},
		Agent: config.Agent{
			Enabled: "true", Provider: config.AgentOpenAI, MaxOutputTokens: 4096,
			ToolCallsPerMinute: 30, WritesPerMinute: 10, DestructivePerHour: 5, ConfirmWrites: "true",
		},
		Hooks:         config.Hooks{Listen: "127.0.0.1:8081", Profile: "compatible"},
		Cluster:       config.Cluster{Heartbeat: 250 * time.Millisecond},
		MailDirectory: "./data/mail", SMTPPort: 587, SMTPSecurity: config.MailStartTLS, SMTPFrom: "Equity <no-reply@localhost>",
	}
	if got, want := fmt.Sprintf("%+v", c), fmt.Sprintf("%+v", want); got != want {
		t.Errorf("defaults are\n%s\nwant\n%s", got, want)
	}
	if path, ok := c.SQLitePath(); !ok || path != "./data/equity.db" {
		t.Errorf("SQLite file %q, %t", path, ok)
	}
	if notes := strings.Join(c.Embedded(), "\n"); !strings.Contains(
		notes, "./data/equity.db",
	) || !strings.Contains(notes, "REDIS_URL") || !strings.Contains(notes, "./data/mail") {
		t.Errorf("the notes at start do not list the embedded services:\n%s", notes)
	}
}

func TestValuesReachTheirFields(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		claim string
		set   variables
		field func(config.Config) any
		want  string
	}{
		{"production logs JSON", variables{"ENVIRONMENT": "production", "SECRET_KEY": key, "PUBLIC_URL": "https://e.example"}, func(c config.Config) any { return c.LogFormat }, "json"},
		{"a chosen log format stays", variables{"LOG_FORMAT": "json"}, func(c config.Config) any { return c.LogFormat }, "json"},
		{"the log level is read", variables{"LOG_LEVEL": "debug"}, func(c config.Config) any { return c.LogLevel }, "DEBUG"},
		{
			"port 0 is any free port, twice",
			variables{"LISTEN": "127.0.0.1:0", "METRICS_LISTEN": "127.0.0.1:0"},
			func(c config.Config) any { return c.MetricsListen }, "127.0.0.1:0",
		},
		{"a trailing slash of the public address is removed", variables{"PUBLIC_URL": "https://e.example/"}, func(c config.Config) any { return c.PublicURL }, "https://e.example"},
		{"a trailing slash of an origin is removed", variables{"FRONTEND_ORIGIN": "http://localhost:5173/"}, func(c config.Config) any { return c.FrontendOrigin }, "http://localhost:5173"},
		{
			"a proxy may be a single address",
			variables{"TRUSTED_PROXIES": "192.0.2.7, 10.1.2.3/8"},
			func(c config.Config) any { return c.TrustedProxies }, "[192.0.2.7/32 10.0.0.0/8]",
		},
		{"none trusts no proxy", variables{"TRUSTED_PROXIES": "none"}, func(c config.Config) any { return c.TrustedProxies }, "[]"},
		{"an empty value is not set", variables{"LISTEN": ""}, func(c config.Config) any { return c.Listen }, "127.0.0.1:8080"},
		{"files follow the data directory", variables{"DATA_DIRECTORY": "/srv/e"}, func(c config.Config) any { return c.DatabaseURL.Reveal() + " " + c.MailDirectory }, "sqlite:///srv/e/equity.db /srv/e/mail"},
		{
			"a configured value is not expanded",
			variables{"SMTP_PASSWORD": "${LISTEN}", "SMTP_USERNAME": "u", "SMTP_HOST": "mail.example"},
			func(c config.Config) any { return c.SMTPPassword.Reveal() }, "${LISTEN}",
		},
		{
			"a session's age is in milliseconds",
			variables{"API_SESSION_MAX_AGE": "90000"},
			func(c config.Config) any { return c.SessionMaxAge }, "1m30s",
		},
		{
			"the mail cooldown is in seconds",
			variables{"EMAIL_VERIFICATION_LIMIT_SECONDS": "0"},
			func(c config.Config) any { return c.EmailVerificationLimit }, "0s",
		},
		{"PostgreSQL may listen on a socket", variables{"DATABASE_URL": "postgres:///equity?host=/run/postgresql"}, func(c config.Config) any { return c.DatabaseURL.Reveal() }, "postgres:///equity?host=/run/postgresql"},
		{
			"a rotation has two secrets",
			variables{"BILLING_SECRET_KEY": "k", "BILLING_WEBHOOK_SECRET": "one, two"},
			func(c config.Config) any { return len(c.BillingWebhookSecrets) }, "2",
		},
		{"real services leave nothing embedded", variables{"DATABASE_URL": "postgres://h/e", "REDIS_URL": "redis://h:6379/0", "SMTP_HOST": "mail.example", "BILLING_SECRET_KEY": "k", "BILLING_WEBHOOK_SECRET": "s", "STORE_URL": "https://s3.example", "STORE_ACCESS_KEY": "k", "STORE_SECRET_KEY": "s", "STORE_BUCKET": "b", "OFFICE_SUITE_TENANT_ID": "t", "OFFICE_SUITE_CLIENT_ID": "i", "OFFICE_SUITE_CLIENT_SECRET": "s", "OFFICE_SUITE_DRIVE_ID": "d", "AGENT_API_KEY": "k", "AGENT_MODEL": "m", "HOOKS_ENABLED": "true", "HOOKS_TOKEN": "h"}, func(c config.Config) any { return c.Embedded() }, "[]"},
	} {
		t.Run(test.claim, func(t *testing.T) {
			t.Parallel()
			c, err := load(test.set)
			if err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(test.field(c)); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestFlagOverridesEnvironment(t *testing.T) {
	t.Parallel()
	c, err := config.Load(config.Source{
		Environment: variables{"LISTEN": ":1", "REDIS_URL": "redis://h:1"}.lookup,
		Flags:       map[string]string{"LISTEN": ":2", "REDIS_URL": ""},
	})
	if err != nil {
		t.Fatal(err)
	}
	if c.Listen != ":2" || c.RedisURL.Reveal() != "redis://h:1" {
		t.Errorf("got %s and %s", c.Listen, c.RedisURL.Reveal())
	}
}
