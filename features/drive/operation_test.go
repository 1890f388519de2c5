package drive_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"equity/features/drive/drivetest"
	equityhttp "equity/http"
	"equity/http/apitest"
)

// drivingFirm returns a firm with a connection, a folder of the drive, and the path of the operations.
func drivingFirm(t *testing.T) (f *apitest.Firm, folder, at string) {
	t.Helper()
	f = apitest.Setup(t).NewFirm(t, "ada@example.com")
	drivetest.Connect(t, f)
	return f, drivetest.Of(f.Server).Folder(drivetest.Root, "Board"), f.Home + "/cloud-drive"
}

// syncResult synchronizes and returns the counts of the first result: processed, added, updated, skipped, failed.
func syncResult(t *testing.T, f *apitest.Firm, at string) string {
	t.Helper()
	list := f.Must(t, "POST", at+"/sync", `{"organization":"`+f.ID+`"}`, http.StatusOK).List(t, "results")
	first, _ := list[0].(map[string]any)
	var counts []string
	for _, name := range []string{"filesProcessed", "filesAdded", "filesUpdated", "filesSkipped", "filesFailed"} {
		counts = append(counts, fmt.Sprint(first[name]))
	}
	return strings.Join(counts, " ")
}

func TestStatusWithoutAConnectionHasOneField(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "ada@example.com")
	if got := f.Must(t, "GET", f.Home+"/cloud-drive/status", "", http.StatusOK); strings.TrimSpace(got.Body) != `{"connected":false}` {
		t.Errorf("%s", got.Body)
	}
}

func TestConnectedDriveIsSynchronizedByItsChanges(t *testing.T) {
	t.Parallel()
	f, folder, at := drivingFirm(t)
	drivetest.Of(f.Server).Put(folder, "Plan.txt", "text/plain", "the plan")
	config := drivetest.Synchronize(t, f, folder, "/Drive/Board")
	if got := syncResult(t, f, at); got != "1 1 0 0 0" {
		t.Errorf("the first run: %s", got)
	}
	drivetest.Of(f.Server).Put(folder, "Plan.txt", "text/plain", "the next plan")
	if got := syncResult(t, f, at); got != "1 0 1 0 0" {
		t.Errorf("the second run: %s", got)
	}
	status := f.Must(t, "GET", at+"/status", "", http.StatusOK)
	if status.Text(t, "email") != "fay@drive.example" || status.Text(t, "lastSyncAt") == "" || !strings.Contains(status.Body, `"syncError":null`) ||
		!strings.Contains(status.Body, `"targetDataRoomPath":"/Drive/Board"`) || !strings.Contains(status.Body, `"id":"`+config+`"`) {
		t.Errorf("%s", status.Body)
	}
	history := f.Must(t, "GET", at+"/sync-history?configurationId="+config, "", http.StatusOK).List(t, "history")
	first, _ := history[0].(map[string]any)
	if len(history) != 2 || first["status"] != "succeeded" || first["filesUpdated"] != 1.0 || first["errorMessage"] != nil || first["completedAt"] == nil {
		t.Errorf("%v", history)
	}
	if got := f.Must(t, "GET", f.Home+"/document", "", http.StatusOK); !strings.Contains(got.Body, `"name":"Drive"`) {
		t.Errorf("%s", got.Body)
	}
}

func TestConnectionIsRefusedWithoutAnOwnRequest(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "ada@example.com")
	other := b.NewPerson(t, "bob@example.com")
	f.Join(t, f.Home, other, "Owner")
	at := f.Home + "/cloud-drive/connect"
	body := func(code, state string) string {
		return `{"organization":"` + f.ID + `","code":"` + code + `","state":"` + state + `"}`
	}
	f.MustFail(t, "POST", at, body("code", ""), http.StatusConflict, "noAuthorization")
	foreign, foreignState := drivetest.Permit(t, other, f.Home)
	f.MustFail(t, "POST", at, body(foreign, foreignState), http.StatusConflict, "noAuthorization")
	_, state := drivetest.Permit(t, f.Client, f.Home)
	f.MustFail(t, "POST", at, body(foreign, state), http.StatusBadRequest, "invalidCode")
	f.MustFail(t, "POST", at, body(foreign, ""), http.StatusBadRequest, "invalidCode")
	f.MustFail(t, "POST", at, `{"organization":"01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10","code":"c"}`, http.StatusBadRequest, "mismatch")
	code, state := drivetest.Permit(t, f.Client, f.Home)
	f.Clock.Advance(11 * time.Minute)
	f.MustFail(t, "POST", at, body(code, state), http.StatusConflict, "noAuthorization")
}

func TestRepeatedConnectionReturnsTheFirstAnswer(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(t).NewFirm(t, "ada@example.com")
	code, state := drivetest.Permit(t, f.Client, f.Home)
	body := `{"organization":"` + f.ID + `","code":"` + code + `","state":"` + state + `"}`
	first := f.Must(t, "POST", f.Home+"/cloud-drive/connect", body, http.StatusOK, "Idempotency-Key", "k")
	again := f.Must(t, "POST", f.Home+"/cloud-drive/connect", body, http.StatusOK, "Idempotency-Key", "k")
	if first.Body != again.Body || drivetest.Of(f.Server).Valid() != 1 {
		t.Errorf("%s, then %s", first.Body, again.Body)
	}
	f.MustFail(
		t, "POST", f.Home+"/cloud-drive/connect", strings.Replace(body, code, "other", 1), http.StatusConflict, "idempotencyKeyReused",
		"Idempotency-Key", "k",
	)
	if next := drivetest.Connect(t, f); next.Text(t, "connectionId") != first.Text(t, "connectionId") {
		t.Error("the second connection has another id")
	}
}

func TestDryRunsChangeNoConnection(t *testing.T) {
	t.Parallel()
	f, folder, at := drivingFirm(t)
	config := drivetest.Synchronize(t, f, folder, "/Drive")
	tokens := drivetest.Of(f.Server).Calls("token")
	for _, one := range [][3]string{
		{"POST", "/connect", `{"organization":"` + f.ID + `","code":"c"}`},
		{"POST", "/sync-config", `{"driveFolderId":"x","driveFolderName":"X","targetDataRoomPath":"/X"}`},
		{"PATCH", "/sync-config/" + config, `{"syncEnabled":false}`},
		{"DELETE", "/sync-config/" + config, ""},
		{"DELETE", "/connection", ""},
	} {
		if got := f.Must(t, one[0], at+one[1]+"?dryRun=true", one[2], http.StatusOK); !strings.Contains(got.Body, `"events"`) {
			t.Errorf("%s %s: %s", one[0], one[1], got.Body)
		}
	}
	status := f.Must(t, "GET", at+"/status", "", http.StatusOK)
	if !strings.Contains(status.Body, `"syncEnabled":true`) || drivetest.Of(f.Server).Calls("token") != tokens || drivetest.Of(f.Server).Valid() != 1 {
		t.Errorf("%s", status.Body)
	}
}

func TestEndedConnectionKeepsDocumentsAndRevokesTokens(t *testing.T) {
	t.Parallel()
	f, folder, at := drivingFirm(t)
	drivetest.Of(f.Server).Put(folder, "Plan.txt", "text/plain", "the plan")
	drivetest.Synchronize(t, f, folder, "/")
	syncResult(t, f, at)
	f.Must(t, "DELETE", at+"/connection", "", http.StatusPreconditionFailed, "If-Match", `"1.1"`)
	f.Must(t, "DELETE", at+"/connection", "", http.StatusNoContent)
	f.Must(t, "DELETE", at+"/connection", "", http.StatusNoContent) // again
	if drivetest.Of(f.Server).Valid() != 0 || drivetest.Of(f.Server).Calls("revoke") == 0 {
		t.Errorf("%d tokens are valid", drivetest.Of(f.Server).Valid())
	}
	if got := f.Must(t, "GET", f.Home+"/document", "", http.StatusOK); !strings.Contains(got.Body, `"Plan.txt"`) {
		t.Errorf("%s", got.Body)
	}
	f.MustFail(t, "POST", at+"/sync", "{}", http.StatusConflict, "notConnected")
	f.MustFail(t, "GET", at+"/folders", "", http.StatusConflict, "notConnected")
	f.MustFail(t, "POST", at+"/sync-config", `{"driveFolderId":"x","driveFolderName":"X","targetDataRoomPath":"/X"}`, http.StatusConflict, "notConnected")
	if got := f.Must(t, "GET", at+"/sync-history", "", http.StatusOK).List(t, "history"); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

func TestFoldersOfTheDriveAreListedByPages(t *testing.T) {
	t.Parallel()
	f, folder, at := drivingFirm(t)
	drivetest.Of(f.Server).Folder(folder, "Minutes")
	drivetest.Of(f.Server).Folder(drivetest.Root, "Contracts")
	drivetest.Of(f.Server).Put(drivetest.Root, "Plan.txt", "text/plain", "no folder")
	drivetest.Of(f.Server).Break(drivetest.Faults{Page: 1})
	var names []string
	for cursor := ""; ; {
		path := at + "/folders"
		if cursor != "" {
			path += "?cursor=" + cursor
		}
		page := f.Must(t, "GET", path, "", http.StatusOK)
		for _, one := range page.List(t, "data") {
			record, _ := one.(map[string]any)
			names = append(names, apitest.TextOf(record, "kind")+" "+apitest.TextOf(record, "name"))
		}
		if !strings.Contains(page.Body, "nextCursor") {
			break
		}
		cursor = page.Text(t, "nextCursor")
	}
	if !slices.Equal(names, []string{"folder Board", "folder Contracts", "sharedDrive Team"}) {
		t.Errorf("%v", names)
	}
	drivetest.Of(f.Server).Break(drivetest.Faults{})
	inner := f.Must(t, "GET", at+"/folders?parentId="+folder, "", http.StatusOK)
	if len(inner.List(t, "data")) != 1 || !strings.Contains(inner.Body, `"parentId":"`+folder+`"`) {
		t.Errorf("%s", inner.Body)
	}
}

func TestConfigurationsAreChecked(t *testing.T) {
	t.Parallel()
	f, folder, at := drivingFirm(t)
	config := drivetest.Synchronize(t, f, folder, "/Drive")
	const body = `{"driveFolderId":"x","driveFolderName":"X","targetDataRoomPath":"/X"}`
	f.MustFail(t, "POST", at+"/sync-config", strings.Replace(body, `"x"`, apitest.Quoted(t, folder), 1), http.StatusConflict, "folderAlreadySynced")
	f.MustFail(t, "POST", at+"/sync-config", strings.Replace(body, "/X", "X", 1), http.StatusBadRequest, "format")
	f.MustFail(t, "POST", at+"/sync-config", strings.Replace(body, "}", `,"fileTypeFilter":".pdf"}`, 1), http.StatusBadRequest, "format")
	f.MustFail(t, "PATCH", at+"/sync-config/"+config, `{"driveFolderId":"y"}`, http.StatusBadRequest, "unknownField")
	f.MustFail(t, "PATCH", at+"/sync-config/"+apitest.NewUUID(), `{"syncEnabled":false}`, http.StatusNotFound, "resourceNotFound")
	f.MustFail(t, "POST", at+"/sync", `{"configurationId":"`+apitest.NewUUID()+`"}`, http.StatusNotFound, "resourceNotFound")
	for number := range 19 {
		drivetest.Synchronize(t, f, "folder "+strconv.Itoa(number), "/Drive")
	}
	f.MustFail(t, "POST", at+"/sync-config", body, http.StatusConflict, "limitReached")
}

func TestChangedConfigurationHasAnEditableVersion(t *testing.T) {
	t.Parallel()
	f, folder, at := drivingFirm(t)
	path := at + "/sync-config/" + drivetest.Synchronize(t, f, folder, "/Drive")
	changed := f.Must(t, "PATCH", path, `{"syncEnabled":false,"fileTypeFilter":"PDF, docx"}`, http.StatusOK)
	if !strings.Contains(changed.Body, `"fileTypeFilter":"pdf,docx"`) || !strings.Contains(changed.Body, `"syncEnabled":false`) {
		t.Errorf("%s", changed.Body)
	}
	if got := f.Must(t, "POST", at+"/sync", "{}", http.StatusOK); len(got.List(t, "results")) != 0 {
		t.Errorf("a disabled configuration was synchronized: %s", got.Body)
	}
	f.Must(t, "PATCH", path, `{"syncEnabled":true}`, http.StatusOK, "If-Match", changed.Header.Get("ETag"))
	f.Must(t, "PATCH", path, `{"syncEnabled":false}`, http.StatusPreconditionFailed, "If-Match", changed.Header.Get("ETag"))
	f.Must(t, "DELETE", path, "", http.StatusNoContent)
	f.MustFail(t, "DELETE", path, "", http.StatusNotFound, "resourceNotFound")
}

func TestRevokedAccessIsShown(t *testing.T) {
	t.Parallel()
	f, folder, at := drivingFirm(t)
	drivetest.Synchronize(t, f, folder, "/Drive")
	drivetest.Of(f.Server).RevokeAll()
	syncResult(t, f, at)
	status := f.Must(t, "GET", at+"/status", "", http.StatusOK)
	if !strings.Contains(status.Body, `"connected":true`) || status.Text(t, "syncError") != "reconnectNeeded" {
		t.Errorf("%s", status.Body)
	}
	f.MustFail(t, "GET", at+"/folders", "", http.StatusConflict, "reconnectNeeded")
}

func TestUnavailableDriveIsNamed(t *testing.T) {
	t.Parallel()
	f, _, at := drivingFirm(t)
	drivetest.Of(f.Server).Break(drivetest.Faults{Down: true})
	f.MustFail(t, "GET", at+"/folders", "", http.StatusServiceUnavailable, "unavailable")
}

func TestPathsOfDrivesAreHiddenWithoutTheFeature(t *testing.T) {
	t.Parallel()
	f := apitest.Setup(
		t, func(s *equityhttp.Settings, _ *equityhttp.Services) { s.Features["drive"] = false },
	).NewFirm(t, "ada@example.com")
	f.MustFail(t, "GET", f.Home+"/cloud-drive/status", "", http.StatusNotFound, "resourceNotFound")
}

func TestTokensAreInNoAnswerAndNoEvent(t *testing.T) {
	t.Parallel()
	f, folder, at := drivingFirm(t)
	drivetest.Synchronize(t, f, folder, "/Drive")
	syncResult(t, f, at)
	var all strings.Builder
	for _, path := range []string{at + "/status", at + "/folders", at + "/sync-history", f.Home + "/journal", f.Home + "/integration"} {
		all.WriteString(f.Must(t, "GET", path, "", http.StatusOK).Body)
	}
	all.WriteString(f.Log.String())
	if !strings.Contains(all.String(), `"driveConnected"`) || !strings.Contains(all.String(), `"name":"drive"`) {
		t.Error("the answers have no connection")
	}
	for _, secret := range drivetest.Of(f.Server).Secrets() {
		if strings.Contains(all.String(), secret) {
			t.Error("an answer or the log has a token")
		}
	}
}
