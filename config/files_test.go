package config_test

import (
	"maps"
	"strings"
	"testing"
)

func TestFileSettings(t *testing.T) {
	t.Parallel()
	with := func(changes variables) variables {
		settings := variables{"STORE_URL": "https://s3.example.com", "STORE_ACCESS_KEY": "a", "STORE_SECRET_KEY": "s", "STORE_BUCKET": "files"}
		maps.Copy(settings, changes)
		return settings
	}
	production := variables{"ENVIRONMENT": "production", "SECRET_KEY": key, "PUBLIC_URL": "https://e.example"}
	plain, local := maps.Clone(production), maps.Clone(production)
	plain["STORE_URL"], local["STORE_URL"] = "http://s3.example.com", "http://127.0.0.1:7070"
	for claim, one := range map[string]struct {
		settings variables
		problem  string // empty if absent
	}{
		"a complete service is accepted":                  {with(nil), ""},
		"a service needs an access key":                   {with(variables{"STORE_ACCESS_KEY": ""}), "STORE_ACCESS_KEY"},
		"a service needs a secret key":                    {with(variables{"STORE_SECRET_KEY": ""}), "STORE_SECRET_KEY"},
		"a service needs a bucket":                        {with(variables{"STORE_BUCKET": ""}), "STORE_BUCKET"},
		"a bucket needs a service":                        {variables{"STORE_BUCKET": "files"}, "STORE_URL"},
		"an unencrypted service is refused in production": {with(plain), "STORE_URL"},
		"an unencrypted service on this machine is fine":  {with(local), ""},
		"a limit of nothing is refused":                   {with(variables{"STORE_UPLOAD_SIZE_LIMIT_MB": "0"}), "STORE_UPLOAD_SIZE_LIMIT_MB"},
		"an extension is a word":                          {with(variables{"STORE_FILE_EXTENSIONS": "pdf,tar.gz"}), "STORE_FILE_EXTENSIONS"},
	} {
		_, err := load(one.settings)
		if one.problem == "" && err != nil || one.problem != "" && (err == nil || !strings.Contains(err.Error(), one.problem)) {
			t.Errorf("%s: %v", claim, err)
		}
	}
}

func TestExtensionsAreInLowerCaseWithoutDots(t *testing.T) {
	t.Parallel()
	c, err := load(variables{"STORE_FILE_EXTENSIONS": ".PDF, docx"})
	if err != nil || strings.Join(c.Files.Extensions, " ") != "pdf docx" {
		t.Errorf("%v, %v", c.Files.Extensions, err)
	}
}

func TestFilesFollowTheDataDirectory(t *testing.T) {
	t.Parallel()
	c, err := load(variables{"DATA_DIRECTORY": "/srv/e"})
	if err != nil || c.FilesDirectory() != "/srv/e/files" {
		t.Errorf("%s, %v", c.FilesDirectory(), err)
	}
}
