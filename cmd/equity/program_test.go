package main

import (
	"io"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

func TestEveryCommandIsExplained(t *testing.T) {
	t.Parallel()
	parser, err := newParser(&cli{}, io.Discard, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	var walk func(node *kong.Node)
	walk = func(node *kong.Node) {
		if node.Type == kong.CommandNode && !strings.HasSuffix(node.Help, ".") {
			t.Errorf("%s: the help %q is no sentence", node.FullPath(), node.Help)
		}
		for _, flag := range node.Flags {
			if flag.Help == "" {
				t.Errorf("%s --%s has no help", node.FullPath(), flag.Name)
			}
		}
		for _, argument := range node.Positional {
			if argument.Help == "" {
				t.Errorf("%s %s has no help", node.FullPath(), argument.Name)
			}
		}
		for _, child := range node.Children {
			walk(child)
		}
	}
	walk(parser.Model.Node)
}

func TestDocumentedCommandsExist(t *testing.T) {
	t.Parallel()
	help := setup(t).run(t, "--help")
	mustContain(t, help, "serve", "migrate", "import", "export", "verify", "demo", "admin", "bench", "config", "equity serve --demo")
	if setup(t).run(t) != help {
		t.Error("without arguments the program does not print its help")
	}
}

func TestMisuseAndFailureHaveDifferentStatuses(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for _, test := range []struct {
		claim  string
		status int
		args   []string
		want   string
	}{
		{"an unknown command", statusMisuse, []string{"server"}, "equity --help"},
		{"an unknown flag", statusMisuse, []string{"migrate", "--fast"}, "--fast"},
		{"a missing argument", statusMisuse, []string{"admin", "create"}, "<email>"},
		{"a proof that is not there", statusMisuse, []string{"verify", filepath.Join(s.directory, "none")}, "none"},
		{"a file of settings that is not there", statusFailed, []string{"migrate", "--config", filepath.Join(s.directory, "none")}, "read settings"},
		{"an invalid id", statusFailed, []string{"export", "x"}, "organization x"},
		{"a store that was never made", statusFailed, []string{"export", "01890000-0000-7000-8000-000000000000"}, "equity migrate"},
	} {
		t.Run(test.claim, func(t *testing.T) {
			t.Parallel()
			mustContain(t, s.refused(t, test.status, test.args...), "equity: ", test.want)
		})
	}
}

func TestWrongSettingsStopTheStart(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.variables["LISTEN"], s.variables["SNAPSHOT_EVERY"] = "8080", "often"
	for _, args := range [][]string{{"serve"}, {"migrate"}, {"verify"}, {"demo"}, {"admin", "create", "a@example.com"}} {
		output := s.refused(t, statusFailed, args...)
		mustContain(t, output, "2 settings are invalid:", `LISTEN is "8080" (from the environment), but must be host:port`, `SNAPSHOT_EVERY is "often"`)
	}
	if left, _ := filepath.Glob(filepath.Join(s.directory, "*")); len(left) > 0 {
		t.Errorf("something was opened before the settings were checked: %v", left)
	}
}

func TestConfigListsSettings(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.variables["SMTP_PASSWORD"] = "hunter2"
	s.variables["EQUITY_CONFIG"] = s.file(t, "equity.conf", "REGISTRATION_IP_LIMIT=7\n")
	output := s.refused(t, statusFailed, "config") // a user without a password
	mustContain(t, output, "REGISTRATION_IP_LIMIT = 7  (from the file)", "SMTP_PORT = 587\n", "SMTP_PASSWORD = ********",
		"REDIS_URL = (not set)", "Default: 127.0.0.1:8080", "equity: a setting is invalid: SMTP_USERNAME")
	if strings.Contains(output, "hunter2") {
		t.Error("a password is shown")
	}
	for line := range strings.Lines(output) {
		if len(line) > 160 {
			t.Errorf("a line is too long to read: %s", line)
		}
	}
	delete(s.variables, "SMTP_PASSWORD")
	short := s.run(t, "config", "--short")
	s.variables["EQUITY_CONFIG"] = ""
	if again := s.run(t, "--config", s.file(t, "copy.conf", short), "config", "--short"); again != short {
		t.Errorf("the short list does not reproduce the settings:\n%s\n%s", short, again)
	}
}

func TestVersionNamesCommitDateAndCompiler(t *testing.T) {
	t.Parallel()
	mustContain(t, setup(t).run(t, "version"), "equity ", " commit ", " date ", "go1.", runtime.GOOS+"/"+runtime.GOARCH)
}

func TestVersionOfABuild(t *testing.T) {
	t.Parallel()
	const day = "2026-11-22T12:00:00Z"
	for _, test := range []struct {
		claim, module, revision, modified, want string
	}{
		{
			"a release built from its tag has tag, commit and date", "v1.2.3", "0123456789abcdef", "false",
			"equity v1.2.3 commit 0123456789ab date " + day + " go1.26.8 ",
		},
		{"an installed module has its version only", "v1.2.3", "", "", "equity v1.2.3 commit unknown date unknown go1.26.8 "},
		{"a build without tags has its commit", "(devel)", "0123456789abcdef", "false", "equity 0123456789ab commit 0123456789ab "},
		{"a modified working tree is marked", "(devel)", "0123456789abcdef", "true", "equity 0123456789ab+changed "},
		{"a build without a repository is for development", "", "", "", "equity development commit unknown "},
	} {
		info := &debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: test.module}}
		if test.revision != "" {
			info.Settings = []debug.BuildSetting{
				{Key: "vcs.revision", Value: test.revision}, {Key: "vcs.time", Value: day}, {Key: "vcs.modified", Value: test.modified},
			}
		}
		if got := buildOf(info, true).String(); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: got %q, want the prefix %q", test.claim, got, test.want)
		}
	}
	if got := buildOf(nil, false).version; got != "unknown" {
		t.Errorf("a binary without build information has the version %q", got)
	}
}
