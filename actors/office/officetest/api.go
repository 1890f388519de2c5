package officetest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// The kinds of calls.
const (
	kindToken    = "token"
	kindRoot     = "root"
	kindItem     = "item"
	kindChild    = "child"
	kindList     = "list"
	kindFolder   = "folder"
	kindUpload   = "upload"
	kindDownload = "download"
	kindBytes    = "bytes"
	kindMove     = "move"
	kindDelete   = "delete"
	kindPreview  = "preview"
)

// call is a call of the API with its decoded path.
type call struct {
	kind, id, name string
}

// parse returns the call of a path below the drive.
func parse(method, escaped string) (call, bool) {
	parts := strings.Split(escaped, "/")
	for i := range parts {
		decoded, err := url.PathUnescape(parts[i])
		if err != nil {
			return call{}, false
		}
		parts[i] = decoded
	}
	id := ""
	if len(parts) > 1 && parts[0] == "items" {
		id, parts = parts[1], parts[2:]
	}
	folder, byName := strings.CutSuffix(id, ":")
	switch {
	case byName && len(parts) > 0:
		name, closed := strings.CutSuffix(parts[0], ":")
		switch action := method + " " + strings.Join(parts[1:], "/"); {
		case !closed:
			return call{}, false
		case action == "GET ":
			return call{kindChild, folder, name}, true
		case action == "PUT content":
			return call{kindUpload, folder, name}, true
		}
	case id == "":
		return call{kind: kindRoot, id: Root}, method == http.MethodGet && len(parts) == 1 && parts[0] == "root"
	}
	kind, known := map[string]string{
		"GET ": kindItem, "PATCH ": kindMove, "DELETE ": kindDelete, "GET children": kindList, "POST children": kindFolder,
		"GET content": kindDownload, "POST preview": kindPreview,
	}[method+" "+strings.Join(parts, "/")]
	return call{kind: kind, id: id}, known
}

// serve serves the API and the login service.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if strings.HasPrefix(r.URL.Path, "/login/") && r.Method == http.MethodPost {
		s.token(w, r)
		return
	}
	path, ours := strings.CutPrefix(r.URL.EscapedPath(), "/v1.0/drives/"+url.QueryEscape(DriveID)+"/")
	called, known := parse(r.Method, path)
	if !ours || !known {
		refuse(w, http.StatusBadRequest, "invalidRequest")
		return
	}
	if !s.admit(w, r, called.kind) {
		return
	}
	content, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.access[strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")] {
		refuse(w, http.StatusUnauthorized, "InvalidAuthenticationToken")
		return
	}
	found := s.live(called.id)
	if found == nil {
		refuse(w, http.StatusNotFound, "itemNotFound")
		return
	}
	map[string]func(http.ResponseWriter, *http.Request, request){
		kindRoot: s.item, kindItem: s.item, kindChild: s.item, kindList: s.list, kindFolder: s.create, kindUpload: s.upload,
		kindDownload: s.download, kindMove: s.move, kindDelete: s.remove, kindPreview: s.preview,
	}[called.kind](w, r, request{found, called.name, content})
}

// request is an admitted call of the API. Its item exists.
type request struct {
	item *entry
	name string
	body []byte
}

// item returns an item by its id, or by its name in a folder.
func (s *Server) item(w http.ResponseWriter, r *http.Request, q request) {
	if q.name != "" {
		if q.item = s.child(q.item.id, q.name); q.item == nil {
			refuse(w, http.StatusNotFound, "itemNotFound")
			return
		}
	}
	s.answer(w, http.StatusOK, s.json(q.item, r.FormValue("$select")))
}

func (s *Server) list(w http.ResponseWriter, r *http.Request, q request) {
	found := s.children(q.item.id)
	size, _ := strconv.Atoi(r.FormValue("$top"))
	if s.faults.Page > 0 {
		size = s.faults.Page
	}
	begin, _ := strconv.Atoi(r.FormValue("$skiptoken"))
	begin = min(begin, len(found))
	end := min(begin+size, len(found))
	items := []any{}
	for _, e := range found[begin:end] {
		items = append(items, s.json(e, r.FormValue("$select")))
	}
	answer := map[string]any{"@odata.context": s.URL + "/v1.0/$metadata#Collection(driveItem)", "value": items}
	if end < len(found) {
		query := r.URL.Query()
		query.Set("$skiptoken", strconv.Itoa(end))
		answer["@odata.nextLink"] = s.URL + r.URL.EscapedPath() + "?" + query.Encode()
		if s.faults.NextURL != "" {
			answer["@odata.nextLink"] = s.faults.NextURL
		}
	}
	s.answer(w, http.StatusOK, answer)
}

// answer sends JSON.
func (s *Server) answer(w http.ResponseWriter, status int, value map[string]any) {
	if s.faults.Padding > 0 {
		value["padding"] = strings.Repeat("x", s.faults.Padding)
	}
	write(w, status, value)
}

func write(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value) //nolint:errchkjson // values of this package; the connection may be closed
}

// refuse answers with an error of the API. Its text repeats secrets, as real ones may.
func refuse(w http.ResponseWriter, status int, code string) {
	write(w, status, map[string]any{"error": map[string]any{
		"code": code, "message": "The request was refused: " + ClientSecret, "innerError": map[string]any{
			"date": "2026-03-01T09:30:00", "request-id": "cfda74a9-8b11-43c9-a558-bb2ca29a6271",
			"client-request-id": "cfda74a9-8b11-43c9-a558-bb2ca29a6271",
		},
	}})
}
