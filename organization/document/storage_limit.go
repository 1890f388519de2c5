package document

import (
	"strconv"

	"equity/fault"
)

// StoredBytes returns the number of bytes of all files that are not erased, with those of all versions and of the trash. Files with the
// same bytes count once, because they are stored once.
func (t *Tree) StoredBytes() int64 { return t.stored }

// AdmitsStorage refuses contents with which the stored bytes exceed the limit. 0 is no limit.
func (t *Tree) AdmitsStorage(limit int64, contents ...Content) error {
	if limit == 0 {
		return nil
	}
	added, counted := int64(0), map[string]bool{}
	for _, content := range contents {
		if !counted[content.SHA256] && !t.Stores(content.SHA256) {
			added += content.Size
			counted[content.SHA256] = true
		}
	}
	if added == 0 || t.stored+added <= limit {
		return nil
	}
	of := func(bytes int64) string { return strconv.FormatInt(bytes, 10) }
	return fault.Refuse(CodeStorageLimit, "The organization may store "+of(limit)+" bytes; "+of(t.stored)+" are used and "+of(added)+
		" were sent. Erase files or delete documents from the trash.").
		With("limit", of(limit)).With("used", of(t.stored)).With("requested", of(added))
}
