package config

// Anchors are the settings of the signed heads of journals.
type Anchors struct {
	File    string
	Webhook Secret // its address can contain a key
	Mail    string // "true" or "false"
	// TSAURL is the address of a time stamp authority; empty for none.
	TSAURL, TSAUsername string
	TSAPassword         Secret
	// TSACA is the path of the trusted certificates; empty for any.
	TSACA string
}

func anchorSettings() []Setting {
	const group = "Anchors"
	return []Setting{
		define(group, "ANCHOR_FILE", "", path(),
			func(c *Config) *string { return &c.Anchors.File },
			"File to which signed heads of the journals are appended daily, and at proofs and audit exports. Keep it on another machine or on write-once storage."),
		define(group, "ANCHOR_WEBHOOK", "", secretText(),
			func(c *Config) *Secret { return &c.Anchors.Webhook },
			"Address that receives the signed heads daily by POST, as lines of JSON."),
		define(group, "ANCHOR_MAIL", "false", oneOf("false", "true"),
			func(c *Config) *string { return &c.Anchors.Mail },
			"Whether the owners of an organization receive its signed head by mail, at most once a day, after changes."),
		define(group, "TSA_URL", "", webAddress(),
			func(c *Config) *string { return &c.Anchors.TSAURL },
			"Address of a time stamp authority (RFC 3161) that stamps the signed heads. It receives hashes only."),
		define(group, "TSA_USERNAME", "", text(),
			func(c *Config) *string { return &c.Anchors.TSAUsername },
			"User name at the time stamp authority, if it requires one."),
		define(group, "TSA_PASSWORD", "", secretText(),
			func(c *Config) *Secret { return &c.Anchors.TSAPassword },
			"Password at the time stamp authority."),
		define(group, "TSA_CA", "", path(),
			func(c *Config) *string { return &c.Anchors.TSACA },
			"PEM file with the certificates to which those of time stamps must lead. Empty: any certificate is accepted."),
	}
}
