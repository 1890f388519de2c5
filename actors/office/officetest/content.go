package officetest

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"strconv"
	"strings"
)

// sign returns the secret of an address for the content of the item. The caller holds the lock.
func (s *Server) sign(id string) string {
	secret := rand.Text()
	s.signed[secret] = id
	s.secrets = append(s.secrets, secret)
	return secret
}

func (s *Server) download(w http.ResponseWriter, _ *http.Request, q request) {
	address := s.contents.URL + "/_layouts/15/download.aspx?UniqueId=" + q.item.guid() + "&tempauth=" + s.sign(q.item.id)
	if s.faults.SignedURL != "" {
		address = s.faults.SignedURL
	}
	switch {
	case q.item.folder, q.item.other:
		refuse(w, http.StatusBadRequest, "invalidRequest")
	case q.item.infected:
		refuse(w, http.StatusForbidden, "malwareDetected")
	case s.faults.Direct:
		w.Header().Set("Content-Type", q.item.mediaType)
		w.Header().Set("Content-Length", strconv.Itoa(len(q.item.content)))
		_, _ = w.Write([]byte(q.item.content))
	default:
		w.Header().Set("Location", address)
		w.WriteHeader(http.StatusFound)
	}
}

// bytes serves contents and previews at their pre-signed addresses.
func (s *Server) bytes(w http.ResponseWriter, r *http.Request) {
	if !s.admit(w, r, kindBytes) {
		return
	}
	s.mu.Lock()
	faults, found := s.faults, s.live(s.signed[cmp.Or(r.FormValue("tempauth"), r.FormValue("access_token"))])
	var file entry
	if found != nil {
		file = *found
	}
	s.mu.Unlock()
	switch {
	case r.Header.Get("Authorization") != "":
		w.WriteHeader(http.StatusUnauthorized) // a signed address accepts no further credentials
	case found == nil:
		w.WriteHeader(http.StatusNotFound)
	case faults.Break > 0:
		w.Header().Set("Content-Length", strconv.Itoa(len(file.content)))
		_, _ = w.Write([]byte(file.content[:min(faults.Break, len(file.content))]))
		_ = http.NewResponseController(w).Flush()
		if faults.Stall {
			<-r.Context().Done()
		}
		panic(http.ErrAbortHandler) // ends the connection
	default:
		w.Header().Set("Content-Type", file.mediaType)
		w.Header().Set("ETag", file.eTag())
		http.ServeContent(w, r, "", file.modified, strings.NewReader(file.content))
	}
}
