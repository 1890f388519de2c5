package config

import (
	"log/slog"
	"net/netip"
	"time"
)

// Setting is one thing that an operator can choose.
type Setting struct {
	Name     string // of the environment variable and of the key in the file
	Group    string // the heading it is listed under
	Default  string // as if it had been written; ${NAME} stands for another setting's value; "" for none
	Meaning  string // full sentences
	Expected string // completes "must be"
	Secret   bool   // never shown

	set  func(c *Config, text string) bool // false when text is not what is expected
	show func(text string) string          // hides what must not be seen
}

// Settings lists every setting there is, in the order in which they are shown.
func Settings() []Setting {
	lists := [][]Setting{
		serverSettings(), logSettings(), storageSettings(), secretSettings(), accountSettings(),
		providerSettings(), mailSettings(),
	}
	var all []Setting
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// define describes a setting of one kind whose value lies in one field.
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
			"Where the server runs. In production cookies are sent over HTTPS only, SECRET_KEY and PUBLIC_URL must be set, and logs are JSON."),
		define(group, "LISTEN", "127.0.0.1:8080", listenAddress(),
			func(c *Config) *string { return &c.Listen },
			"Address of the API, the reference page and the pages. Port 0 takes any free port; the log says which."),
		define(group, "METRICS_LISTEN", "127.0.0.1:9090", listenAddress(),
			func(c *Config) *string { return &c.MetricsListen },
			"Address of /metrics, apart from the API so that it is never public by accident."),
		define(group, "PUBLIC_URL", "", webAddress(),
			func(c *Config) *string { return &c.PublicURL },
			"Address at which people reach the server; it stands in mails and in the QR codes of certificates. Without it, the address listened on."),
		define(group, "FRONTEND_ORIGIN", "", webOrigin(),
			func(c *Config) *string { return &c.FrontendOrigin },
			"The one other origin whose pages may call the API with the user's cookie. Without it, only pages of PUBLIC_URL itself."),
		define(group, "TRUSTED_PROXIES", "127.0.0.0/8,::1/128", prefixes(),
			func(c *Config) *[]netip.Prefix { return &c.TrustedProxies },
			"Reverse proxies whose X-Forwarded-For and X-Forwarded-Proto are believed. Anybody else's are ignored."),
		define(group, "REQUESTS_PARALLEL", "0", number(0, 100_000),
			func(c *Config) *int { return &c.RequestsParallel },
			"Requests worked on at a time. More wait for their turn, fairly between organizations and users. 0: 128 for each processor."),
		define(group, "REQUEST_QUEUE_TIMEOUT", "1s", duration(time.Millisecond, time.Minute),
			func(c *Config) *time.Duration { return &c.RequestQueueTimeout },
			"Longest wait of a request for its turn. A request that would wait longer is refused at once (503 with Retry-After)."),
		define(group, "EXPORTS_PARALLEL", "0", number(0, 256),
			func(c *Config) *int { return &c.ExportsParallel },
			"Files (journal proofs, CSV, XLSX, OCF packages, PDF) made at a time; others wait for a few seconds, then get 429. 0: one to every two processors."),
		define(group, "SHUTDOWN_TIMEOUT", "30s", duration(time.Second, time.Hour),
			func(c *Config) *time.Duration { return &c.ShutdownTimeout },
			"How long an orderly stop waits for requests to finish and for organizations to write what they have."),
		define(group, "DRAIN_DELAY", "0s", duration(0, 10*time.Minute),
			func(c *Config) *time.Duration { return &c.DrainDelay },
			"How long an orderly stop goes on accepting requests after /readyz has begun to answer 503, before it closes the listener. "+
				"Behind a load balancer, set it to the time in which the balancer notices; SHUTDOWN_TIMEOUT begins afterwards."),
	}
}

func logSettings() []Setting {
	const group = "Log"
	return []Setting{
		define(group, "LOG_LEVEL", "info", logLevel(),
			func(c *Config) *slog.Level { return &c.LogLevel },
			"The least important line that is still written to standard error."),
		define(group, "LOG_FORMAT", "", oneOf(LogText, LogJSON),
			func(c *Config) *LogFormat { return &c.LogFormat },
			"Shape of a log line. Without it, json in production and text elsewhere."),
	}
}

func storageSettings() []Setting {
	const group = "Storage"
	return []Setting{
		define(group, "DATA_DIRECTORY", "./data", path(),
			func(c *Config) *string { return &c.DataDirectory },
			"Folder of everything the server keeps itself when no service is named. It is made when missing."),
		define(group, "DATABASE_URL", sqliteScheme+"${DATA_DIRECTORY}/equity.db", databaseURL(),
			func(c *Config) *Secret { return &c.DatabaseURL },
			"Where records are kept: a PostgreSQL server, or one SQLite file."),
		define(group, "DATABASE_CONNECTIONS", "16", number(2, 1000),
			func(c *Config) *int { return &c.DatabaseConnections },
			"Most connections to PostgreSQL at a time. SQLite has one writer and a few readers whatever is set."),
		define(group, "REDIS_URL", "", redisURL(),
			func(c *Config) *Secret { return &c.RedisURL },
			"Redis server that keeps the sessions, so that several servers share them. Without it, they are kept in the database."),
		define(group, "CLOCK_SKEW_LIMIT", "24h", duration(time.Minute, 200*365*24*time.Hour),
			func(c *Config) *time.Duration { return &c.ClockSkewLimit },
			"Largest difference between the clock and the last stored moment. Beyond it nothing is written, /readyz answers 503 and the log names both moments; "+
				"'equity serve --accept-clock' confirms the clock."),
		define(group, "CLOCK_STOP_LIMIT", "24h", duration(time.Minute, 200*365*24*time.Hour),
			func(c *Config) *time.Duration { return &c.ClockStopLimit },
			"Longest time for which a server may have been stopped. At the start a clock that is further ahead of the last stored moment counts as wrong, "+
				"unless the clock of the PostgreSQL server agrees or --accept-clock confirms it. Raise it for a server that is seldom on."),
		define(group, "STORE_TIMEOUT", "5s", duration(100*time.Millisecond, 5*time.Minute),
			func(c *Config) *time.Duration { return &c.StoreTimeout },
			"Longest time that the database or Redis may take to answer one call, or one batch of a long read. Callers are answered 503 then."),
		define(group, "STALE_READS", "5m", duration(0, 24*time.Hour),
			func(c *Config) *time.Duration { return &c.StaleReads },
			"How long the last stored state of an organization can be read, with the header Age, while the database does not answer. 0s: not at all."),
		define(group, "SESSION_GRACE", "1m", duration(0, time.Hour),
			func(c *Config) *time.Duration { return &c.SessionGrace },
			"How long after its last verification a session is accepted for reading while the store of the sessions does not answer. "+
				"A session that another server ended is accepted for no longer than this. 0s: not at all."),
		define(group, "PASSIVATE_AFTER", "15m", duration(time.Second, 30*24*time.Hour),
			func(c *Config) *time.Duration { return &c.PassivateAfter },
			"How long an organization stays in memory after it was last used. The next use brings it back from its journal."),
		define(group, "SNAPSHOT_EVERY", "1000", number(1, 1_000_000),
			func(c *Config) *int { return &c.SnapshotEvery },
			"Events after which an organization's state is saved, so that bringing it back reads no more than that many."),
	}
}

func secretSettings() []Setting {
	return []Setting{
		define("Secrets", "SECRET_KEY", "", secretKey(),
			func(c *Config) *Secret { return &c.SecretKey },
			"Key that wraps the keys of stored secrets; 'openssl rand -base64 32' makes one. It must stay the same for as long as the database does. "+
				"Without it, and outside production, one is made in DATA_DIRECTORY/"+secretKeyFile+"."),
	}
}

func accountSettings() []Setting {
	const group = "Accounts"
	return []Setting{
		define(group, "API_SESSION_MAX_AGE", "604800000", milliseconds(time.Second, 365*24*time.Hour),
			func(c *Config) *time.Duration { return &c.SessionMaxAge },
			"Milliseconds after which an unused session ends; every request starts them anew."),
		define(group, "API_SESSION_ABSOLUTE_AGE", "2592000000", milliseconds(time.Second, 365*24*time.Hour),
			func(c *Config) *time.Duration { return &c.SessionAbsoluteAge },
			"Milliseconds after which any session ends, however much it is used."),
		define(group, "PASSWORD_HASHING_PARALLEL", "0", number(0, 256),
			func(c *Config) *int { return &c.PasswordHashingParallel },
			"Passwords hashed at a time; each takes 64 MiB and half a processor, so this bounds what a flood of sign-ins can use. 0: one to every two processors."),
		define(group, "REGISTRATION_IP_LIMIT", "20", number(1, 1_000_000),
			func(c *Config) *int { return &c.RegistrationIPLimit },
			"Registrations accepted from one IP address."),
		define(group, "EMAIL_VERIFICATION_LIMIT_SECONDS", "1800", seconds(0, 7*24*time.Hour),
			func(c *Config) *time.Duration { return &c.EmailVerificationLimit },
			"Seconds before another verification mail is sent to the same address."),
	}
}

func providerSettings() []Setting {
	const group = "Identity provider"
	return []Setting{
		define(group, "IDP_ISSUER", "", issuer(),
			func(c *Config) *string { return &c.IDPIssuer },
			"OpenID Connect provider by whose ID tokens people may sign in, named exactly as its tokens name it. Its keys are read from what it publishes there. "+
				"Without it, nobody signs in by a token."),
		define(group, "IDP_CLIENT_ID", "", text(),
			func(c *Config) *string { return &c.IDPClientID },
			"Client id that the provider gave this server. Tokens made for any other client are refused."),
		define(group, "IDP_CONTACTS_URL", "", subjectAddress(),
			func(c *Config) *string { return &c.IDPContactsURL },
			"Where the provider's people API lists whom somebody knows, {subject} in it being who they are to the provider. Without it, nobody has contacts to invite."),
		define(group, "IDP_CONTACTS_TOKEN", "", secretText(),
			func(c *Config) *Secret { return &c.IDPContactsToken },
			"Token by which the provider's people API lets this server read the contacts of those who sign in through it."),
	}
}

func mailSettings() []Setting {
	const group = "Mail"
	return []Setting{
		define(group, "MAIL_DIRECTORY", "${DATA_DIRECTORY}/mail", path(),
			func(c *Config) *string { return &c.MailDirectory },
			"Folder that mail is written to, a file each, while SMTP_HOST is not set."),
		define(group, "SMTP_HOST", "", hostName(),
			func(c *Config) *string { return &c.SMTPHost },
			"Mail server that mail is sent through."),
		define(group, "SMTP_PORT", "587", number(1, 65535),
			func(c *Config) *int { return &c.SMTPPort },
			"Port of the mail server."),
		define(group, "SMTP_SECURITY", string(MailStartTLS), oneOf(MailStartTLS, MailTLS, MailPlain),
			func(c *Config) *MailSecurity { return &c.SMTPSecurity },
			"How the connection to the mail server is protected. 'none' is for a relay on the same host."),
		define(group, "SMTP_USERNAME", "", text(),
			func(c *Config) *string { return &c.SMTPUsername },
			"Name to sign in to the mail server with. Without it, the server is not signed in to."),
		define(group, "SMTP_PASSWORD", "", secretText(),
			func(c *Config) *Secret { return &c.SMTPPassword },
			"Password to sign in to the mail server with."),
		define(group, "SMTP_FROM", "Equity <no-reply@localhost>", mailAddress(),
			func(c *Config) *string { return &c.SMTPFrom },
			"Sender of every mail, also of those written to files."),
	}
}
