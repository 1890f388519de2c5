package processtest_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"equity/cmd/equity/processtest"
)

func TestSecretsInALogAreFound(t *testing.T) {
	t.Parallel()
	settings := processtest.Settings{
		"DATA_DIRECTORY": t.TempDir(), "SECRET_KEY": "c2VjcmV0", "DATABASE_URL": "postgres://equity:hidden@localhost/equity",
	}
	mails := filepath.Join(settings["DATA_DIRECTORY"], "mail")
	if err := os.Mkdir(mails, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"mail/a.eml": "Follow https://equity.example.com/verify?code=3DKPU1NJC7ahLemTmpb-SRJudSm=\r\n_9Ssdte now.", "secret.key": "b3RoZXI\n",
	} {
		if err := os.WriteFile(filepath.Join(settings["DATA_DIRECTORY"], name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	half := strings.Repeat("aB_-0", 9)[:43]
	for line, found := range map[string]bool{
		"request=1 route=/user/login status=200":          false,
		"tried correct horse battery staple":              true,
		"code KPU1NJC7ahLemTmpb-SRJudSm_9Ssdte was wrong": true,
		"cookie " + half + "." + half:                     true,
		"session " + half:                                 false,
		"key c2VjcmV0":                                    true,
		"key b3RoZXI":                                     true,
		"dial postgres://equity:hidden@localhost/equity":  true,
		"dial postgres://equity:xxxxx@localhost/equity":   false,
	} {
		if got := processtest.SecretsIn(line, settings); len(got) > 0 != found {
			t.Errorf("%s: %v", line, got)
		}
	}
}
