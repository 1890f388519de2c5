package http_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"equity/http/apitest"
	"equity/messages"
)

// keepConfidential fills a folder that only the Owner may read. Each name contains the word.
func keepConfidential(tb testing.TB, f *apitest.Firm, word string) {
	tb.Helper()
	folder := f.NewFolder(tb, f.Home, word+" folder", "")
	f.Must(tb, "PUT", f.Home+"/document/"+folder+"/access", `{"mode":"restricted"}`, http.StatusOK)
	item := apitest.TextOf(f.PutDocument(tb, f.Home, word+".txt", "text", "parentFolder", folder), "id")
	f.Must(tb, "POST", f.Home+"/document/"+item+"/move", `{"name":"`+word+` two.txt"}`, http.StatusOK)
	f.Must(tb, "POST", f.Home+"/document/"+item+"/share", `{"email":"guest@example.com"}`, http.StatusCreated)
}

func TestNamesOfDocumentsAreHiddenInTheJournalAndItsProof(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		f := b.NewFirm(t, "owner@example.com")
		keepConfidential(t, f, "Xanadu")
		manager := b.NewPerson(t, "manager@example.com")
		f.Join(t, f.Home, manager, "Manager")
		for _, path := range []string{"/journal?limit=200", "/journal/proof"} {
			if body := f.Must(t, "GET", f.Home+path, "", http.StatusOK).Body; !strings.Contains(body, "Xanadu two.txt") {
				t.Errorf("the owner does not see the names: %s", body)
			}
			body := manager.Must(t, "GET", f.Home+path, "", http.StatusOK).Body
			if strings.Contains(body, "Xanadu") || !strings.Contains(body, "documentMoved") {
				t.Errorf("%s: %s", path, body)
			}
			if !strings.Contains(path, "proof") {
				continue
			}
			if header, err := messages.CheckProof(strings.NewReader(body)); err != nil || header.Unproven != 0 {
				t.Errorf("%+v %v", header, err)
			}
		}
	})
}

func TestLiveEventsOmitHiddenDocuments(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f := b.NewFirm(t, "owner@example.com")
	investor := b.NewPerson(t, "investor@example.com")
	f.Join(t, f.Home, investor, "Investor")
	address := b.Listen(t)
	owners, investors := f.Follow(t, address, f.Home, ""), investor.Follow(t, address, f.Home, "")
	keepConfidential(t, f, "Xanadu")
	f.Must(t, "PATCH", f.Home, `{"website":"https://example.com"}`, http.StatusOK)
	end := f.JournalLength(t)
	for name, stream := range map[string]*apitest.Follower{"owner": owners, "investor": investors} {
		records := 0
		for {
			event, ok := stream.Block()
			if !ok {
				t.Fatal("the stream ended")
			}
			if strings.Contains(event.Text, "document") || strings.Contains(event.Text, `"file"`) {
				records++
			}
			if int(event.ID) == end {
				break
			}
		}
		if (name == "owner") != (records > 0) {
			t.Errorf("%s: %d events", name, records)
		}
	}
}

// The names of items that the present access hides stay hidden in past views.
func TestPastViewsKeepThePresentAccess(t *testing.T) {
	t.Parallel()
	b := apitest.Setup(t)
	f, auditor := b.NewFirm(t, "owner@example.com"), b.NewPerson(t, "auditor@example.com")
	f.Join(t, f.Home, auditor, "Auditor")
	id := apitest.TextOf(f.PutDocument(t, f.Home, "Plan.txt", "x"), "id")
	got := f.Must(t, "PUT", f.Home+"/document/"+id+"/access", `{"mode":"restricted","roles":["Legal"]}`, http.StatusOK)
	version, _ := got.Get(t, "version").(float64)
	earlier := "?knownAt=" + strconv.Itoa(int(version)-1)
	if names := listDocuments(t, auditor, f.Home, earlier); names != "" {
		t.Errorf("the auditor sees %s", names)
	}
	auditor.Must(t, "GET", f.Home+"/document/"+id+"/version"+earlier, "", http.StatusNotFound)
	if names := listDocuments(t, f.Client, f.Home, earlier); names != "Plan.txt" {
		t.Errorf("the owner sees %s", names)
	}
}
