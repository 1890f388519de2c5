package http_test

import (
	"archive/zip"
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"equity/http/apitest"
	"equity/messages"
)

// A caller with viewCapTable but without viewMembers sees no member's title or comments in any
// operation of the contract. The journal proof of that caller stays valid.
func TestPrivateMemberFieldsRequireViewMembers(t *testing.T) {
	t.Parallel()
	apitest.OnAllStores(t, func(t *testing.T, b *apitest.Server) {
		t.Helper()
		e := newEstate(t, b, "zenobia")
		e.Must(t, "POST", e.Home+"/member", `{"fullName":"Eve","title":"Acting Chemist","comments":["leaves in May"],"roles":[]}`, http.StatusCreated)
		e.Must(t, "PATCH", e.Home+"/member/"+e.ids["member"], `{"title":"Acting Chemist","comments":["leaves in May"]}`, http.StatusOK)
		e.Must(t, "POST", e.Home+"/role", `{"name":"only the table","permissions":["viewCapTable"]}`, http.StatusCreated)
		investor := e.member(t, "sees", "only the table")
		for _, d := range declaredOperations(b.Contract) {
			if !d.reads {
				continue
			}
			wish := e.wish(t, &d)
			for _, format := range []string{"", "csv", "ocf", "json"} {
				if wish.query.Del("format"); format != "" {
					wish.query.Set("format", format)
				}
				got := wish.as(t, investor.Copy())
				if text := unpacked(t, got.Body); strings.Contains(text, "Acting Chemist") || strings.Contains(text, "leaves in May") {
					t.Errorf("%s %s shows a private field: %s", d.id, format, got.Body)
				}
			}
		}
		if list := e.Must(t, "GET", e.Home+"/journal?limit=200", "", http.StatusOK).Body; !strings.Contains(list, "Acting Chemist") {
			t.Error("the owner does not see the title")
		}
		for _, person := range []*apitest.Client{e.Client, investor} {
			proof := person.Must(t, "GET", e.Home+"/journal/proof", "", http.StatusOK).Body
			if header, err := messages.CheckProof(strings.NewReader(proof)); err != nil || header.Unproven != 0 {
				t.Errorf("%+v %v", header, err)
			}
		}
	})
}

// unpacked returns the files of an archive, or the body if it is not an archive.
func unpacked(tb testing.TB, body string) string {
	tb.Helper()
	archive, err := zip.NewReader(strings.NewReader(body), int64(len(body)))
	if err != nil {
		return body
	}
	var all bytes.Buffer
	for _, file := range archive.File {
		in, err := file.Open()
		if err != nil {
			tb.Fatal(err)
		}
		_, _ = io.Copy(&all, in)
		_ = in.Close()
	}
	return all.String()
}
