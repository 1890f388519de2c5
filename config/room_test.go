package config_test

import (
	"slices"
	"strings"
	"testing"

	"equity/config"
)

// bells are the settings of a room.
type bells struct {
	loud string
	key  config.Secret
}

func bellSettings() []config.Setting {
	return []config.Setting{
		config.Define("Bells", "BELLS_LOUD", "false", config.OneOf("false", "true"), func(s *bells) *string { return &s.loud },
			"Whether bells are loud.",
		).Unless(func(c config.Config) string {
			if c.Environment == config.Production && config.Of[bells](c).loud == "true" {
				return "is true, but must be false in production"
			}
			return ""
		}),
		config.Define("Bells", "BELLS_KEY", "", config.SecretText(), func(s *bells) *config.Secret { return &s.key }, "The key of the tower."),
	}
}

func ringing(set variables) (config.Config, error) {
	return config.Load(config.Source{Environment: set.lookup, Rooms: bellSettings()})
}

func TestSettingsOfRooms(t *testing.T) {
	t.Parallel()
	t.Run("SettingsOfARoomAreFoundByTheirType", func(t *testing.T) {
		t.Parallel()
		c, err := ringing(variables{"BELLS_LOUD": "true", "BELLS_KEY": "bronze"})
		if got := config.Of[bells](c); err != nil || got.loud != "true" || got.key.Reveal() != "bronze" {
			t.Errorf("%+v %v", got, err)
		}
	})
	t.Run("DefaultsOfARoomApply", func(t *testing.T) {
		t.Parallel()
		c, err := ringing(variables{})
		if got := config.Of[bells](c); err != nil || got.loud != "false" || got.key != "" {
			t.Errorf("%+v %v", got, err)
		}
	})
	t.Run("SettingsOfAnAbsentRoomAreEmpty", func(t *testing.T) {
		t.Parallel()
		c, err := config.Load(config.Source{Environment: variables{"BELLS_LOUD": "true"}.lookup})
		if got := config.Of[bells](c); err != nil || got.loud != "" {
			t.Errorf("%+v %v", got, err)
		}
	})
	t.Run("InvalidValueOfARoomIsRefused", func(t *testing.T) {
		t.Parallel()
		if _, err := ringing(variables{"BELLS_LOUD": "very"}); err == nil || !strings.Contains(err.Error(), "BELLS_LOUD is") {
			t.Errorf("%v", err)
		}
	})
	t.Run("ContradictionOfARoomIsRefused", func(t *testing.T) {
		t.Parallel()
		production := variables{"ENVIRONMENT": "production", "PUBLIC_URL": "https://e.example", "SECRET_KEY": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "BELLS_LOUD": "true"}
		_, err := ringing(production)
		if err == nil || err.Error() != "a setting is invalid: BELLS_LOUD is true, but must be false in production" {
			t.Errorf("%v", err)
		}
	})
	t.Run("SecretsOfARoomAreRedacted", func(t *testing.T) {
		t.Parallel()
		c, err := ringing(variables{"BELLS_KEY": "bronze"})
		if err != nil || !slices.Contains(c.Secrets(), "bronze") {
			t.Errorf("%q %v", c.Secrets(), err)
		}
		values, err := config.Source{Environment: variables{"BELLS_KEY": "bronze"}.lookup, Rooms: bellSettings()}.Values()
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range values {
			if strings.Contains(value.Shown(), "bronze") {
				t.Errorf("%s shows its value", value.Setting.Name)
			}
		}
	})
}
