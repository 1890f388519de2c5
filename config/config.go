package config

import (
	"log/slog"
	"net/netip"
	"time"
)

// Environment says where the server runs. Production is stricter: cookies need
// HTTPS, and no key is made up.
type Environment string

// The environments there are.
const (
	Development Environment = "development"
	Test        Environment = "test"
	Production  Environment = "production"
)

// LogFormat is the shape of a log line on standard error.
type LogFormat string

// The log formats there are.
const (
	LogText LogFormat = "text"
	LogJSON LogFormat = "json"
)

// MailSecurity says how the connection to the mail server is protected.
type MailSecurity string

// The ways of protecting the connection to the mail server.
const (
	MailStartTLS MailSecurity = "starttls" // plain at first, TLS before anything is said; refused without
	MailTLS      MailSecurity = "tls"      // TLS from the first byte
	MailPlain    MailSecurity = "none"     // never encrypted: for a relay on the same host
)

// Config is every setting, checked. Its fields are in the order of Settings,
// which tells what each means; here stands only what the type cannot say.
type Config struct {
	Environment         Environment
	Listen              string // host:port, port 0 for any free one
	MetricsListen       string // host:port
	PublicURL           string // no slash at the end; "" for the address listened on
	FrontendOrigin      string // scheme://host[:port]; "" for PublicURL's own
	TrustedProxies      []netip.Prefix
	RequestsParallel    int
	RequestQueueTimeout time.Duration
	ShutdownTimeout     time.Duration
	ExportsParallel     int
	DrainDelay          time.Duration

	LogLevel  slog.Level
	LogFormat LogFormat

	DataDirectory       string
	DatabaseURL         Secret // postgres://… or sqlite://PATH, never empty
	DatabaseConnections int
	RedisURL            Secret // "" keeps sessions in the database
	ClockSkewLimit      time.Duration
	ClockStopLimit      time.Duration
	StoreTimeout        time.Duration
	StaleReads          time.Duration
	SessionGrace        time.Duration
	PassivateAfter      time.Duration
	SnapshotEvery       int // events

	SecretKey Secret // base64 of 32 bytes; "" for the key file, see OpenSecretKey

	SessionMaxAge           time.Duration
	SessionAbsoluteAge      time.Duration
	PasswordHashingParallel int
	RegistrationIPLimit     int
	EmailVerificationLimit  time.Duration

	IDPIssuer   string // as its tokens name it, to the letter; "" for no provider
	IDPClientID string
	// IDPContactsURL is where the provider tells whom somebody knows, {subject} in it being who; "" for nowhere.
	IDPContactsURL   string
	IDPContactsToken Secret

	MailDirectory string
	SMTPHost      string // "" writes mail to MailDirectory
	SMTPPort      int
	SMTPSecurity  MailSecurity
	SMTPUsername  string
	SMTPPassword  Secret
	SMTPFrom      string // an RFC 5322 address
}

// Load gathers the values of all settings and checks them. Its error is of
// type SettingsError when a value is wrong, and names every one of them.
func Load(source Source) (Config, error) {
	values, err := source.Values()
	if err != nil {
		return Config{}, err
	}
	return New(values)
}

// New turns the values of all settings into a Config. It returns SettingsError
// unless every value is valid alone and all of them fit together.
func New(values []Value) (Config, error) {
	var (
		c        Config
		problems SettingsError
	)
	for _, v := range values {
		if v.Text == "" {
			continue
		}
		if !v.Setting.set(&c, v.Text) {
			problems = append(problems, v.problem())
		}
	}
	if len(problems) == 0 {
		problems = c.contradictions()
	}
	if len(problems) > 0 {
		return Config{}, problems
	}
	if c.LogFormat == "" {
		c.LogFormat = c.Environment.logFormat()
	}
	return c, nil
}

// logFormat is JSON where machines read the log and text where people do.
func (e Environment) logFormat() LogFormat {
	if e == Production {
		return LogJSON
	}
	return LogText
}

// Embedded tells, a sentence each, what the server does by itself because no
// service is named for it. It is logged at start, so that nobody believes mail
// was sent or sessions shared when they are not.
func (c Config) Embedded() []string {
	var notes []string
	if path, ok := c.SQLitePath(); ok {
		notes = append(notes, "records are kept in the SQLite file "+path+" (DATABASE_URL names a PostgreSQL server instead)")
	}
	if c.RedisURL == "" {
		notes = append(notes, "sessions are kept in the same database (REDIS_URL names a Redis server instead)")
	}
	if c.SMTPHost == "" {
		notes = append(notes, "mail is written to files in "+c.MailDirectory+" (SMTP_HOST names a mail server instead)")
	}
	return notes
}
