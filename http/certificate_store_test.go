package http_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"equity/http/apitest"
	"equity/persistence/blob"
	"equity/persistence/blob/blobtest"
	"equity/persistence/storetest"
)

// replaceObject replaces the bytes of a stored object.
func (p *printing) replaceObject(t *testing.T, key string, content []byte) {
	t.Helper()
	err := errors.Join(p.store.Delete(t.Context(), key), p.store.Put(t.Context(), key, bytes.NewReader(content), int64(len(content))))
	if err != nil {
		t.Fatal(err)
	}
}

// object returns the bytes of a stored object.
func (p *printing) object(t *testing.T, key string) []byte {
	t.Helper()
	opened, err := p.store.Open(t.Context(), key, 0, -1)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(opened)
	if err := errors.Join(err, opened.Close()); err != nil {
		t.Fatal(err)
	}
	return content
}

func TestSecondRequestReadsTheStoredCertificate(t *testing.T) {
	t.Parallel()
	onStores(t, func(t *testing.T, p *printing) {
		t.Helper()
		held := p.Issue(t, p.NewHolder(t, "Ada"), "10")
		first := p.Must(t, "GET", held+"/certificate", "", http.StatusOK)
		p.require(t, 0, 1)
		second := p.Must(t, "GET", held+"/certificate", "", http.StatusOK)
		p.require(t, 1, 1)
		if first.Body != second.Body || !strings.HasPrefix(second.Body, "%PDF-") {
			t.Errorf("%d and %d bytes differ", len(first.Body), len(second.Body))
		}
		for _, name := range []string{"ETag", "Content-Type", "Content-Disposition", "Content-Length", "Cache-Control"} {
			if first.Header.Get(name) != second.Header.Get(name) {
				t.Errorf("%s: %s and %s", name, first.Header.Get(name), second.Header.Get(name))
			}
		}
		copied := p.Must(t, "GET", held+"/certificate/copy", "", http.StatusOK)
		if again := p.Must(t, "GET", held+"/certificate/copy", "", http.StatusOK); again.Body != copied.Body || again.Body == first.Body {
			t.Errorf("the copy has %d and %d bytes", len(copied.Body), len(again.Body))
		}
		p.require(t, 2, 2)
		for _, key := range p.keys(t) {
			if !strings.HasPrefix(key, "c/"+p.ID+"/"+apitest.IDOf(held)+"/") {
				t.Errorf("an object has the key %s", key)
			}
		}
	})
}

func TestChangedShareholdingHasANewCertificate(t *testing.T) {
	t.Parallel()
	onStores(t, func(t *testing.T, p *printing) {
		t.Helper()
		held := p.Issue(t, p.NewHolder(t, "Ada"), "10")
		before := p.Must(t, "GET", held+"/certificate", "", http.StatusOK)
		p.Must(t, "PATCH", held, `{"shareholderName":"Ada Married"}`, http.StatusOK)
		after := p.Must(t, "GET", held+"/certificate", "", http.StatusOK)
		p.require(t, 0, 2)
		if after.Body == before.Body || after.Header.Get("ETag") == before.Header.Get("ETag") {
			t.Error("the certificate did not change")
		}
		p.Must(t, "PATCH", held, `{"shareholderName":"Ada"}`, http.StatusOK)
		if again := p.Must(t, "GET", held+"/certificate", "", http.StatusOK); again.Body != before.Body {
			t.Error("the certificate with the first name differs")
		}
		p.require(t, 1, 2)
		p.Issue(t, p.NewHolder(t, "Bob"), "1")
		p.Must(t, "GET", held+"/certificate", "", http.StatusOK)
		p.require(t, 2, 2)
	})
}

func TestDamagedCertificateIsRenderedAnew(t *testing.T) {
	t.Parallel()
	onStores(t, func(t *testing.T, p *printing) {
		t.Helper()
		held := p.Issue(t, p.NewHolder(t, "Ada"), "10")
		want := p.Must(t, "GET", held+"/certificate", "", http.StatusOK).Body
		key := p.keys(t)[0]
		stored := p.object(t, key)
		renderings := int64(1)
		for name, content := range map[string][]byte{
			"truncated": stored[:len(stored)-1], "empty": {}, "altered": append([]byte("x"), stored[1:]...), "longer": append(bytes.Clone(stored), 'x'),
		} {
			p.replaceObject(t, key, content)
			renderings++
			if got := p.Must(t, "GET", held+"/certificate", "", http.StatusOK); got.Body != want || p.saved.Load() != renderings {
				t.Errorf("%s: %d bytes, %d renderings", name, len(got.Body), p.saved.Load())
			}
			if !bytes.Equal(p.object(t, key), stored) {
				t.Errorf("%s: the object was not replaced", name)
			}
		}
		if lines := strings.Count(p.Log.String(), "a stored certificate is damaged"); lines != 4 {
			t.Errorf("%d lines in the log", lines)
		}
	})
}

func TestCertificateOfAnotherOrganizationIsNotServed(t *testing.T) {
	t.Parallel()
	onStores(t, func(t *testing.T, p *printing) {
		t.Helper()
		held := p.Issue(t, p.NewHolder(t, "Ada"), "10")
		other := p.NewFirm(t, "other@example.com")
		foreign := other.Issue(t, other.NewHolder(t, "Ada"), "10")
		own := p.Must(t, "GET", held+"/certificate", "", http.StatusOK)
		key := p.keys(t)[0]
		theirs := other.Must(t, "GET", foreign+"/certificate", "", http.StatusOK)
		p.require(t, 0, 2)
		if own.Body == theirs.Body {
			t.Fatal("the certificates have different codes")
		}
		for _, another := range p.keys(t) {
			if another != key {
				p.replaceObject(t, key, p.object(t, another))
			}
		}
		if got := p.Must(t, "GET", held+"/certificate", "", http.StatusOK); got.Body != own.Body {
			t.Error("the certificate of the other organization is served")
		}
		other.Must(t, "GET", held+"/certificate", "", http.StatusNotFound)
	})
}

func TestUnchangedCertificateNeedsNoStore(t *testing.T) {
	t.Parallel()
	p := printingOn(t, blobtest.Folder(t))
	held := p.Issue(t, p.NewHolder(t, "Ada"), "10")
	tag := p.Must(t, "GET", held+"/certificate", "", http.StatusOK).Header.Get("ETag")
	before := p.calls.Load()
	for _, method := range []string{"GET", "HEAD"} {
		p.Must(t, method, held+"/certificate", "", http.StatusNotModified, "If-None-Match", tag)
	}
	if calls := p.calls.Load() - before; calls != 0 {
		t.Errorf("%d calls of the store", calls)
	}
}

func TestSpecimenIsNotStored(t *testing.T) {
	t.Parallel()
	p := printingOn(t, blobtest.Folder(t))
	legend := p.NewLegend(t, `{"name":"Securities Act","text":"Not registered."}`)
	p.Must(t, "GET", p.Home+"/legend/"+legend+"/certificate", "", http.StatusOK)
	if keys := p.keys(t); len(keys) != 0 || p.calls.Load() != 0 {
		t.Errorf("%v, %d calls of the store", keys, p.calls.Load())
	}
}

func TestRefusedCertificateIsNotStored(t *testing.T) {
	t.Parallel()
	p := printingOn(t, blobtest.Folder(t))
	held := p.Issue(t, p.NewHolder(t, "Ada"), "10")
	p.Must(t, "DELETE", held, `{"reason":"By mistake."}`, http.StatusOK)
	p.Must(t, "GET", held+"/certificate", "", http.StatusConflict)
	if p.calls.Load() != 0 {
		t.Errorf("%d calls of the store", p.calls.Load())
	}
}

// failing is a store whose calls fail, or wait until their context ends.
type failing struct {
	blob.Store
	hangs  bool
	ignore bool // the end of the context
	freed  chan struct{}
}

func (f failing) wait(ctx context.Context) error {
	switch {
	case f.ignore:
		<-f.freed
	case f.hangs:
		<-ctx.Done()
		return ctx.Err()
	}
	return io.ErrClosedPipe
}

func (f failing) Open(ctx context.Context, _ string, _, _ int64) (io.ReadCloser, error) {
	return nil, f.wait(ctx)
}

func (f failing) Put(ctx context.Context, _ string, _ io.Reader, _ int64) error { return f.wait(ctx) }

func TestCertificateIsServedWithoutItsStore(t *testing.T) {
	t.Parallel()
	for name, store := range map[string]failing{
		"refuses": {}, "hangs": {hangs: true}, "hangs and ignores the end of the context": {ignore: true, freed: make(chan struct{})},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if store.freed != nil {
				storetest.Cleanup(t, func() { close(store.freed) })
			}
			p := printingOn(t, store)
			held := p.Issue(t, p.NewHolder(t, "Ada"), "10")
			warnings := func() int { return strings.Count(p.Log.String(), "the store of documents failed") }
			want := p.Must(t, "GET", held+"/certificate", "", http.StatusOK)
			for range 3 {
				if got := p.Must(t, "GET", held+"/certificate", "", http.StatusOK); got.Body != want.Body {
					t.Error("the certificates differ")
				}
			}
			if p.calls.Load() != 1 || warnings() != 1 {
				t.Errorf("%d calls of the failing store, %d warnings", p.calls.Load(), warnings())
			}
			p.Clock.Advance(time.Minute)
			p.Must(t, "GET", held+"/certificate", "", http.StatusOK)
			if p.calls.Load() != 2 || warnings() != 2 {
				t.Errorf("%d calls, %d warnings after the pause", p.calls.Load(), warnings())
			}
		})
	}
}

// unwritable is a store that is full.
type unwritable struct{ blob.Store }

func (unwritable) Put(context.Context, string, io.Reader, int64) error { return io.ErrShortWrite }

func TestCertificateIsServedFromAFullStore(t *testing.T) {
	t.Parallel()
	p := printingOn(t, unwritable{blobtest.Folder(t)})
	held := p.Issue(t, p.NewHolder(t, "Ada"), "10")
	p.Must(t, "GET", held+"/certificate", "", http.StatusOK)
	p.Must(t, "GET", held+"/certificate", "", http.StatusOK)
	p.require(t, 0, 1) // the second request is in the pause
}
