package config_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"equity/config"
)

func TestRemovedSettingsAreRefused(t *testing.T) {
	t.Parallel()
	manual, err := os.ReadFile("../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	section := regexp.MustCompile(`see "([^"]+)" in docs/operations\.md$`)
	for name, value := range map[string]string{"CLUSTER_PROVIDER": "database", "CLUSTER_PROVIDER_URL": "https://u:hunter2@etcd:2379"} {
		for origin, source := range map[string]config.Source{
			"from the environment": {Environment: variables{name: value}.lookup},
			"from the file":        {File: file(t, name+"="+value+"\n")},
		} {
			t.Run(name+" is refused "+origin, func(t *testing.T) {
				t.Parallel()
				_, err := config.Load(source)
				if err == nil || !strings.HasPrefix(err.Error(), "a setting is invalid: "+name+" is set ("+origin+"), but must be removed: ") {
					t.Fatalf("error is %v", err)
				}
				if strings.Contains(err.Error(), "hunter2") {
					t.Errorf("the error reveals a secret: %v", err)
				}
				if named := section.FindStringSubmatch(err.Error()); named == nil || !strings.Contains(string(manual), "\n## "+named[1]+"\n") {
					t.Errorf("%v: the manual has no section %v", err, named)
				}
			})
		}
	}
	t.Run("empty ones are permitted", func(t *testing.T) {
		t.Parallel()
		source := config.Source{File: file(t, "CLUSTER_PROVIDER=\n"), Environment: variables{"CLUSTER_PROVIDER_URL": ""}.lookup}
		if _, err := config.Load(source); err != nil {
			t.Error(err)
		}
	})
}

func TestRemovedSettingsAreListedWithoutTheirTextIfTheyAreSet(t *testing.T) {
	t.Parallel()
	listed := func(set variables) (found []string) {
		values, err := config.Source{Environment: set.lookup}.Values()
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range values {
			if strings.HasPrefix(v.Setting.Name, "CLUSTER_PROVIDER") {
				found = append(found, v.Setting.Name+" "+v.Shown()+" "+strings.Join(v.Hidden(), ","))
			}
		}
		return found
	}
	got := strings.Join(listed(variables{"CLUSTER_PROVIDER_URL": "hunter2"}), "\n")
	if got != "CLUSTER_PROVIDER_URL ******** hunter2,hunter2" {
		t.Error(got)
	}
	if unset := listed(nil); unset != nil {
		t.Error(unset)
	}
}
