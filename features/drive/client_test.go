package drive_test

import (
	"errors"
	"io"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/oauth2"

	"equity/actors/consumer"
	"equity/features/drive"
	"equity/features/drive/drivetest"
)

// connect returns a client of the drive with a token.
func connect(t *testing.T, d *drivetest.Drive) (*drive.Client, drive.Token) {
	t.Helper()
	client, verifier := drive.NewClient(d.App(), consumer.NewBreakers(time.Now), time.Now), oauth2.GenerateVerifier()
	address, err := url.Parse(client.AuthURL("state", verifier))
	if err != nil {
		t.Fatal(err)
	}
	token, err := client.Exchange(t.Context(), d.Permit(address.Query().Get("code_challenge")), verifier)
	if err != nil {
		t.Fatal(err)
	}
	return client, token
}

func TestLoginPageRequestsReadingOffline(t *testing.T) {
	t.Parallel()
	client := drive.NewClient(drive.App{ClientID: "client", RedirectURI: "https://equity.example/drive"}, consumer.NewBreakers(time.Now), time.Now)
	address, err := url.Parse(client.AuthURL("the state", "a verifier that is long enough for the check"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"state": "the state", "access_type": "offline", "prompt": "consent", "code_challenge_method": "S256", "response_type": "code",
		"scope": "https://www.googleapis.com/auth/drive.readonly", "redirect_uri": "https://equity.example/drive",
	} {
		if got := address.Query().Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
}

func TestCodeOfAnotherRequestIsRefused(t *testing.T) {
	t.Parallel()
	d := drivetest.New(t)
	client := drive.NewClient(d.App(), consumer.NewBreakers(time.Now), time.Now)
	code := d.Permit(oauth2.S256ChallengeFromVerifier(oauth2.GenerateVerifier()))
	if _, err := client.Exchange(t.Context(), code, oauth2.GenerateVerifier()); !errors.Is(err, drive.ErrCode) {
		t.Error(err)
	}
}

func TestExpiredTokenIsRefreshedAndARevokedOneNeedsAConnection(t *testing.T) {
	t.Parallel()
	d := drivetest.New(t)
	client, token := connect(t, d)
	if same, err := client.Refresh(t.Context(), token); err != nil || same != token {
		t.Errorf("a valid token was replaced: %v", err)
	}
	expired := token
	expired.Expires = time.Now()
	fresh, err := client.Refresh(t.Context(), expired)
	if err != nil || fresh.Access == token.Access || fresh.Refresh == "" {
		t.Fatalf("%v", err)
	}
	if email, err := client.Account(t.Context(), fresh); err != nil || email != "fay@drive.example" {
		t.Errorf("%q %v", email, err)
	}
	if err := client.Revoke(t.Context(), fresh); err != nil {
		t.Error(err)
	}
	if err := client.Revoke(t.Context(), fresh); err != nil {
		t.Errorf("the second time: %v", err)
	}
	fresh.Expires = time.Now()
	if _, err := client.Refresh(t.Context(), fresh); !errors.Is(err, drive.ErrReconnect) {
		t.Error(err)
	}
}

func TestListingReadsAllPages(t *testing.T) {
	t.Parallel()
	d := drivetest.New(t)
	client, token := connect(t, d)
	folder := d.Folder(drivetest.Root, "Board")
	var want []string
	for i := range 25 {
		name := "file " + strconv.Itoa(100+i)
		d.Put(folder, name, "text/plain", "content")
		want = append(want, name)
	}
	d.Trash(d.Put(folder, "trashed", "text/plain", ""))
	d.Break(drivetest.Faults{Page: 10})
	var got []string
	for page := ""; ; {
		files, next, err := client.Children(t.Context(), token, folder, page)
		if err != nil {
			t.Fatal(err)
		}
		for i := range files {
			got = append(got, files[i].Name)
		}
		if page = next; page == "" {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}

func TestChangesFollowTheStart(t *testing.T) {
	t.Parallel()
	d := drivetest.New(t)
	client, token := connect(t, d)
	d.Put(drivetest.Root, "before", "text/plain", "")
	start, err := client.Start(t.Context(), token)
	if err != nil {
		t.Fatal(err)
	}
	after := d.Put(drivetest.Root, "after", "text/plain", "")
	changes, next, later, err := client.Changes(t.Context(), token, start)
	if err != nil || len(changes) != 1 || changes[0].FileID != after || changes[0].File.Name != "after" || next != "" {
		t.Fatalf("%+v %q %v", changes, next, err)
	}
	if changes, _, _, err = client.Changes(t.Context(), token, later); err != nil || len(changes) != 0 {
		t.Errorf("%+v %v", changes, err)
	}
}

func TestContentIsCopiedInItsFormat(t *testing.T) {
	t.Parallel()
	const office = "application/vnd.openxmlformats-officedocument."
	for mediaType, want := range map[string]string{
		"text/plain":                               "the content",
		"application/vnd.google-apps.document":     office + "wordprocessingml.document of the content",
		"application/vnd.google-apps.spreadsheet":  office + "spreadsheetml.sheet of the content",
		"application/vnd.google-apps.presentation": office + "presentationml.presentation of the content",
		"application/vnd.google-apps.drawing":      "application/pdf of the content",
	} {
		for _, redirect := range []bool{false, true} {
			d := drivetest.New(t)
			client, token := connect(t, d)
			d.Put(drivetest.Root, "file", mediaType, "the content")
			d.Break(drivetest.Faults{Redirect: redirect})
			files, _, err := client.Children(t.Context(), token, drivetest.Root, "")
			if err != nil {
				t.Fatal(err)
			}
			content, err := client.Content(t.Context(), token, &files[0])
			if err != nil {
				t.Fatalf("%s: %v", mediaType, err)
			}
			got, err := io.ReadAll(content)
			if err != nil || string(got) != want {
				t.Errorf("%s: %q %v", mediaType, got, err)
			}
		}
	}
}

func TestSignedAddressIsInNoError(t *testing.T) {
	t.Parallel()
	d := drivetest.New(t)
	client, token := connect(t, d)
	d.Put(drivetest.Root, "file", "text/plain", "the content")
	d.Break(drivetest.Faults{Redirect: true, Broken: true})
	files, _, err := client.Children(t.Context(), token, drivetest.Root, "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := client.Content(t.Context(), token, &files[0]); err == nil || strings.Contains(err.Error(), "/bytes/") {
		t.Errorf("%v", err)
	}
}

func TestObjectsWithoutContentHaveNoFormat(t *testing.T) {
	t.Parallel()
	for _, kind := range []string{"folder", "shortcut", "form", "site", "map", "script"} {
		file := drive.File{MediaType: "application/vnd.google-apps." + kind}
		if _, copied := file.Format(); copied {
			t.Errorf("a %s is copied", kind)
		}
	}
}

func TestRefusalsOfTheDriveHaveTheirErrors(t *testing.T) {
	t.Parallel()
	d := drivetest.New(t)
	client, token := connect(t, d)
	native := d.Put(drivetest.Root, "notes", "application/vnd.google-apps.document", "")
	for name, test := range map[string]struct {
		faults drivetest.Faults
		call   func() error
		want   error
	}{
		"expired page": {drivetest.Faults{ExpiredPage: true}, func() error {
			_, _, _, err := client.Changes(t.Context(), token, "1")
			return err
		}, drive.ErrPageToken},
		"unauthorized": {drivetest.Faults{Unauthorized: true}, func() error {
			_, err := client.Account(t.Context(), token)
			return err
		}, drive.ErrUnauthorized},
		"large export": {drivetest.Faults{LargeExport: true}, func() error {
			_, err := client.Content(t.Context(), token, &drive.File{ID: native, MediaType: "application/vnd.google-apps.document"})
			return err
		}, drive.ErrExportTooLarge},
		"missing": {drivetest.Faults{}, func() error {
			_, err := client.Content(t.Context(), token, &drive.File{ID: "unknown", MediaType: "text/plain"})
			return err
		}, drive.ErrNotFound},
	} {
		d.Break(test.faults)
		if err := test.call(); !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTooManyCallsNameTheTimeOfTheNextOne(t *testing.T) {
	t.Parallel()
	for _, tooMany := range []bool{false, true} {
		d := drivetest.New(t)
		client, token := connect(t, d)
		d.Break(drivetest.Faults{RateEvery: 1, TooMany: tooMany})
		_, err := client.Account(t.Context(), token)
		refusal, is := errors.AsType[*drive.RateError](err)
		if !is || refusal.After.IsZero() == tooMany {
			t.Errorf("%v: %v", tooMany, err)
		}
	}
}

func TestErrorsContainNoSecret(t *testing.T) {
	t.Parallel()
	d := drivetest.New(t)
	client, token := connect(t, d)
	d.RevokeAll()
	_, unauthorized := client.Account(t.Context(), token)
	token.Expires = time.Now()
	_, refused := client.Refresh(t.Context(), token)
	_, foreign := client.Exchange(t.Context(), "code-of-another", "the verifier")
	for _, err := range []error{unauthorized, refused, foreign} {
		if err == nil {
			t.Fatal("it succeeded")
		}
		for _, secret := range []string{token.Access, token.Refresh, "secret of the client", "code-of-another", "the verifier"} {
			if strings.Contains(err.Error(), secret) {
				t.Errorf("%v", err)
			}
		}
	}
}
