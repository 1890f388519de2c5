package drivetest

import (
	"crypto/rand"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/oauth2"
)

func (d *Drive) routes() http.Handler {
	routes := http.NewServeMux()
	routes.HandleFunc("GET /login", d.login)
	routes.HandleFunc("POST /token", d.token)
	routes.HandleFunc("POST /revoke", d.revoke)
	routes.HandleFunc("GET /drive/v3/about", d.guarded("about", func(w http.ResponseWriter, _ *http.Request) {
		write(w, map[string]any{"user": map[string]any{"emailAddress": "fay@drive.example"}})
	}))
	routes.HandleFunc("GET /drive/v3/files", d.guarded("list", d.list))
	routes.HandleFunc("GET /drive/v3/drives", d.guarded("drives", func(w http.ResponseWriter, _ *http.Request) {
		write(w, map[string]any{"drives": []any{map[string]any{"id": "d1", "name": "Team"}}})
	}))
	routes.HandleFunc("GET /drive/v3/changes/startPageToken", d.guarded("start", func(w http.ResponseWriter, _ *http.Request) {
		write(w, map[string]any{"startPageToken": strconv.Itoa(len(d.log))})
	}))
	routes.HandleFunc("GET /drive/v3/changes", d.guarded("changes", d.changes))
	routes.HandleFunc("GET /drive/v3/files/{id}", d.guarded("content", d.content))
	routes.HandleFunc("GET /drive/v3/files/{id}/export", d.guarded("export", d.export))
	routes.HandleFunc("GET /bytes/{id}", func(w http.ResponseWriter, r *http.Request) {
		d.mu.Lock()
		defer d.mu.Unlock()
		if r.Header.Get("Authorization") != "" {
			w.WriteHeader(http.StatusBadRequest) // a signed address accepts no further credentials
			return
		}
		if d.faults.Broken {
			panic(http.ErrAbortHandler) // ends the connection
		}
		_, _ = io.WriteString(w, d.files[r.PathValue("id")].content)
	})
	return routes
}

// Permit returns the code with which the user permits the access that the address of the login page requests.
func (d *Drive) Permit(challenge string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	code := rand.Text()
	d.codes[code] = challenge
	return code
}

// login is the login page of a user who permits the access at once.
func (d *Drive) login(w http.ResponseWriter, r *http.Request) {
	granted := url.Values{"code": {d.Permit(r.FormValue("code_challenge"))}, "state": {r.FormValue("state")}}
	w.Header().Set("Location", r.FormValue("redirect_uri")+"?"+granted.Encode())
	w.WriteHeader(http.StatusFound)
}

func (d *Drive) token(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.counts["token"]++
	refresh := r.FormValue("refresh_token")
	switch r.FormValue("grant_type") {
	case "authorization_code":
		challenge, known := d.codes[r.FormValue("code")]
		delete(d.codes, r.FormValue("code"))
		if !known || oauth2.S256ChallengeFromVerifier(r.FormValue("code_verifier")) != challenge {
			refuseGrant(w)
			return
		}
		refresh = rand.Text()
		d.refresh[refresh] = true
	default:
		if !d.refresh[refresh] {
			refuseGrant(w)
			return
		}
	}
	access := rand.Text()
	d.access[access] = true
	w.Header().Set("Content-Type", "application/json")
	write(w, map[string]any{
		"access_token": access, "refresh_token": refresh, "expires_in": int(d.lifetime.Seconds()), "token_type": "Bearer",
	})
}

func refuseGrant(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusBadRequest)
	write(w, map[string]any{"error": "invalid_grant", "error_description": "Token has been expired or revoked."})
}

func (d *Drive) revoke(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.counts["revoke"]++
	if !d.refresh[r.FormValue("token")] {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	delete(d.refresh, r.FormValue("token"))
	clear(d.access)
}

// guarded checks the token and applies the faults of all calls. The handler holds the lock.
func (d *Drive) guarded(kind string, handler http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		d.wait(r.Context())
		d.mu.Lock()
		defer d.mu.Unlock()
		d.counts[kind]++
		d.counts["all"]++
		token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		switch {
		case d.faults.Down:
			refuse(w, http.StatusServiceUnavailable, "backendError", "")
		case d.faults.Unauthorized, !d.access[token]:
			refuse(w, http.StatusUnauthorized, "authError", "Authorization")
		case d.faults.RateEvery > 0 && d.counts["all"]%d.faults.RateEvery == 0 && d.faults.TooMany:
			w.Header().Set("Retry-After", "7")
			refuse(w, http.StatusTooManyRequests, "rateLimitExceeded", "")
		case d.faults.RateEvery > 0 && d.counts["all"]%d.faults.RateEvery == 0:
			refuse(w, http.StatusForbidden, "userRateLimitExceeded", "")
		default:
			w.Header().Set("Content-Type", "application/json; charset=UTF-8")
			handler(w, r)
		}
	}
}

func (d *Drive) list(w http.ResponseWriter, r *http.Request) {
	query := r.FormValue("q")
	_, rest, _ := strings.Cut(query, "'")
	folder, _, _ := strings.Cut(rest, "'")
	found := d.children(folder, strings.Contains(query, "mimeType="))
	begin, end := d.page(r, len(found))
	answer := map[string]any{}
	if end < len(found) {
		answer["nextPageToken"] = strconv.Itoa(end)
	}
	files := []any{}
	for _, e := range found[begin:end] {
		files = append(files, e.json())
	}
	answer["files"] = files
	write(w, answer)
}

// page returns the bounds of the requested page.
func (d *Drive) page(r *http.Request, number int) (begin, end int) {
	size, _ := strconv.Atoi(r.FormValue("pageSize"))
	if d.faults.Page > 0 {
		size = d.faults.Page
	}
	begin, _ = strconv.Atoi(r.FormValue("pageToken"))
	return min(begin, number), min(begin+size, number)
}

func (d *Drive) changes(w http.ResponseWriter, r *http.Request) {
	if d.faults.ExpiredPage {
		refuse(w, http.StatusBadRequest, "invalid", "pageToken")
		return
	}
	begin, end := d.page(r, len(d.log))
	answer, changes := map[string]any{}, []any{}
	for _, id := range d.log[begin:end] {
		changes = append(changes, map[string]any{"fileId": id, "removed": false, "file": d.files[id].json()})
	}
	answer["changes"] = changes
	if end < len(d.log) {
		answer["nextPageToken"] = strconv.Itoa(end)
	} else {
		answer["newStartPageToken"] = strconv.Itoa(len(d.log))
	}
	write(w, answer)
}

func (d *Drive) content(w http.ResponseWriter, r *http.Request) {
	found, exists := d.files[r.PathValue("id")]
	if exists && r.FormValue("alt") == "" {
		d.counts["file"]++
		write(w, found.json())
		return
	}
	d.counts["download"]++
	switch {
	case !exists || found.trashed:
		refuse(w, http.StatusNotFound, "notFound", "fileId")
	case found.locked, found.isNative():
		refuse(w, http.StatusForbidden, "cannotDownloadFile", "")
	case d.faults.Redirect:
		w.Header().Set("Location", "/bytes/"+found.id)
		w.WriteHeader(http.StatusFound)
	default:
		d.counts["served"]++
		w.Header().Set("Content-Type", found.mediaType)
		_, _ = io.WriteString(w, found.content)
	}
}

func (d *Drive) export(w http.ResponseWriter, r *http.Request) {
	found, exists := d.files[r.PathValue("id")]
	switch {
	case !exists:
		refuse(w, http.StatusNotFound, "notFound", "fileId")
	case d.faults.LargeExport:
		refuse(w, http.StatusForbidden, "exportSizeLimitExceeded", "")
	default:
		_, _ = io.WriteString(w, r.FormValue("mimeType")+" of "+found.content)
	}
}

func write(w io.Writer, value any) {
	_ = json.NewEncoder(w).Encode(value) //nolint:errchkjson // values of this package; the connection may be closed
}
