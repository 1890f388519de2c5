package config_test

import (
	"regexp"
	"strings"
	"testing"

	"equity/config"
)

func TestSettingsAreDescribed(t *testing.T) {
	t.Parallel()
	names := make(map[string]bool)
	pattern := regexp.MustCompile(`^[A-Z][A-Z0-9_]+$`)
	for _, s := range config.Settings() {
		switch {
		case !pattern.MatchString(s.Name):
			t.Errorf("%s: the name must be upper case", s.Name)
		case names[s.Name]:
			t.Errorf("%s is listed twice", s.Name)
		case !strings.HasSuffix(s.Meaning, ".") || len(s.Meaning) < 20:
			t.Errorf("%s: %q is not a sentence", s.Name, s.Meaning)
		case s.Expected == "" || s.Group == "":
			t.Errorf("%s has no group or no expected format", s.Name)
		}
		names[s.Name] = true
	}
}

func TestPublishedNamesAndDefaultsAreKept(t *testing.T) {
	t.Parallel()
	defaults := map[string]string{
		"API_SESSION_MAX_AGE": "604800000", "REGISTRATION_IP_LIMIT": "20", "EMAIL_VERIFICATION_LIMIT_SECONDS": "1800",
	}
	for _, s := range config.Settings() {
		if want, ok := defaults[s.Name]; ok && s.Default != want {
			t.Errorf("%s is %s by default, want %s", s.Name, s.Default, want)
		}
		delete(defaults, s.Name)
	}
	for name := range defaults {
		t.Errorf("%s is missing", name)
	}
}

func TestSecretsAreNeverPrinted(t *testing.T) {
	t.Parallel()
	const secret = "hunter2"
	set := variables{
		"SMTP_PASSWORD": secret, "SECRET_KEY": secret,
		"DATABASE_URL": "postgres://u:" + secret + "@h/e?password=" + secret,
		"REDIS_URL":    "redis://:" + secret + "@h:6379",
	}
	values, err := config.Source{Environment: set.lookup}.Values()
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range values {
		if strings.Contains(v.Shown(), secret) {
			t.Errorf("%s shows %s", v.Setting.Name, v.Shown())
		}
		if _, ok := set[v.Setting.Name]; ok && v.Shown() == "" {
			t.Errorf("%s is printed as if it were not set", v.Setting.Name)
		}
	}
	if _, err := config.New(values); err == nil || strings.Contains(err.Error(), secret) {
		t.Errorf("the error reveals a secret: %v", err)
	}
}

func TestValuesHaveTheirOrigin(t *testing.T) {
	t.Parallel()
	values, err := config.Source{
		Environment: variables{"LOG_LEVEL": "warn"}.lookup,
		File:        file(t, "SNAPSHOT_EVERY=5\nLOG_LEVEL=debug\n"),
		Flags:       map[string]string{"LISTEN": ":0"},
	}.Values()
	if err != nil {
		t.Fatal(err)
	}
	origins := make(map[string]config.Origin)
	for _, v := range values {
		origins[v.Setting.Name+"="+v.Text] = v.Origin
	}
	for text, want := range map[string]config.Origin{
		"LOG_LEVEL=warn": config.FromEnvironment, "SNAPSHOT_EVERY=5": config.FromFile,
		"LISTEN=:0": config.FromFlag, "SMTP_PORT=587": config.FromDefault,
	} {
		if origins[text] != want {
			t.Errorf("%s is %q, want %q", text, origins[text], want)
		}
	}
}
