package http_test

import (
	"net/http"
	"strings"
	"testing"

	"equity/messages"
)

// confidential fills a folder that only the Owner may read. Each name contains the word.
func (f *firm) confidential(tb testing.TB, word string) {
	tb.Helper()
	folder := f.folder(tb, f.home, word+" folder", "")
	f.must(tb, "PUT", f.home+"/document/"+folder+"/access", `{"mode":"restricted"}`, http.StatusOK)
	item := textOf(f.put(tb, f.home, word+".txt", "text", "parentFolder", folder), "id")
	f.must(tb, "POST", f.home+"/document/"+item+"/move", `{"name":"`+word+` two.txt"}`, http.StatusOK)
	f.must(tb, "POST", f.home+"/document/"+item+"/share", `{"email":"guest@example.com"}`, http.StatusCreated)
}

func TestNamesOfDocumentsAreHiddenInTheJournalAndItsProof(t *testing.T) {
	t.Parallel()
	everywhere(t, func(t *testing.T, b *bundle) {
		t.Helper()
		f := b.firm(t, "owner@example.com")
		f.confidential(t, "Xanadu")
		manager := b.person(t, "manager@example.com")
		f.join(t, f.home, manager, "Manager")
		for _, path := range []string{"/journal?limit=200", "/journal/proof"} {
			if body := f.must(t, "GET", f.home+path, "", http.StatusOK).body; !strings.Contains(body, "Xanadu two.txt") {
				t.Errorf("the owner does not see the names: %s", body)
			}
			body := manager.must(t, "GET", f.home+path, "", http.StatusOK).body
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
	b := setup(t)
	f := b.firm(t, "owner@example.com")
	investor := b.person(t, "investor@example.com")
	f.join(t, f.home, investor, "Investor")
	address := b.listening(t)
	owners, investors := f.follow(t, address, f.home, ""), investor.follow(t, address, f.home, "")
	f.confidential(t, "Xanadu")
	f.must(t, "PATCH", f.home, `{"website":"https://example.com"}`, http.StatusOK)
	end := f.journalLength(t)
	for name, stream := range map[string]*follower{"owner": owners, "investor": investors} {
		records := 0
		for {
			event, ok := stream.block()
			if !ok {
				t.Fatal("the stream ended")
			}
			if strings.Contains(event.text, "document") || strings.Contains(event.text, `"file"`) {
				records++
			}
			if int(event.id) == end {
				break
			}
		}
		if (name == "owner") != (records > 0) {
			t.Errorf("%s: %d events", name, records)
		}
	}
}
