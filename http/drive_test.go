package http_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"equity/actors/drive/drivetest"
	equityhttp "equity/http"
	"equity/http/api"
)

// drivingFirm returns a firm with a connection, a folder of the drive, and the path of the operations.
func drivingFirm(t *testing.T) (f *firm, folder, at string) {
	t.Helper()
	f = setup(t).firm(t, "ada@example.com")
	f.connectDrive(t)
	return f, f.drive.Folder(drivetest.Root, "Board"), f.home + "/cloud-drive"
}

// syncResult synchronizes and returns the counts of the first result: processed, added, updated, skipped, failed.
func (f *firm) syncResult(t *testing.T, at string) string {
	t.Helper()
	list := f.must(t, "POST", at+"/sync", `{"organization":"`+f.id+`"}`, http.StatusOK).list(t, "results")
	first, _ := list[0].(map[string]any)
	var counts []string
	for _, name := range []string{"filesProcessed", "filesAdded", "filesUpdated", "filesSkipped", "filesFailed"} {
		number, _ := first[name].(float64)
		counts = append(counts, strconv.Itoa(int(number)))
	}
	return strings.Join(counts, " ")
}

func TestStatusWithoutAConnectionHasOneField(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "ada@example.com")
	if got := f.must(t, "GET", f.home+"/cloud-drive/status", "", http.StatusOK); strings.TrimSpace(got.body) != `{"connected":false}` {
		t.Errorf("%s", got.body)
	}
}

func TestConnectedDriveIsSynchronizedByItsChanges(t *testing.T) {
	t.Parallel()
	f, folder, at := drivingFirm(t)
	f.drive.Put(folder, "Plan.txt", "text/plain", "the plan")
	config := f.synchronize(t, folder, "/Drive/Board")
	if got := f.syncResult(t, at); got != "1 1 0 0 0" {
		t.Errorf("the first run: %s", got)
	}
	f.drive.Put(folder, "Plan.txt", "text/plain", "the next plan")
	if got := f.syncResult(t, at); got != "1 0 1 0 0" {
		t.Errorf("the second run: %s", got)
	}
	status := f.must(t, "GET", at+"/status", "", http.StatusOK)
	if status.text(t, "email") != "fay@drive.example" || status.text(t, "lastSyncAt") == "" || !strings.Contains(status.body, `"syncError":null`) ||
		!strings.Contains(status.body, `"targetDataRoomPath":"/Drive/Board"`) || !strings.Contains(status.body, `"id":"`+config+`"`) {
		t.Errorf("%s", status.body)
	}
	history := f.must(t, "GET", at+"/sync-history?configurationId="+config, "", http.StatusOK).list(t, "history")
	first, _ := history[0].(map[string]any)
	if len(history) != 2 || first["status"] != "succeeded" || first["filesUpdated"] != 1.0 || first["errorMessage"] != nil || first["completedAt"] == nil {
		t.Errorf("%v", history)
	}
	if got := f.must(t, "GET", f.home+"/document", "", http.StatusOK); !strings.Contains(got.body, `"name":"Drive"`) {
		t.Errorf("%s", got.body)
	}
}

func TestConnectionIsRefusedWithoutAnOwnRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "ada@example.com")
	other := b.person(t, "bob@example.com")
	f.join(t, f.home, other, "Owner")
	at := f.home + "/cloud-drive/connect"
	body := func(code, state string) string {
		return `{"organization":"` + f.id + `","code":"` + code + `","state":"` + state + `"}`
	}
	f.fails(t, "POST", at, body("code", ""), http.StatusConflict, "noAuthorization")
	foreign, foreignState := other.permit(t, f.home)
	f.fails(t, "POST", at, body(foreign, foreignState), http.StatusConflict, "noAuthorization")
	_, state := f.permit(t, f.home)
	f.fails(t, "POST", at, body(foreign, state), http.StatusBadRequest, "invalidCode")
	f.fails(t, "POST", at, body(foreign, ""), http.StatusBadRequest, "invalidCode")
	f.fails(t, "POST", at, `{"organization":"01926f3c-8a5e-7c31-9d55-2b1f0a6c4e10","code":"c"}`, http.StatusBadRequest, "mismatch")
	code, state := f.permit(t, f.home)
	f.clock.advance(11 * time.Minute)
	f.fails(t, "POST", at, body(code, state), http.StatusConflict, "noAuthorization")
}

func TestRepeatedConnectionReturnsTheFirstAnswer(t *testing.T) {
	t.Parallel()
	f := setup(t).firm(t, "ada@example.com")
	code, state := f.permit(t, f.home)
	body := `{"organization":"` + f.id + `","code":"` + code + `","state":"` + state + `"}`
	first := f.must(t, "POST", f.home+"/cloud-drive/connect", body, http.StatusOK, "Idempotency-Key", "k")
	again := f.must(t, "POST", f.home+"/cloud-drive/connect", body, http.StatusOK, "Idempotency-Key", "k")
	if first.body != again.body || f.drive.Valid() != 1 {
		t.Errorf("%s, then %s", first.body, again.body)
	}
	f.fails(
		t, "POST", f.home+"/cloud-drive/connect", strings.Replace(body, code, "other", 1), http.StatusConflict, "idempotencyKeyReused",
		"Idempotency-Key", "k",
	)
	if next := f.connectDrive(t); next.text(t, "connectionId") != first.text(t, "connectionId") {
		t.Error("the second connection has another id")
	}
}

func TestDryRunsChangeNoConnection(t *testing.T) {
	t.Parallel()
	f, folder, at := drivingFirm(t)
	config := f.synchronize(t, folder, "/Drive")
	tokens := f.drive.Calls("token")
	for _, one := range [][3]string{
		{"POST", "/connect", `{"organization":"` + f.id + `","code":"c"}`},
		{"POST", "/sync-config", `{"driveFolderId":"x","driveFolderName":"X","targetDataRoomPath":"/X"}`},
		{"PATCH", "/sync-config/" + config, `{"syncEnabled":false}`},
		{"DELETE", "/sync-config/" + config, ""},
		{"DELETE", "/connection", ""},
	} {
		if got := f.must(t, one[0], at+one[1]+"?dryRun=true", one[2], http.StatusOK); !strings.Contains(got.body, `"events"`) {
			t.Errorf("%s %s: %s", one[0], one[1], got.body)
		}
	}
	status := f.must(t, "GET", at+"/status", "", http.StatusOK)
	if !strings.Contains(status.body, `"syncEnabled":true`) || f.drive.Calls("token") != tokens || f.drive.Valid() != 1 {
		t.Errorf("%s", status.body)
	}
}

func TestEndedConnectionKeepsDocumentsAndRevokesTokens(t *testing.T) {
	t.Parallel()
	f, folder, at := drivingFirm(t)
	f.drive.Put(folder, "Plan.txt", "text/plain", "the plan")
	f.synchronize(t, folder, "/")
	f.syncResult(t, at)
	f.must(t, "DELETE", at+"/connection", "", http.StatusPreconditionFailed, "If-Match", `"1.1"`)
	f.must(t, "DELETE", at+"/connection", "", http.StatusNoContent)
	f.must(t, "DELETE", at+"/connection", "", http.StatusNoContent) // again
	if f.drive.Valid() != 0 || f.drive.Calls("revoke") == 0 {
		t.Errorf("%d tokens are valid", f.drive.Valid())
	}
	if got := f.must(t, "GET", f.home+"/document", "", http.StatusOK); !strings.Contains(got.body, `"Plan.txt"`) {
		t.Errorf("%s", got.body)
	}
	f.fails(t, "POST", at+"/sync", "{}", http.StatusConflict, "notConnected")
	f.fails(t, "GET", at+"/folders", "", http.StatusConflict, "notConnected")
	f.fails(t, "POST", at+"/sync-config", `{"driveFolderId":"x","driveFolderName":"X","targetDataRoomPath":"/X"}`, http.StatusConflict, "notConnected")
	if got := f.must(t, "GET", at+"/sync-history", "", http.StatusOK).list(t, "history"); len(got) != 1 {
		t.Errorf("%v", got)
	}
}

func TestFoldersOfTheDriveAreListedByPages(t *testing.T) {
	t.Parallel()
	f, folder, at := drivingFirm(t)
	f.drive.Folder(folder, "Minutes")
	f.drive.Folder(drivetest.Root, "Contracts")
	f.drive.Put(drivetest.Root, "Plan.txt", "text/plain", "no folder")
	f.drive.Break(drivetest.Faults{Page: 1})
	var names []string
	for cursor := ""; ; {
		path := at + "/folders"
		if cursor != "" {
			path += "?cursor=" + cursor
		}
		page := f.must(t, "GET", path, "", http.StatusOK)
		for _, one := range page.list(t, "data") {
			record, _ := one.(map[string]any)
			names = append(names, textOf(record, "kind")+" "+textOf(record, "name"))
		}
		if !strings.Contains(page.body, "nextCursor") {
			break
		}
		cursor = page.text(t, "nextCursor")
	}
	if !slices.Equal(names, []string{"folder Board", "folder Contracts", "sharedDrive Team"}) {
		t.Errorf("%v", names)
	}
	f.drive.Break(drivetest.Faults{})
	inner := f.must(t, "GET", at+"/folders?parentId="+folder, "", http.StatusOK)
	if len(inner.list(t, "data")) != 1 || !strings.Contains(inner.body, `"parentId":"`+folder+`"`) {
		t.Errorf("%s", inner.body)
	}
}

func TestConfigurationsAreChecked(t *testing.T) {
	t.Parallel()
	f, folder, at := drivingFirm(t)
	config := f.synchronize(t, folder, "/Drive")
	const body = `{"driveFolderId":"x","driveFolderName":"X","targetDataRoomPath":"/X"}`
	f.fails(t, "POST", at+"/sync-config", strings.Replace(body, `"x"`, quoted(t, folder), 1), http.StatusConflict, "folderAlreadySynced")
	f.fails(t, "POST", at+"/sync-config", strings.Replace(body, "/X", "X", 1), http.StatusBadRequest, "format")
	f.fails(t, "POST", at+"/sync-config", strings.Replace(body, "}", `,"fileTypeFilter":".pdf"}`, 1), http.StatusBadRequest, "format")
	f.fails(t, "PATCH", at+"/sync-config/"+config, `{"driveFolderId":"y"}`, http.StatusBadRequest, "unknownField")
	f.fails(t, "PATCH", at+"/sync-config/"+newUUID(), `{"syncEnabled":false}`, http.StatusNotFound, "resourceNotFound")
	f.fails(t, "POST", at+"/sync", `{"configurationId":"`+newUUID()+`"}`, http.StatusNotFound, "resourceNotFound")
	for number := range 19 {
		f.synchronize(t, "folder "+strconv.Itoa(number), "/Drive")
	}
	f.fails(t, "POST", at+"/sync-config", body, http.StatusConflict, "limitReached")
}

func TestChangedConfigurationHasAnEditableVersion(t *testing.T) {
	t.Parallel()
	f, folder, at := drivingFirm(t)
	path := at + "/sync-config/" + f.synchronize(t, folder, "/Drive")
	changed := f.must(t, "PATCH", path, `{"syncEnabled":false,"fileTypeFilter":"PDF, docx"}`, http.StatusOK)
	if !strings.Contains(changed.body, `"fileTypeFilter":"pdf,docx"`) || !strings.Contains(changed.body, `"syncEnabled":false`) {
		t.Errorf("%s", changed.body)
	}
	if got := f.must(t, "POST", at+"/sync", "{}", http.StatusOK); len(got.list(t, "results")) != 0 {
		t.Errorf("a disabled configuration was synchronized: %s", got.body)
	}
	f.must(t, "PATCH", path, `{"syncEnabled":true}`, http.StatusOK, "If-Match", changed.header.Get("ETag"))
	f.must(t, "PATCH", path, `{"syncEnabled":false}`, http.StatusPreconditionFailed, "If-Match", changed.header.Get("ETag"))
	f.must(t, "DELETE", path, "", http.StatusNoContent)
	f.fails(t, "DELETE", path, "", http.StatusNotFound, "resourceNotFound")
}

func TestRevokedAccessIsShown(t *testing.T) {
	t.Parallel()
	f, folder, at := drivingFirm(t)
	f.synchronize(t, folder, "/Drive")
	f.drive.RevokeAll()
	f.syncResult(t, at)
	status := f.must(t, "GET", at+"/status", "", http.StatusOK)
	if !strings.Contains(status.body, `"connected":true`) || status.text(t, "syncError") != "reconnectNeeded" {
		t.Errorf("%s", status.body)
	}
	f.fails(t, "GET", at+"/folders", "", http.StatusConflict, "reconnectNeeded")
}

func TestUnavailableDriveIsNamed(t *testing.T) {
	t.Parallel()
	f, _, at := drivingFirm(t)
	f.drive.Break(drivetest.Faults{Down: true})
	f.fails(t, "GET", at+"/folders", "", http.StatusServiceUnavailable, "unavailable")
}

func TestPathsOfDrivesAreHiddenWithoutTheFeature(t *testing.T) {
	t.Parallel()
	f := setup(t, func(s *equityhttp.Settings, _ *equityhttp.Services) { s.Features[api.FeatureDrive] = false }).firm(t, "ada@example.com")
	f.fails(t, "GET", f.home+"/cloud-drive/status", "", http.StatusNotFound, "resourceNotFound")
}

func TestTokensAreInNoAnswerAndNoEvent(t *testing.T) {
	t.Parallel()
	f, folder, at := drivingFirm(t)
	f.synchronize(t, folder, "/Drive")
	f.syncResult(t, at)
	var all strings.Builder
	for _, path := range []string{at + "/status", at + "/folders", at + "/sync-history", f.home + "/journal", f.home + "/integration"} {
		all.WriteString(f.must(t, "GET", path, "", http.StatusOK).body)
	}
	all.WriteString(f.log.String())
	if !strings.Contains(all.String(), `"driveConnected"`) || !strings.Contains(all.String(), `"name":"drive"`) {
		t.Error("the answers have no connection")
	}
	for _, secret := range f.drive.Secrets() {
		if strings.Contains(all.String(), secret) {
			t.Error("an answer or the log has a token")
		}
	}
}
