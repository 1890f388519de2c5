package drive_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"equity/actors/consumer"
	"equity/features/drive"
)

func TestAnswerWithoutItsListIsNoEmptyList(t *testing.T) {
	t.Parallel()
	var body string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	client := drive.NewClient(drive.App{URL: server.URL}, consumer.NewBreakers(time.Now), time.Now)
	token := drive.Token{Access: "a"}
	for _, test := range []struct {
		body     string
		complete bool
		read     func() error
	}{
		{`{}`, false, func() error { _, _, err := client.Children(t.Context(), token, "f", ""); return err }},
		{`{"files":[{}]}`, false, func() error { _, _, err := client.Children(t.Context(), token, "f", ""); return err }},
		{`{"files":[]}`, true, func() error { _, _, err := client.Children(t.Context(), token, "f", ""); return err }},
		{`{}`, false, func() error { _, _, err := client.Folders(t.Context(), token, "f", "", 0); return err }},
		{`{}`, false, func() error { _, _, err := client.SharedDrives(t.Context(), token, "", 0); return err }},
		{`{"drives":[]}`, true, func() error { _, _, err := client.SharedDrives(t.Context(), token, "", 0); return err }},
		{`{"newStartPageToken":"2"}`, false, func() error { _, _, _, err := client.Changes(t.Context(), token, "1"); return err }},
		{`{"changes":[]}`, false, func() error { _, _, _, err := client.Changes(t.Context(), token, "1"); return err }},
		{`{"changes":[],"newStartPageToken":"2"}`, true, func() error { _, _, _, err := client.Changes(t.Context(), token, "1"); return err }},
		{`{}`, false, func() error { _, err := client.Account(t.Context(), token); return err }},
		{`{"user":{}}`, true, func() error { _, err := client.Account(t.Context(), token); return err }},
	} {
		body = test.body
		if err := test.read(); (err == nil) != test.complete {
			t.Errorf("%s: %v", body, err)
		}
	}
}
