package webhook_test

import (
	"os"
	"slices"
	"testing"

	"go.yaml.in/yaml/v3"

	"equity/features/webhook/endpoint"
)

func TestContractHasACallbackForEachTypeOfEvents(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("contract.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var contract struct {
		Paths map[string]struct {
			Post struct {
				Callbacks struct {
					Types []string `yaml:"types"`
				} `yaml:"x-callbacks"`
			} `yaml:"post"`
		} `yaml:"paths"`
	}
	if err := yaml.Unmarshal(text, &contract); err != nil {
		t.Fatal(err)
	}
	got := contract.Paths["/organization/{organization}/webhook"].Post.Callbacks.Types
	if want := append(endpoint.EventTypes(), "journal.*", "webhook.test"); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
