package drive_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/features/drive/drivetest"
	"equity/http/apitest"
)

func TestOnlyItsUserAndOwnersUseAWholeDrive(t *testing.T) {
	t.Parallel()
	f, folder, at := drivingFirm(t)
	drivetest.Of(f.Server).Folder(drivetest.Root, "Private")
	legal, other := f.NewPerson(t, "legal@example.com"), f.NewPerson(t, "other@example.com")
	f.Join(t, f.Home, legal, "Legal")
	f.Join(t, f.Home, other, "Legal")
	config := drivetest.Synchronize(t, f, folder, "/Board")
	f.Must(t, "PATCH", at+"/sync-config/"+config, `{"syncSubfolders":false}`, http.StatusOK)
	body := `{"driveFolderId":"x","driveFolderName":"X","targetDataRoomPath":"/X"}`
	sees := func(c *apitest.Client) string { return c.Must(t, "GET", at+"/folders", "", http.StatusOK).Body }
	if listed := sees(legal); !strings.Contains(listed, "Board") || strings.Contains(listed, "Private") {
		t.Error(listed)
	}
	legal.Must(t, "GET", at+"/folders?parentId="+folder, "", http.StatusNotFound)
	legal.MustFail(t, "POST", at+"/sync-config", body, http.StatusForbidden, "forbidden")
	legal.MustFail(t, "PATCH", at+"/sync-config/"+config, `{"syncSubfolders":true}`, http.StatusForbidden, "forbidden")
	legal.Must(t, "PATCH", at+"/sync-config/"+config, `{"syncEnabled":false}`, http.StatusOK)
	code, state := drivetest.Permit(t, legal, f.Home)
	legal.Must(t, "POST", at+"/connect", `{"organization":"`+f.ID+`","code":"`+code+`","state":"`+state+`"}`, http.StatusOK)
	if listed := sees(legal); !strings.Contains(listed, "Private") {
		t.Error(listed)
	}
	if listed := sees(other); strings.Contains(listed, "Private") {
		t.Error(listed)
	}
	if listed := sees(f.Client); !strings.Contains(listed, "Private") {
		t.Error(listed)
	}
	legal.Must(t, "POST", at+"/sync-config", body, http.StatusCreated)
}
