package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
)

func TestEntriesByWhichTheirAuthorGainsAreMarked(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	manager := b.NewPerson(t, "manager@example.com")
	f.Join(t, f.Home, manager, "Manager")
	holder := f.NewHolder(t, "Grace Hopper")
	own := manager.Holder
	body := func(entity string) string {
		return `{"entity":"` + entity + `","security":"` + f.Common + `","shares":"10","issueDate":"2026-01-15","shareholderName":"Grace Hopper"}`
	}
	preview := manager.Must(t, "POST", f.Home+"/shareholding?dryRun=true", body(own), 200)
	if !strings.Contains(preview.Body, `"authorGains":true`) || !strings.Contains(preview.Body, `"holderName":"Ada"`) {
		t.Errorf("the preview hides the holder: %s", preview.Body)
	}
	manager.Must(t, "POST", f.Home+"/shareholding", body(holder), http.StatusCreated)
	manager.Must(t, "POST", f.Home+"/shareholding", body(own), http.StatusCreated)
	newest := f.Must(t, "GET", f.Home+"/journal?limit=2", "", 200)
	if strings.Count(newest.Body, `"authorGains":true`) != 1 {
		t.Error(newest.Body)
	}
	marked := f.Must(t, "GET", f.Home+"/journal?authorGains=true", "", 200)
	if data, _ := marked.Get(t, "data").([]any); len(data) != 1 || !strings.Contains(marked.Body, own) {
		t.Error(marked.Body)
	}
}

func TestSecondPersonIsRequired(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	manager := b.NewPerson(t, "manager@example.com")
	f.Join(t, f.Home, manager, "Manager")
	own := manager.Holder
	manager.Must(t, "PATCH", f.Home, `{"secondPerson":true}`, http.StatusForbidden)
	f.Must(t, "PATCH", f.Home, `{"secondPerson":true}`, http.StatusOK)
	body := `{"entity":"` + own + `","security":"` + f.Common + `","shares":"10","issueDate":"2026-01-15"}`
	if got := manager.Must(t, "POST", f.Home+"/shareholding", body, http.StatusForbidden); !strings.Contains(got.Body, `"secondPersonRequired"`) {
		t.Error(got.Body)
	}
	f.Must(t, "POST", f.Home+"/shareholding", body, http.StatusCreated)
}
