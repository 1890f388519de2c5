package http_test

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"equity/http/apitest"
)

// clients is the folder of the programs that call the server with generated clients. The app is the client that openapi-typescript generates.
const clients = "../.ci/clients"

func TestClientOfOAPICodegenCallsTheServer(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Join(clients, "go"))); err != nil {
		t.Fatal(err)
	}
	contract, err := filepath.Abs("openapi.yaml")
	if err != nil {
		t.Fatal(err)
	}
	runIn(t, folder, "go", "mod", "download") // reports each new module
	runIn(t, folder, "go", "tool", "oapi-codegen", "-generate", "types,client", "-package", "main", "-o", "client.gen.go", contract)
	if got := runIn(t, folder, append([]string{"go", "run", "."}, served(t)...)...); got != "Generated in Go 0\n" {
		t.Errorf("%s", got)
	}
}

func TestClientOfOpenAPIClientForPerlCallsTheServer(t *testing.T) {
	t.Parallel()
	if got := runIn(
		t, ".", append([]string{"perl", filepath.Join(clients, "perl", "client.pl"), "openapi.yaml"}, served(t)...)...,
	); got != "Generated in Perl 0\n" {
		t.Errorf("%s", got)
	}
}

// served starts a server and returns its address, and the e-mail address and the password of a user.
func served(t *testing.T) []string {
	t.Helper()
	b := apitest.Setup(t)
	ada := b.NewPerson(t, "ada@example.com")
	server := httptest.NewServer(b.HTTP)
	t.Cleanup(server.Close)
	return []string{server.URL, ada.User.Email, apitest.Password}
}

// runIn runs a program to its end and returns its output.
func runIn(t *testing.T, folder string, program ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), program[0], program[1:]...)
	command.Dir = folder
	command.Env = append(os.Environ(), "CGO_ENABLED=0") // as the rest of the build, so that both share the compiled packages
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s\nThe packages are installed by need_packages in .ci/packages.sh.", program, err, out)
	}
	return string(out)
}
