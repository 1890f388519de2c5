package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"equity/config"
)

// deployed returns the path of a file below deploy/.
func deployed(name string) string { return filepath.Join("..", "..", "deploy", name) }

func readDeployed(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(deployed(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// deployTool runs a program that .ci/with-services installs, and returns its output.
func deployTool(t *testing.T, in, name string, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), name, arguments...)
	command.Stdin = strings.NewReader(in)
	command.Env = append(os.Environ(), "SECRET_KEY=x", "DATABASE_PASSWORD=x", "STORE_PASSWORD=x", "REDIS_PASSWORD=secret-of-redis")
	var out, failures bytes.Buffer
	command.Stdout, command.Stderr = &out, &failures
	if err := command.Run(); err != nil {
		t.Fatalf("%s %s: %v; run the tests with .ci/with-services\n%s%s", name, strings.Join(arguments, " "), err, out.String(), failures.String())
	}
	return out.String()
}

func deployCheck(t *testing.T, in string, arguments ...string) string {
	t.Helper()
	path := os.Getenv("TEST_DEPLOY_CHECK")
	if path == "" {
		t.Fatal("TEST_DEPLOY_CHECK is not set: run the tests with .ci/with-services, which builds .ci/tools/deploycheck")
	}
	return deployTool(t, in, path, arguments...)
}

// kubernetesObject has the parts of an object that the tests read. The checker has decoded it with the strict types.
type kubernetesObject struct {
	Kind     string
	Metadata struct{ Name, Namespace string }
	Data     map[string]string
	Spec     struct {
		Replicas    int
		ServiceName string
		ClusterIP   string
		Template    struct {
			Spec struct {
				TerminationGracePeriodSeconds int
				AutomountServiceAccountToken  *bool
				SecurityContext               struct{ RunAsNonRoot bool }
				Containers                    []struct {
					Env []struct {
						Name, Value string
						ValueFrom   struct{ FieldRef struct{ FieldPath string } }
					}
					ReadinessProbe, LivenessProbe, StartupProbe *struct{ HTTPGet struct{ Path, Port any } }
					Resources                                   struct{ Requests, Limits map[string]string }
					SecurityContext                             struct {
						AllowPrivilegeEscalation *bool
						ReadOnlyRootFilesystem   bool
						Capabilities             struct{ Drop []string }
					}
				}
			}
		}
	}
}

// manifests renders an overlay.
func manifests(t *testing.T, overlay string) []kubernetesObject {
	t.Helper()
	var objects []kubernetesObject
	decoder := json.NewDecoder(strings.NewReader(deployCheck(t, "", "kubernetes", deployed("kubernetes/overlays/"+overlay))))
	for decoder.More() {
		var one kubernetesObject
		if err := decoder.Decode(&one); err != nil {
			t.Fatal(err)
		}
		objects = append(objects, one)
	}
	return objects
}

func TestManifestsHaveStrictTypesAndAreRestricted(t *testing.T) {
	t.Parallel()
	for overlay, kinds := range map[string][]string{
		"single": {"ConfigMap", "Ingress", "Namespace", "NetworkPolicy", "Service", "Service", "ServiceAccount", "StatefulSet"},
		"replicas": {
			"ConfigMap", "Ingress", "Namespace", "NetworkPolicy", "PodDisruptionBudget", "Service", "Service", "ServiceAccount",
			"StatefulSet",
		},
	} {
		t.Run(overlay, func(t *testing.T) {
			t.Parallel()
			var found []string
			for _, object := range manifests(t, overlay) {
				found = append(found, object.Kind)
				if object.Kind == "StatefulSet" {
					checkPod(t, object)
				}
				if object.Kind == "ConfigMap" {
					checkSettings(t, overlay, object.Data)
				}
			}
			slices.Sort(found)
			if !slices.Equal(found, kinds) {
				t.Errorf("%v", found)
			}
		})
	}
}

// checkPod checks that a pod is restricted, and has no token of the API server.
func checkPod(t *testing.T, object kubernetesObject) {
	t.Helper()
	pod := object.Spec.Template.Spec
	container := pod.Containers[0]
	security := container.SecurityContext
	if !pod.SecurityContext.RunAsNonRoot || pod.AutomountServiceAccountToken == nil || *pod.AutomountServiceAccountToken ||
		!security.ReadOnlyRootFilesystem || security.AllowPrivilegeEscalation == nil || *security.AllowPrivilegeEscalation ||
		!slices.Equal(security.Capabilities.Drop, []string{"ALL"}) {
		t.Errorf("the pod is not restricted: %+v", pod)
	}
	if container.ReadinessProbe == nil || container.LivenessProbe == nil || container.StartupProbe == nil || container.Resources.Limits["memory"] == "" {
		t.Errorf("a probe or a limit is missing: %+v", container)
	}
	if container.ReadinessProbe.HTTPGet.Path != "/readyz" || container.LivenessProbe.HTTPGet.Path != "/healthz" {
		t.Errorf("%+v", container)
	}
}

// TestReplicasKeepTheirAddresses checks that the address of a server is the name of its pod in the headless service, which survives the pod.
func TestReplicasKeepTheirAddresses(t *testing.T) {
	t.Parallel()
	headless := map[string]bool{}
	variables := map[string]string{}
	var service string
	for _, object := range manifests(t, "replicas") {
		headless[object.Metadata.Name] = headless[object.Metadata.Name] || object.Kind == "Service" && object.Spec.ClusterIP == "None"
		if object.Kind == "StatefulSet" {
			service = object.Spec.ServiceName
			for _, one := range object.Spec.Template.Spec.Containers[0].Env {
				variables[one.Name] = one.Value + one.ValueFrom.FieldRef.FieldPath
			}
		}
	}
	if !headless[service] || variables["POD_NAME"] != "metadata.name" || variables["CLUSTER_ADDRESS"] != "$(POD_NAME)."+service+":7443" {
		t.Errorf("service %s: %v", service, variables)
	}
}

// checkSettings checks that each variable is a setting with a valid value. Variables of other programs are permitted.
func checkSettings(t *testing.T, place string, variables map[string]string) {
	t.Helper()
	known := map[string]bool{}
	for _, setting := range (config.Source{Rooms: roomSettings()}).Settings() {
		known[setting.Name] = true
	}
	for name := range variables {
		if !known[name] && (known["CLUSTER_ADDRESS"] || !strings.HasPrefix(name, "CLUSTER_")) {
			t.Errorf("%s: %s is not a setting", place, name)
		}
	}
	complete := map[string]string{
		"SECRET_KEY": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "STORE_ACCESS_KEY": "x", "STORE_SECRET_KEY": "x", // from the secret
	}
	if strings.HasPrefix(place, "replicas") {
		complete["DATABASE_URL"], complete["CLUSTER_ADDRESS"] = "postgres://db/equity", "10.0.0.1:7443" // from the secret and the pod
	}
	if variables["STORE_URL"] == "" {
		delete(complete, "STORE_ACCESS_KEY")
		delete(complete, "STORE_SECRET_KEY")
	}
	for name, value := range variables {
		if value != "" && known[name] {
			complete[name] = value
		}
	}
	_, err := config.Load(config.Source{Environment: func(name string) (string, bool) { value, ok := complete[name]; return value, ok }})
	if err != nil {
		t.Errorf("%s: %v", place, err)
	}
}

// TestComposeFileIsValid decodes the file with the schema of compose files.
func TestComposeFileIsValid(t *testing.T) {
	t.Parallel()
	var project struct {
		Services map[string]struct {
			Environment map[string]string
			Volumes     []struct{ Type, Source string }
			ReadOnly    bool `json:"read_only"`
		}
	}
	if err := json.Unmarshal([]byte(deployCheck(t, "", "compose", deployed("compose/compose.yaml"))), &project); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"node1", "node2", "node3", "db1", "db2", "etcd", "redis", "store", "mail", "proxy"} {
		service, exists := project.Services[name]
		if !exists {
			t.Errorf("%s is missing", name)
		}
		for _, volume := range service.Volumes {
			if _, err := os.Stat(volume.Source); volume.Type == "bind" && err != nil {
				t.Error(err)
			}
		}
		if name == "redis" && service.Environment["REDISCLI_AUTH"] != "secret-of-redis" {
			t.Error("Redis requires no password")
		}
		if strings.HasPrefix(name, "node") && !strings.Contains(service.Environment["REDIS_URL"], ":secret-of-redis@") {
			t.Errorf("%s has no password of Redis", name)
		}
		if !strings.HasPrefix(name, "node") {
			continue
		}
		service.Environment["SECRET_KEY"] = "" // replaced by the check
		checkSettings(t, "compose "+name, service.Environment)
		if !service.ReadOnly {
			t.Errorf("%s may write to its image", name)
		}
	}
}

func TestImageRunsWithoutRootAndShell(t *testing.T) {
	t.Parallel()
	parsed := deployCheck(t, "", "dockerfile", deployed("container/Dockerfile"))
	_, last, staged := strings.Cut(parsed, "FROM scratch")
	if !staged {
		t.Fatal(parsed)
	}
	mustContain(t, parsed, "CGO_ENABLED=0")
	mustContain(t, last, "65532:65532", "doctor", "--ready", "serve")
	variables := map[string]string{}
	for pair := range strings.FieldsSeq(regexp.MustCompile(`(?m)^ENV (.*)$`).FindStringSubmatch(readDeployed(t, "container/Dockerfile"))[1]) {
		name, value, _ := strings.Cut(pair, "=")
		variables[name] = value
	}
	checkSettings(t, "Dockerfile", variables)
	var used struct{ Go string }
	version := regexp.MustCompile(`(?m)^go (\S+)$`).FindStringSubmatch(readModule(t))
	used.Go = version[1]
	mustContain(t, parsed, "golang:"+used.Go+"-")
}

// TestImageOfTheDatabaseRunsPatroni does not check the configuration, which the tests of cmd/equity/processtest use.
func TestImageOfTheDatabaseRunsPatroni(t *testing.T) {
	t.Parallel()
	mustContain(t, deployCheck(t, "", "dockerfile", deployed("compose/database.Dockerfile")),
		"COPY patroni.yaml database.sql /etc/patroni/", "USER postgres", `ENTRYPOINT ["patroni", "/etc/patroni/patroni.yaml"]`)
}

// TestImageNamesItsCommit finds no recorded file that the build would take for deleted. Both programs read the patterns alike.
func TestImageNamesItsCommit(t *testing.T) {
	t.Parallel()
	ignored := deployTool(
		t, "", "git", "-C", filepath.Join("..", ".."), "ls-files", "--cached", "--ignored",
		"--exclude-from=deploy/container/Dockerfile.dockerignore",
	)
	if ignored != "" {
		t.Errorf("the build lacks recorded files:\n%s", ignored)
	}
}

func readModule(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// unitSettings returns the settings of the unit and of its file.
func unitSettings(t *testing.T) map[string]string {
	t.Helper()
	variables := map[string]string{}
	for line := range strings.Lines(readDeployed(t, "systemd/equity.env")) {
		if name, value, is := strings.Cut(strings.TrimSpace(line), "="); is && !strings.HasPrefix(name, "#") {
			variables[name] = value
		}
	}
	for _, found := range regexp.MustCompile(`(?m)^Environment=([A-Z_]+)=(.*)$`).FindAllStringSubmatch(readDeployed(t, "systemd/equity.service"), -1) {
		variables[found[1]] = found[2]
	}
	return variables
}

// TestExamplesOfTheUnitAreValid adds the settings of the file that are comments, such as those of a cluster.
func TestExamplesOfTheUnitAreValid(t *testing.T) {
	t.Parallel()
	variables := unitSettings(t)
	for _, found := range regexp.MustCompile(`(?m)^#([A-Z_]+)=(.*)$`).FindAllStringSubmatch(readDeployed(t, "systemd/equity.env"), -1) {
		variables[found[1]] = found[2]
	}
	if variables["CLUSTER_ADDRESS"] == "" {
		t.Error("CLUSTER_ADDRESS has no example")
	}
	checkSettings(t, "equity.env", variables)
}

func TestUnitIsValidAndHardened(t *testing.T) {
	t.Parallel()
	checkSettings(t, "equity.env", unitSettings(t))
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	unit := filepath.Join(t.TempDir(), "equity.service")
	text := strings.Replace(readDeployed(t, "systemd/equity.service"), "/usr/local/bin/equity", program, 1)
	if err := os.WriteFile(unit, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), "systemd-analyze", "verify", "--man=no", "--recursive-errors=no", unit)
	if out, err := command.CombinedOutput(); err != nil || bytes.Contains(out, []byte("equity.service")) {
		t.Errorf("%v\n%s", err, out)
	}
	const threshold = "20" // 2.0 of 10
	deployTool(t, "", "systemd-analyze", "security", "--offline=yes", "--threshold="+threshold, unit)
}

// TestUnitStartsWithItsSettings runs the command of the unit with the settings of its file, apart from addresses and folders.
func TestUnitStartsWithItsSettings(t *testing.T) {
	t.Parallel()
	s := setup(t)
	for name, value := range unitSettings(t) {
		if s.variables[name] == "" && value != "" {
			s.variables[name] = value
		}
	}
	s.variables["ENVIRONMENT"], s.variables["LOG_FORMAT"] = "production", "text"
	s.variables["SECRET_KEY"], s.variables["DRAIN_DELAY"] = "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=", "0s"
	mustContain(t, readDeployed(t, "systemd/equity.service"), "ExecStart=/usr/local/bin/equity serve\n")
	r := s.serve(t)
	if status, body := r.get(t, r.metrics+"/readyz"); status != 200 {
		t.Errorf("%d %s", status, body)
	}
}

// rules are the alerts of Prometheus.
type rules struct {
	Groups []struct {
		Rules []struct {
			Alert       string
			Expr        string
			Annotations map[string]string
		}
	}
}

func TestEveryAlertHasATestAndARunbook(t *testing.T) {
	t.Parallel()
	deployTool(t, "", "promtool", "check", "rules", deployed("monitoring/alerts.yaml"))
	deployTool(t, "", "promtool", "test", "rules", deployed("monitoring/alerts_test.yaml"))
	deployTool(t, "", "promtool", "check", "config", deployed("monitoring/prometheus.yaml"))
	operations, err := os.ReadFile(filepath.Join("..", "..", "docs", "operations.md"))
	if err != nil {
		t.Fatal(err)
	}
	tests := readDeployed(t, "monitoring/alerts_test.yaml")
	var loaded rules
	if err := yaml.Unmarshal([]byte(readDeployed(t, "monitoring/alerts.yaml")), &loaded); err != nil {
		t.Fatal(err)
	}
	for _, rule := range loaded.Groups[0].Rules {
		if !strings.Contains(string(operations), "### "+rule.Alert+"\n") {
			t.Errorf("docs/operations.md has no section for %s", rule.Alert)
		}
		if want := "docs/operations.md#" + strings.ToLower(rule.Alert); rule.Annotations["runbook"] != want {
			t.Errorf("%s has the runbook %s", rule.Alert, rule.Annotations["runbook"])
		}
		if !strings.Contains(tests, "alertname: "+rule.Alert+"\n") {
			t.Errorf("%s has no test", rule.Alert)
		}
	}
}

// TestEveryMetricOfAlertsAndDashboardIsExported reads the metrics of a running server.
func TestEveryMetricOfAlertsAndDashboardIsExported(t *testing.T) {
	t.Parallel()
	s := setup(t)
	s.variables["BILLING_SECRET_KEY"], s.variables["BILLING_WEBHOOK_SECRET"], s.variables["BILLING_URL"] = "sk_test_1", "whsec_1", "http://127.0.0.1:1"
	r := s.serve(t, "--demo")
	r.get(t, r.url+"/v1/organization")
	_, text := r.get(t, r.metrics+"/metrics")
	exported := map[string]bool{"up": true} // of Prometheus itself
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			exported[strings.FieldsFunc(line, func(c rune) bool { return c == '{' || c == ' ' })[0]] = true
		}
	}
	var expressions []string
	var loaded rules
	if err := yaml.Unmarshal([]byte(readDeployed(t, "monitoring/alerts.yaml")), &loaded); err != nil {
		t.Fatal(err)
	}
	for _, rule := range loaded.Groups[0].Rules {
		expressions = append(expressions, rule.Expr)
	}
	var dashboard struct {
		Panels []struct{ Targets []struct{ Expr string } }
	}
	if err := json.Unmarshal([]byte(readDeployed(t, "monitoring/dashboard.json")), &dashboard); err != nil {
		t.Fatal(err)
	}
	for _, panel := range dashboard.Panels {
		for _, target := range panel.Targets {
			expressions = append(expressions, target.Expr)
		}
	}
	used := map[string]bool{}
	names := bufio.NewScanner(strings.NewReader(deployCheck(t, strings.Join(expressions, "\n"), "metrics")))
	for names.Scan() {
		used[names.Text()] = true
		if !exported[names.Text()] {
			t.Errorf("the server exports no metric %s", names.Text())
		}
	}
	if len(used) < 20 {
		t.Errorf("only %d metrics were found", len(used))
	}
	for name := range exported {
		if strings.HasPrefix(name, "equity_") && !used[name] && !strings.HasSuffix(name, "_sum") && !strings.HasSuffix(name, "_count") {
			t.Errorf("the metric %s is in no panel and in no alert", name)
		}
	}
}

// TestEveryDeployedFileIsChecked keeps the list of checked files complete.
func TestEveryDeployedFileIsChecked(t *testing.T) {
	t.Parallel()
	checked := []string{
		"README.md", "compose/compose.yaml", "compose/nginx.conf", "compose/database.Dockerfile", "compose/database.sql", "compose/patroni.yaml",
		"container/Dockerfile", "container/Dockerfile.dockerignore", "monitoring/alerts.yaml", "monitoring/alerts_test.yaml",
		"monitoring/dashboard.json",
		"monitoring/prometheus.yaml", "proxy/Caddyfile", "proxy/nginx.conf", "systemd/equity.env", "systemd/equity.service",
	}
	err := filepath.WalkDir(deployed(""), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(deployed(""), path)
		if name = filepath.ToSlash(name); err == nil && entry.Name() != ".env" && !strings.HasPrefix(name, "kubernetes/") && !slices.Contains(checked, name) {
			err = fmt.Errorf("%s is not checked by a test", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
