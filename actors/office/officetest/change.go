package officetest

import (
	"encoding/json"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// isRefusedName reports whether the office suite refuses the name. The rules are written again, to be independent of the client.
func isRefusedName(name string) bool {
	return name == "" || strings.ContainsAny(name, "\"*:<>?/\\|") || strings.HasPrefix(name, "~$") || strings.HasSuffix(name, ".") ||
		strings.Trim(name, " \t\r\n") != name || strings.Contains(strings.ToLower(name), "_vti_") || len([]rune(name)) > 255
}

// isTaken refuses a name of the folder that another item has, and invalid names.
func (s *Server) isTaken(w http.ResponseWriter, folder, name string, own *entry) bool {
	switch other := s.child(folder, name); {
	case isRefusedName(name):
		refuse(w, http.StatusBadRequest, "invalidRequest")
	case other != nil && other != own:
		refuse(w, http.StatusConflict, "nameAlreadyExists")
	default:
		return false
	}
	return true
}

// isHeld refuses a change of a locked item, or of one that has changed.
func isHeld(w http.ResponseWriter, r *http.Request, e *entry) bool {
	switch expected := r.Header.Get("If-Match"); {
	case expected != "" && expected != e.eTag():
		refuse(w, http.StatusPreconditionFailed, "resourceModified")
	case e.locked:
		refuse(w, http.StatusLocked, "resourceLocked")
	default:
		return false
	}
	return true
}

func (s *Server) create(w http.ResponseWriter, _ *http.Request, q request) {
	var body struct {
		Name     string    `json:"name"`
		Folder   *struct{} `json:"folder"`
		Conflict string    `json:"@microsoft.graph.conflictBehavior"`
	}
	if json.Unmarshal(q.body, &body) != nil || body.Folder == nil || body.Conflict != "fail" || !q.item.folder {
		refuse(w, http.StatusBadRequest, "invalidRequest")
		return
	}
	if !s.isTaken(w, q.item.id, body.Name, nil) {
		s.answer(w, http.StatusCreated, s.json(s.add(&entry{name: body.Name, parent: q.item.id, folder: true}), ""))
	}
}

func (s *Server) upload(w http.ResponseWriter, r *http.Request, q request) {
	if !q.item.folder {
		refuse(w, http.StatusBadRequest, "invalidRequest")
		return
	}
	other, conflict := s.child(q.item.id, q.name), r.FormValue("@microsoft.graph.conflictBehavior")
	if other != nil && !other.folder && conflict == "replace" {
		other.content = string(q.body)
		s.touch(other)
		s.answer(w, http.StatusOK, s.json(other, ""))
		return
	}
	for number := 1; conflict == "rename" && s.child(q.item.id, q.name) != nil; number++ {
		extension := path.Ext(other.name)
		q.name = strings.TrimSuffix(other.name, extension) + " " + strconv.Itoa(number) + extension
	}
	if !s.isTaken(w, q.item.id, q.name, nil) {
		s.answer(w, http.StatusCreated, s.json(s.add(&entry{name: q.name, parent: q.item.id, content: string(q.body)}), ""))
	}
}

func (s *Server) move(w http.ResponseWriter, r *http.Request, q request) {
	var body struct {
		Name   string `json:"name"`
		Parent struct {
			ID string `json:"id"`
		} `json:"parentReference"`
	}
	if json.Unmarshal(q.body, &body) != nil {
		refuse(w, http.StatusBadRequest, "invalidRequest")
		return
	}
	if isHeld(w, r, q.item) {
		return
	}
	name, parent := q.item.name, q.item.parent
	if body.Name != "" {
		name = body.Name
	}
	if body.Parent.ID != "" {
		parent = body.Parent.ID
	}
	switch target := s.live(parent); {
	case target == nil:
		refuse(w, http.StatusNotFound, "itemNotFound")
	case !target.folder, s.isWithin(parent, q.item.id):
		refuse(w, http.StatusBadRequest, "invalidRequest")
	case s.isTaken(w, parent, name, q.item):
	default:
		q.item.name, q.item.parent = name, parent
		s.touch(q.item)
		s.answer(w, http.StatusOK, s.json(q.item, ""))
	}
}

func (s *Server) remove(w http.ResponseWriter, r *http.Request, q request) {
	if isHeld(w, r, q.item) {
		return
	}
	q.item.deleted = true
	w.WriteHeader(http.StatusNoContent)
}

func (s *Server) preview(w http.ResponseWriter, _ *http.Request, q request) {
	if q.item.folder {
		refuse(w, http.StatusBadRequest, "invalidRequest")
		return
	}
	address := s.contents.URL + "/preview?access_token=" + s.sign(q.item.id)
	if s.faults.PreviewURL != "" {
		address = s.faults.PreviewURL
	}
	s.answer(w, http.StatusOK, map[string]any{"getUrl": address, "postParameters": nil, "postUrl": nil})
}
