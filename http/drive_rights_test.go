package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/actors/drive/drivetest"
)

func TestOnlyItsUserAndOwnersUseAWholeDrive(t *testing.T) {
	t.Parallel()
	f, folder, at := drivingFirm(t)
	f.drive.Folder(drivetest.Root, "Private")
	legal, other := f.person(t, "legal@example.com"), f.person(t, "other@example.com")
	f.join(t, f.home, legal, "Legal")
	f.join(t, f.home, other, "Legal")
	config := f.synchronize(t, folder, "/Board")
	f.must(t, "PATCH", at+"/sync-config/"+config, `{"syncSubfolders":false}`, http.StatusOK)
	body := `{"driveFolderId":"x","driveFolderName":"X","targetDataRoomPath":"/X"}`
	sees := func(c *client) string { return c.must(t, "GET", at+"/folders", "", http.StatusOK).body }
	if listed := sees(legal); !strings.Contains(listed, "Board") || strings.Contains(listed, "Private") {
		t.Error(listed)
	}
	legal.must(t, "GET", at+"/folders?parentId="+folder, "", http.StatusNotFound)
	legal.fails(t, "POST", at+"/sync-config", body, http.StatusForbidden, "forbidden")
	legal.fails(t, "PATCH", at+"/sync-config/"+config, `{"syncSubfolders":true}`, http.StatusForbidden, "forbidden")
	legal.must(t, "PATCH", at+"/sync-config/"+config, `{"syncEnabled":false}`, http.StatusOK)
	code, state := legal.permit(t, f.home)
	legal.must(t, "POST", at+"/connect", `{"organization":"`+f.id+`","code":"`+code+`","state":"`+state+`"}`, http.StatusOK)
	if listed := sees(legal); !strings.Contains(listed, "Private") {
		t.Error(listed)
	}
	if listed := sees(other); strings.Contains(listed, "Private") {
		t.Error(listed)
	}
	if listed := sees(f.client); !strings.Contains(listed, "Private") {
		t.Error(listed)
	}
	legal.must(t, "POST", at+"/sync-config", body, http.StatusCreated)
}
