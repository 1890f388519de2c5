package organization

import (
	"encoding/json"

	"equity/captable"
	"equity/organization/document"
)

// Journal decides which rows of the journal a reader sees with their private fields. It is for one request.
type Journal struct {
	state  *State
	reader Reader
	files  *Files
}

// JournalFor returns the journal for a reader. The state is the present one: an earlier state must not show more.
func (s *State) JournalFor(reader Reader) *Journal {
	return &Journal{state: s, reader: reader, files: s.FilesFor(reader)}
}

// reads reports whether the reader may read the private fields of an event outside of extensions; see [Schema.Reads].
func (j *Journal) reads(eventType string, payload []byte) bool {
	switch eventType {
	case MemberAdded{}.EventType(), MemberChanged{}.EventType(), MemberReturned{}.EventType():
		return j.reader.can(ViewMembers)
	}
	if j.reader.owns() {
		return true
	}
	if inDataRoom(eventType) {
		return j.readsRoom(eventType, payload)
	}
	return j.ShowsFiles(eventType, payload)
}

// ShowsFiles reports whether the reader may read the files that the event names.
func (j *Journal) ShowsFiles(eventType string, payload []byte) bool {
	place, names := privateFile(eventType)
	if !names {
		return true
	}
	value := fieldAt(payload, place)
	if value == nil {
		return true
	}
	shows := j.files.Shows
	if eventType == (captable.ConfigurationChanged{}).EventType() {
		shows = j.files.ShowsAgreement
	}
	var field any
	return json.Unmarshal(value, &field) == nil && everyText(field, shows)
}

// everyText reports whether the condition holds for all texts in a decoded value.
func everyText(value any, holds func(string) bool) bool {
	switch v := value.(type) {
	case string:
		return holds(v)
	case []any:
		for _, each := range v {
			if !everyText(each, holds) {
				return false
			}
		}
	case map[string]any:
		for _, each := range v {
			if !everyText(each, holds) {
				return false
			}
		}
	}
	return true
}

func fieldAt(payload []byte, place PrivateField) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(payload, &fields) == nil && place.Object != "" {
		payload = fields[place.Object]
		fields = nil
		if json.Unmarshal(payload, &fields) != nil {
			return nil
		}
	}
	return fields[place.Field]
}

// readsRoom reports whether the reader may read all records of the data room that the event names.
func (j *Journal) readsRoom(eventType string, payload []byte) bool {
	var named struct {
		ID       captable.ID[any] `json:"id"`
		Parent   document.ItemID  `json:"parent"`
		Document document.ItemID  `json:"document"`
		File     document.FileID  `json:"file"`
		Storage  document.Storage `json:"storage"`
	}
	if json.Unmarshal(payload, &named) != nil {
		return false
	}
	if named.Storage != "" {
		return j.reader.can(ViewDocuments)
	}
	items := []document.ItemID{named.Parent, named.Document}
	switch eventType {
	case document.FileStored{}.EventType(), document.FileScanned{}.EventType(), document.FileErased{}.EventType():
		named.File = document.FileID(named.ID)
	case document.ShareCreated{}.EventType(), document.ShareRevoked{}.EventType():
		share, ok := j.state.documents.Share(document.ShareID(named.ID))
		if !ok || !j.reader.can(EditDocuments) {
			return false
		}
		items = append(items, share.Document)
	default:
		items = append(items, document.ItemID(named.ID))
	}
	for _, item := range items {
		if !item.IsZero() && !j.seesItem(item) {
			return false
		}
	}
	return named.File.IsZero() || j.files.sees(named.File.String())
}

// seesItem reports whether the reader may read the folder or the document.
func (j *Journal) seesItem(id document.ItemID) bool {
	item, ok := j.state.documents.Item(id)
	return ok && j.state.documents.Access(item).Sees(j.reader.Viewer())
}
