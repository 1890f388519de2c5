package document_test

import (
	"strings"
	"testing"

	"equity/fault"
	"equity/organization/document"
)

func TestStorageIsBounded(t *testing.T) {
	t.Parallel()
	r := open(t)
	r.limit = 10
	first := r.upload(document.ItemID{}, "A.txt", "12345")
	r.upload(document.ItemID{}, "Same.txt", "12345") // is stored once
	for _, command := range []document.Command{
		document.AddDocuments{Files: []document.Content{content("B.txt", "1234567")}},
		document.AddDocuments{Files: []document.Content{content("B.txt", "123"), content("C.txt", "456")}},
		document.AddDocuments{Files: []document.Content{content("A.txt", "123456")}, OnConflict: document.NewVersion},
		document.AddCopies{Copies: []document.Copy{{Content: content("B.txt", "123456")}}},
		document.StoreFile{Content: content("Logo.png", "123456")},
	} {
		r.refused(command, document.CodeStorageLimit)
	}
	_, err := r.try(document.AddDocuments{Files: []document.Content{content("B.txt", "123456")}})
	if err == nil || !strings.Contains(err.Error(), "10 bytes; 5 are used and 6 were sent") {
		t.Errorf("%v", err)
	}
	r.do(document.Delete{ID: first})
	r.refused(document.StoreFile{Content: content("Logo.png", "123456")}, document.CodeStorageLimit)
	r.do(document.StoreFile{Content: content("Seal.png", "54321")})
	r.refused(document.StoreFile{Content: content("Dot.png", "1")}, document.CodeStorageLimit)
	if used := r.tree.StoredBytes(); used != 10 {
		t.Errorf("%d bytes are used", used)
	}
}

func TestErasedBytesAreFree(t *testing.T) {
	t.Parallel()
	r := open(t)
	r.limit = 5
	stored, _ := r.do(document.StoreFile{Content: content("Seal.png", "12345")})[0].(document.FileStored)
	r.refused(document.StoreFile{Content: content("Logo.png", "1")}, document.CodeStorageLimit)
	r.do(document.EraseFile{ID: stored.ID, Reason: "Uploaded by mistake."})
	r.do(document.StoreFile{Content: content("Logo.png", "54321")})
	if _, err := r.try(document.StoreFile{Content: content("Dot.png", "1")}); !fault.Is(err, document.CodeStorageLimit) {
		t.Error(err)
	}
}
