package config_test

import (
	"slices"
	"testing"

	"equity/config"
)

// TestEverySecretSettingIsInSecrets sets each secret setting to a value of its own.
func TestEverySecretSettingIsInSecrets(t *testing.T) {
	t.Parallel()
	values := map[string]string{
		"SECRET_KEY": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "OTEL_EXPORTER_OTLP_HEADERS": "key=hunter2-headers",
		"DATABASE_URL": "postgres://equity:hunter2%21db@db/x", "REDIS_URL": "redis://:hunter2-redis@r/0",
		"IDP_ISSUER": "https://idp.example", "IDP_CLIENT_ID": "c", "IDP_CONTACTS_URL": "https://idp.example/{subject}",
		"OFFICE_SUITE_TENANT_ID": "t",
		"OFFICE_SUITE_CLIENT_ID": "c", "OFFICE_SUITE_DRIVE_ID": "d", "STORE_URL": "https://s3.example", "STORE_BUCKET": "b", "AGENT_MODEL": "m",
		"SMTP_USERNAME": "u", "SMTP_HOST": "mail.example", "OTEL_EXPORTER_OTLP_ENDPOINT": "https://otel.example",
	}
	want := []string{"hunter2!db", "hunter2%21db", "hunter2-redis"}
	for _, setting := range config.Settings() {
		if setting.Secret && values[setting.Name] == "" {
			values[setting.Name] = "hunter2-" + setting.Name
		}
		if setting.Secret {
			want = append(want, values[setting.Name])
		}
	}
	source := config.Source{Environment: func(name string) (string, bool) { value, ok := values[name]; return value, ok }}
	c, err := config.Load(source)
	if err != nil {
		t.Fatal(err)
	}
	loaded, err := source.Values()
	if err != nil {
		t.Fatal(err)
	}
	var hidden []string
	for _, value := range loaded {
		hidden = append(hidden, value.Hidden()...)
	}
	for _, secret := range want {
		if !slices.Contains(c.Secrets(), secret) {
			t.Errorf("%s is not in the secrets", secret)
		}
		if !slices.Contains(hidden, secret) {
			t.Errorf("%s is not hidden", secret)
		}
	}
	if slices.Contains(c.Secrets(), "https://idp.example") {
		t.Error("an address is a secret")
	}
}
