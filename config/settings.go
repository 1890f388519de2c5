package config

import (
	"log/slog"
	"net/netip"
	"time"
)

// Setting describes one setting.
type Setting struct {
	Name     string // name of the environment variable and of the key in the file
	Group    string // heading in listings
	Default  string // ${NAME} is replaced by the value of another setting; "" for no default
	Meaning  string // description in full sentences
	Expected string // completes "must be"
	Secret   bool   // never printed

	replacement string                            // of a removed setting, see removed
	set         func(c *Config, text string) bool // returns false if text is invalid
	show        func(text string) string          // removes secret parts
	wrong       func(c Config) string             // of a setting of a room, see Unless
}

// Settings lists all settings of the core in the order in which they are displayed. Those of rooms follow; see [Source].
func Settings() []Setting {
	lists := [][]Setting{
		serverSettings(), importSettings(), logSettings(), telemetrySettings(), storageSettings(), secretSettings(), anchorSettings(),
		accountSettings(),
		providerSettings(), billingSettings(), mailSettings(), fileSettings(),
		officeSettings(),
		agentSettings(), hookSettings(), clusterSettings(),
	}
	var all []Setting
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// define describes a setting that is stored in one field of Config.
func define[V any](group, name, value string, k kind[V], field func(*Config) *V, meaning string) Setting {
	return Setting{
		Name: name, Group: group, Default: value, Meaning: meaning, Expected: k.expected, Secret: k.secret,
		set: func(c *Config, text string) bool {
			v, ok := k.parse(text)
			*field(c) = v
			return ok
		},
		show: k.shown,
	}
}

func serverSettings() []Setting {
	const group = "Server"
	return []Setting{
		define(group, "ENVIRONMENT", "development", oneOf(Development, Test, Production),
			func(c *Config) *Environment { return &c.Environment },
			"The deployment environment. In production cookies are sent over HTTPS only, SECRET_KEY and PUBLIC_URL must be set, and logs are JSON."),
		define(group, "LISTEN", "127.0.0.1:8080", listenAddress(),
			func(c *Config) *string { return &c.Listen },
			"Address of the API, the reference page and the app. Port 0 selects a free port, which is logged."),
		define(group, "METRICS_LISTEN", "127.0.0.1:9090", listenAddress(),
			func(c *Config) *string { return &c.MetricsListen },
			"Address of /metrics. It is separate from the API so that metrics are not published by accident."),
		define(group, "PUBLIC_URL", "", webOrigin(),
			func(c *Config) *string { return &c.PublicURL },
			"Public address of the server, used in mails and in the QR codes of certificates. It has no path, because the server serves a whole host name. Default: the listening address."),
		define(group, "FRONTEND_ORIGIN", "", webOrigin(),
			func(c *Config) *string { return &c.FrontendOrigin },
			"One additional origin whose pages may call the API with the user's cookie. Default: only the origin of PUBLIC_URL."),
		define(group, "TRUSTED_PROXIES", "127.0.0.0/8,::1/128", prefixes(),
			func(c *Config) *[]netip.Prefix { return &c.TrustedProxies },
			"Reverse proxies whose X-Forwarded-For and X-Forwarded-Proto headers are trusted. The headers of other clients are ignored."),
		define(group, "REQUESTS_PARALLEL", "0", number(0, 100_000),
			func(c *Config) *int { return &c.RequestsParallel },
			"Maximum number of concurrent requests. Further requests are queued, fairly between organizations and users. 0: 128 per processor."),
		define(group, "REQUEST_QUEUE_TIMEOUT", "1s", duration(time.Millisecond, time.Minute),
			func(c *Config) *time.Duration { return &c.RequestQueueTimeout },
			"Maximum time of a request in the queue. A request that would wait longer is refused at once (503 with Retry-After)."),
		define(group, "EXPORTS_PARALLEL", "0", number(0, 256),
			func(c *Config) *int { return &c.ExportsParallel },
			"Maximum number of concurrent exports (journal proofs, CSV, XLSX, OCF packages, PDF). Further exports wait for a few seconds and are then refused with 429. 0: one per two processors."),
		define(group, "SHUTDOWN_TIMEOUT", "30s", duration(time.Second, time.Hour),
			func(c *Config) *time.Duration { return &c.ShutdownTimeout },
			"How long an orderly stop waits for open requests and for pending writes of organizations."),
		define(group, "DRAIN_DELAY", "0s", duration(0, 10*time.Minute),
			func(c *Config) *time.Duration { return &c.DrainDelay },
			"How long an orderly stop continues to accept requests after /readyz starts to answer 503, before it closes the listener. "+
				"Behind a load balancer, set it to more than the time that the balancer needs to notice, and for which it keeps idle connections; "+
				"SHUTDOWN_TIMEOUT starts afterwards."),
	}
}

func importSettings() []Setting {
	const group = "Imports"
	return []Setting{
		define(group, "IMPORTS_PARALLEL", "3", number(1, 256),
			func(c *Config) *int { return &c.Imports.Parallel },
			"Imports that run at a time, one of each user; others get 429 with Retry-After at once. Each may hold an uploaded file and the package in it in memory."),
		define(group, "IMPORT_FILE_BYTES", "20971520", number(1<<16, 1<<30),
			func(c *Config) *int { return &c.Imports.FileBytes },
			"Largest body of an upload; a larger one gets 413."),
		define(group, "IMPORT_ROWS", "10000", number(1, 200_000),
			func(c *Config) *int { return &c.Imports.Rows },
			"Most rows of a spreadsheet below its heading."),
		define(group, "IMPORT_PACKAGE_BYTES", "268435456", number(1<<16, 1<<34),
			func(c *Config) *int { return &c.Imports.PackageBytes },
			"Largest size of the JSON files of a package together, unpacked. A company of 100,000 shareholdings has about 60 MB."),
		define(group, "IMPORT_PACKAGE_OBJECTS", "600000", number(1, 10_000_000),
			func(c *Config) *int { return &c.Imports.PackageObjects },
			"Most objects of a package."),
	}
}

func logSettings() []Setting {
	const group = "Log"
	return []Setting{
		define(group, "LOG_LEVEL", "info", logLevel(),
			func(c *Config) *slog.Level { return &c.LogLevel },
			"Minimum level of the lines written to standard error."),
		define(group, "LOG_FORMAT", "", oneOf(LogText, LogJSON),
			func(c *Config) *LogFormat { return &c.LogFormat },
			"Format of the log. Default: json in production, text elsewhere."),
	}
}

func storageSettings() []Setting {
	const group = "Storage"
	return []Setting{
		define(group, "DATA_DIRECTORY", "./data", path(),
			func(c *Config) *string { return &c.DataDirectory },
			"Folder for all data that is not stored in an external service. It is created if missing."),
		define(group, "DATABASE_URL", sqliteScheme+"${DATA_DIRECTORY}/equity.db", databaseURL(),
			func(c *Config) *Secret { return &c.DatabaseURL },
			"Database for all records: a PostgreSQL server or an SQLite file."),
		define(group, "DATABASE_CONNECTIONS", "16", number(2, 1000),
			func(c *Config) *int { return &c.DatabaseConnections },
			"Maximum number of connections to PostgreSQL. SQLite always has one writer and a few readers."),
		define(group, "REDIS_URL", "", redisURL(),
			func(c *Config) *Secret { return &c.RedisURL },
			"Redis server for sessions, shared by several servers. Default: sessions are stored in the database."),
		define(group, "CLOCK_SKEW_LIMIT", "24h", duration(time.Minute, 200*365*24*time.Hour),
			func(c *Config) *time.Duration { return &c.ClockSkewLimit },
			"Maximum difference between the clock and the last stored time. Beyond it all writes are refused, /readyz answers 503 and the log contains both times; "+
				"'equity serve --accept-clock' confirms the clock."),
		define(group, "CLOCK_STOP_LIMIT", "720h", duration(time.Minute, 200*365*24*time.Hour),
			func(c *Config) *time.Duration { return &c.ClockStopLimit },
			"Maximum time for which a server may have been stopped. At start, a clock that is further ahead of the last stored time counts as wrong, "+
				"unless the clock of the PostgreSQL server agrees or --accept-clock confirms it."),
		define(group, "STORE_TIMEOUT", "5s", duration(100*time.Millisecond, 5*time.Minute),
			func(c *Config) *time.Duration { return &c.StoreTimeout },
			"Timeout of one call of the database or Redis, or of one batch of a long read. Requests are then answered with 503."),
		define(group, "MAINTENANCE_TIMEOUT", "1h", duration(time.Minute, 7*24*time.Hour),
			func(c *Config) *time.Duration { return &c.MaintenanceTimeout },
			"The same limit for commands that serve no requests: verify, migrate, backup, restore, import, export, admin and demo."),
		define(group, "STALE_READS", "5m", duration(0, 24*time.Hour),
			func(c *Config) *time.Duration { return &c.StaleReads },
			"How long the last stored state of an organization can be read, with the header Age, while the database is unavailable. 0s: not at all."),
		define(group, "SESSION_GRACE", "1m", duration(0, time.Hour),
			func(c *Config) *time.Duration { return &c.SessionGrace },
			"How long after its last verification a session is accepted for reads while the session store is unavailable. "+
				"A session ended by another server is accepted for at most this time. 0s: not at all."),
		define(group, "PASSIVATE_AFTER", "15m", duration(time.Second, 30*24*time.Hour),
			func(c *Config) *time.Duration { return &c.PassivateAfter },
			"Idle time after which an organization is removed from memory. The next use loads it from its journal."),
		define(group, "LIVE_ORGANIZATIONS", "10000", number(10, 10_000_000),
			func(c *Config) *int { return &c.LiveOrganizations },
			"Number of organizations in memory above which the least recently used idle ones leave it before PASSIVATE_AFTER."),
		define(group, "SNAPSHOT_EVERY", "1000", number(1, 1_000_000),
			func(c *Config) *int { return &c.SnapshotEvery },
			"Number of events between snapshots of an organization. It bounds the number of events read when an organization is loaded."),
	}
}

func secretSettings() []Setting {
	return []Setting{
		define("Secrets", "SECRET_KEY", "", secretKey(),
			func(c *Config) *Secret { return &c.SecretKey },
			"Key that encrypts the keys of stored secrets; 'openssl rand -base64 32' creates one. It must not change during the life of the database. "+
				"Default outside production: a generated key in DATA_DIRECTORY/"+secretKeyFile+"."),
	}
}

func accountSettings() []Setting {
	const group = "Accounts"
	return []Setting{
		define(group, "API_SESSION_MAX_AGE", "604800000", milliseconds(time.Second, 365*24*time.Hour),
			func(c *Config) *time.Duration { return &c.SessionMaxAge },
			"Idle time in milliseconds after which a session expires. Each request restarts it."),
		define(group, "API_SESSION_ABSOLUTE_AGE", "2592000000", milliseconds(time.Second, 365*24*time.Hour),
			func(c *Config) *time.Duration { return &c.SessionAbsoluteAge },
			"Maximum age of a session in milliseconds, regardless of use."),
		define(group, "PASSWORD_HASHING_PARALLEL", "0", number(0, 256),
			func(c *Config) *int { return &c.PasswordHashingParallel },
			"Maximum number of concurrent password hashes. Each takes 64 MiB and half a processor, so this bounds the load of a flood of sign-ins. 0: one per two processors."),
		define(group, "REGISTRATION_IP_LIMIT", "20", number(1, 1_000_000),
			func(c *Config) *int { return &c.RegistrationIPLimit },
			"Maximum number of registrations from one IP address."),
		define(group, "EMAIL_VERIFICATION_LIMIT_SECONDS", "1800", seconds(0, 7*24*time.Hour),
			func(c *Config) *time.Duration { return &c.EmailVerificationLimit },
			"Minimum time in seconds between verification mails to the same address."),
	}
}

func providerSettings() []Setting {
	const group = "Identity provider"
	return []Setting{
		define(group, "IDP_ISSUER", "", issuer(),
			func(c *Config) *string { return &c.IDPIssuer },
			"OpenID Connect provider whose ID tokens users may sign in with, exactly as in the iss claim of its tokens. Its keys are read from its discovery document. "+
				"Default: no sign-in by token."),
		define(group, "IDP_CLIENT_ID", "", text(),
			func(c *Config) *string { return &c.IDPClientID },
			"Client id of this server at the provider. Tokens issued for other clients are refused."),
		define(group, "IDP_CONTACTS_URL", "", subjectAddress(),
			func(c *Config) *string { return &c.IDPContactsURL },
			"Address of a user's contacts in the provider's people API; {subject} is replaced by the user's id at the provider. Default: no contacts are offered for invitations."),
		define(group, "IDP_CONTACTS_TOKEN", "", secretText(),
			func(c *Config) *Secret { return &c.IDPContactsToken },
			"Token with which this server reads contacts from the provider's people API."),
	}
}

func billingSettings() []Setting {
	const group = "Billing"
	return []Setting{
		define(group, "BILLING_SECRET_KEY", "", secretText(),
			func(c *Config) *Secret { return &c.BillingSecretKey },
			"Secret key of the Stripe account that bills organizations. Default: no billing; organizations have no limits."),
		define(group, "BILLING_WEBHOOK_SECRET", "", secretList(),
			func(c *Config) *[]Secret { return &c.BillingWebhookSecrets },
			"Signing secret of Stripe's webhook endpoint for /v1/billing/webhook; during a rotation two secrets, separated by a comma."),
		define(group, "BILLING_URL", "", webAddress(),
			func(c *Config) *string { return &c.BillingURL },
			"Address of the API of the billing provider, for tests. Default: https://api.stripe.com."),
		define(group, "BILLING_GRACE_DAYS", "14", number(0, 365),
			func(c *Config) *int { return &c.BillingGraceDays },
			"Days during which an organization with an unpaid invoice keeps the limits of its plan."),
	}
}

func mailSettings() []Setting {
	const group = "Mail"
	return []Setting{
		define(group, "MAIL_DIRECTORY", "${DATA_DIRECTORY}/mail", path(),
			func(c *Config) *string { return &c.MailDirectory },
			"Folder for mail, one file per message, if SMTP_HOST is not set."),
		define(group, "SMTP_HOST", "", hostName(),
			func(c *Config) *string { return &c.SMTPHost },
			"Mail server for outgoing mail."),
		define(group, "SMTP_PORT", "587", number(1, 65535),
			func(c *Config) *int { return &c.SMTPPort },
			"Port of the mail server."),
		define(group, "SMTP_SECURITY", string(MailStartTLS), oneOf(MailStartTLS, MailTLS, MailPlain),
			func(c *Config) *MailSecurity { return &c.SMTPSecurity },
			"Encryption of the connection to the mail server. 'none' is for a relay on the same host."),
		define(group, "SMTP_USERNAME", "", text(),
			func(c *Config) *string { return &c.SMTPUsername },
			"User name at the mail server. Default: no authentication."),
		define(group, "SMTP_PASSWORD", "", secretText(),
			func(c *Config) *Secret { return &c.SMTPPassword },
			"Password at the mail server."),
		define(group, "SMTP_FROM", "Equity <no-reply@localhost>", mailAddress(),
			func(c *Config) *string { return &c.SMTPFrom },
			"Sender of all mail, including mail written to files."),
	}
}
