package http_test

import (
	"net/http"
	"strings"
	"testing"
)

func TestEntriesByWhichTheirAuthorGainsAreMarked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	manager := b.person(t, "manager@example.com")
	f.join(t, f.home, manager, "Manager")
	holder := f.holder(t, "Grace Hopper")
	own := manager.holder
	body := func(entity string) string {
		return `{"entity":"` + entity + `","security":"` + f.common + `","shares":"10","issueDate":"2026-01-15","shareholderName":"Grace Hopper"}`
	}
	preview := manager.must(t, "POST", f.home+"/shareholding?dryRun=true", body(own), 200)
	if !strings.Contains(preview.body, `"authorGains":true`) || !strings.Contains(preview.body, `"holderName":"Ada"`) {
		t.Errorf("the preview hides the holder: %s", preview.body)
	}
	manager.must(t, "POST", f.home+"/shareholding", body(holder), http.StatusCreated)
	manager.must(t, "POST", f.home+"/shareholding", body(own), http.StatusCreated)
	newest := f.must(t, "GET", f.home+"/journal?limit=2", "", 200)
	if strings.Count(newest.body, `"authorGains":true`) != 1 {
		t.Error(newest.body)
	}
	marked := f.must(t, "GET", f.home+"/journal?authorGains=true", "", 200)
	if data, _ := marked.get(t, "data").([]any); len(data) != 1 || !strings.Contains(marked.body, own) {
		t.Error(marked.body)
	}
}

func TestSecondPersonIsRequired(t *testing.T) {
	t.Parallel()
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	manager := b.person(t, "manager@example.com")
	f.join(t, f.home, manager, "Manager")
	own := manager.holder
	manager.must(t, "PATCH", f.home, `{"secondPerson":true}`, http.StatusForbidden)
	f.must(t, "PATCH", f.home, `{"secondPerson":true}`, http.StatusOK)
	body := `{"entity":"` + own + `","security":"` + f.common + `","shares":"10","issueDate":"2026-01-15"}`
	if got := manager.must(t, "POST", f.home+"/shareholding", body, http.StatusForbidden); !strings.Contains(got.body, `"secondPersonRequired"`) {
		t.Error(got.body)
	}
	f.must(t, "POST", f.home+"/shareholding", body, http.StatusCreated)
}
