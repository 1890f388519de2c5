package config

import (
	"log/slog"
	"net/netip"
	"reflect"
	"strings"
	"time"
)

// Environment is the deployment environment. Production is stricter: cookies need
// HTTPS, and no secret key is generated.
type Environment string

// The environments.
const (
	Development Environment = "development"
	Test        Environment = "test"
	Production  Environment = "production"
)

// LogFormat is the format of a log line on standard error.
type LogFormat string

// The log formats.
const (
	LogText LogFormat = "text"
	LogJSON LogFormat = "json"
)

// MailSecurity is the encryption of the connection to the mail server.
type MailSecurity string

// The kinds of encryption of the connection to the mail server.
const (
	MailStartTLS MailSecurity = "starttls" // STARTTLS before any other command; mail is not sent without it
	MailTLS      MailSecurity = "tls"      // TLS from the first byte
	MailPlain    MailSecurity = "none"     // unencrypted: for a relay on the same host
)

// Config holds all checked settings. Its exported fields are in the order of Settings,
// which describes them. The comments here only add the format.
type Config struct {
	Environment         Environment
	Listen              string // host:port; port 0 selects a free port
	MetricsListen       string // host:port
	PublicURL           string // without trailing slash; "" for the listening address
	FrontendOrigin      string // scheme://host[:port]; "" for the origin of PublicURL
	TrustedProxies      []netip.Prefix
	RequestsParallel    int
	RequestQueueTimeout time.Duration
	ShutdownTimeout     time.Duration
	ExportsParallel     int
	Imports             Imports
	DrainDelay          time.Duration

	LogLevel  slog.Level
	LogFormat LogFormat

	Telemetry Telemetry

	DataDirectory       string
	DatabaseURL         Secret // postgres://… or sqlite://PATH, never empty
	DatabaseConnections int
	RedisURL            Secret // "" stores sessions in the database
	ClockSkewLimit      time.Duration
	ClockStopLimit      time.Duration
	StoreTimeout        time.Duration
	MaintenanceTimeout  time.Duration
	StaleReads          time.Duration
	SessionGrace        time.Duration
	PassivateAfter      time.Duration
	LiveOrganizations   int
	SnapshotEvery       int // events

	SecretKey Secret // base64 of 32 bytes; "" for the key file, see OpenSecretKey

	SessionMaxAge           time.Duration
	SessionAbsoluteAge      time.Duration
	PasswordHashingParallel int
	RegistrationIPLimit     int
	EmailVerificationLimit  time.Duration

	IDPIssuer   string // equal to the iss claim of its tokens; "" for no provider
	IDPClientID string
	// IDPContactsURL is the address of a user's contacts, with the placeholder {subject} for the user's id; "" for no contacts.
	IDPContactsURL   string
	IDPContactsToken Secret

	BillingSecretKey      Secret // "" turns billing off
	BillingWebhookSecrets []Secret
	BillingURL            string // "" for the address of the provider
	BillingGraceDays      int

	Files Files
	// OfficeSuite is the other storage of documents.
	OfficeSuite OfficeSuite
	// Anchors are the signed heads of journals.
	Anchors Anchors

	// Agent is the assistant.
	Agent Agent

	// Hooks are received from other systems.
	Hooks Hooks
	// Cluster connects several servers.
	Cluster Cluster

	MailDirectory string
	SMTPHost      string // "" writes mail to MailDirectory
	SMTPPort      int
	SMTPSecurity  MailSecurity
	SMTPUsername  string
	SMTPPassword  Secret
	SMTPFrom      string // an RFC 5322 address

	// rooms are the settings of rooms by their type; see Of. roomSecrets are the secret values among them.
	rooms       map[reflect.Type]any
	roomSecrets []namedSecret
}

// Imports bound uploaded files. Sizes are in bytes.
type Imports struct {
	Parallel       int
	FileBytes      int
	Rows           int
	PackageBytes   int
	PackageObjects int
}

// Load reads and checks all settings. Its error is a SettingsError with all
// invalid settings if values are invalid.
func Load(source Source) (Config, error) {
	values, err := source.Values()
	if err != nil {
		return Config{}, err
	}
	return New(values)
}

// New converts the values of all settings to a Config. It returns a SettingsError
// unless all values are valid and consistent.
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
		problems = append(c.contradictions(), c.roomProblems(values)...)
	}
	if len(problems) > 0 {
		return Config{}, problems
	}
	if c.LogFormat == "" {
		c.LogFormat = c.Environment.logFormat()
	}
	return c, nil
}

// logFormat returns the default format: JSON in production, text elsewhere.
func (e Environment) logFormat() LogFormat {
	if e == Production {
		return LogJSON
	}
	return LogText
}

// Secure reports that clients use HTTPS only, so that cookies are restricted to it.
func (c Config) Secure() bool {
	return c.Environment == Production || strings.HasPrefix(c.PublicURL, "https://")
}

// Embedded returns one sentence for each embedded replacement of an external
// service. They are logged at start, so that an operator notices that mail is
// not sent or sessions are not shared.
func (c Config) Embedded() []string {
	var notes []string
	if path, ok := c.SQLitePath(); ok {
		notes = append(notes, "records are stored in the SQLite file "+path+" (set DATABASE_URL to use a PostgreSQL server)")
	}
	if c.RedisURL == "" {
		notes = append(notes, "sessions are stored in the same database (set REDIS_URL to use a Redis server)")
	}
	if c.Files.URL == "" {
		notes = append(notes, "documents are stored in the folder "+c.FilesDirectory()+" (set STORE_URL to use an S3-compatible service)")
	}
	if c.SMTPHost == "" {
		notes = append(notes, "mail is written to files in "+c.MailDirectory+" (set SMTP_HOST to use a mail server)")
	}
	if c.BillingSecretKey == "" {
		notes = append(notes, "billing is off, and organizations have no limits (set BILLING_SECRET_KEY to bill them through Stripe)")
	}
	if c.Hooks.Enabled != "true" && c.Hooks.File == "" {
		notes = append(notes, "inbound hooks are off (set HOOKS_ENABLED and HOOKS_TOKEN to receive them)")
	}
	if !c.HasOfficeSuite() {
		notes = append(notes, "no office suite is connected (set OFFICE_SUITE_TENANT_ID to store documents in SharePoint)")
	}
	switch {
	case !c.HasAgent():
		notes = append(notes, "the assistant is off (set AGENT_API_KEY and AGENT_MODEL, or AGENT_PROVIDER=embedded)")
	case c.Agent.Provider == AgentEmbedded:
		notes = append(notes, "the assistant understands fixed commands (set AGENT_API_KEY and AGENT_MODEL to use a language model)")
	}
	return notes
}
