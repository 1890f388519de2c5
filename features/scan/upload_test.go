package scan_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

func TestUploadedDocumentIsServedAfterItsScan(t *testing.T) {
	t.Parallel()
	open(t)
	b := apitest.Setup(t)
	owner := b.NewPerson(t, "owner@example.com")
	home := owner.NewOrganization(t)
	for name, test := range map[string]struct {
		content string
		status  int
		has     string
	}{"Plan.txt": {"the plan", http.StatusOK, "the plan"}, "Bad.txt": {eicar(), http.StatusConflict, `"code":"infected"`}} {
		made := owner.PutDocument(t, home, name, test.content)
		if apitest.Field(made, "scan") != "pending" {
			t.Errorf("%v", made)
		}
		at := home + "/document/" + apitest.Field(made, "id") + "/content"
		b.Eventually(t, "the scan of "+name+" has a result", func() bool {
			got := owner.Send(t, "GET", at, "")
			return got.Status == test.status && strings.Contains(got.Body, test.has)
		})
	}
}

func TestInfectedFileOfAProfileIsRefused(t *testing.T) {
	t.Parallel()
	open(t)
	ada := apitest.Setup(t).NewPerson(t, "ada@example.com")
	at := "/v1/profile/" + ada.User.Entity.String() + "/file"
	ada.Upload(t, at, http.StatusCreated, []apitest.File{{Name: "me.png", Content: apitest.Picture}})
	got := ada.Upload(t, at, http.StatusConflict, []apitest.File{{Name: "me.png", Content: apitest.Picture + eicar()}})
	if !strings.Contains(got.Body, `"code":"infected"`) {
		t.Error(got.Body)
	}
}
