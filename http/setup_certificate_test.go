package http_test

import (
	"context"
	"sync/atomic"
	"testing"

	"equity/captable"
	equityhttp "equity/http"
	"equity/http/apitest"
	"equity/http/equity"
	"equity/organization"
	"equity/persistence/blob"
	"equity/persistence/blob/blobtest"
)

// counted counts the certificates that are read and written, and the calls.
type counted struct {
	equity.Certificates
	loaded, saved, calls atomic.Int64
}

func (c *counted) Load(ctx context.Context, id organization.ID, held captable.ShareholdingID, version string) ([]byte, error) {
	c.calls.Add(1)
	pdf, err := c.Certificates.Load(ctx, id, held, version)
	if pdf != nil {
		c.loaded.Add(1)
	}
	return pdf, err
}

func (c *counted) Save(ctx context.Context, id organization.ID, held captable.ShareholdingID, version string, pdf []byte) error {
	c.calls.Add(1)
	c.saved.Add(1) // once for each rendering
	return c.Certificates.Save(ctx, id, held, version, pdf)
}

// require fails the test unless the certificates were read and written so often.
func (c *counted) require(t *testing.T, loaded, saved int64) {
	t.Helper()
	if c.loaded.Load() != loaded || c.saved.Load() != saved {
		t.Errorf("%d read instead of %d, %d written instead of %d", c.loaded.Load(), loaded, c.saved.Load(), saved)
	}
}

// printing is a server without cached answers, and its store of certificates.
type printing struct {
	*apitest.Firm
	*counted
	store blob.Store
}

// printingOn starts a server with the store.
func printingOn(tb testing.TB, store blob.Store) *printing {
	tb.Helper()
	p := &printing{counted: &counted{}, store: store}
	b := apitest.Setup(tb, func(settings *equityhttp.Settings, services *equityhttp.Services) {
		p.Certificates = apitest.NewCertificates(store, services.Now, services.Log)
		settings.RenderedBytes, services.Certificates = 1, p.counted
	})
	p.Firm = b.NewFirm(tb, "owner@example.com")
	return p
}

// onStores runs the test on each kind of store of certificates.
func onStores(t *testing.T, test func(t *testing.T, p *printing)) {
	t.Helper()
	t.Run("folder", func(t *testing.T) {
		t.Parallel()
		test(t, printingOn(t, blobtest.Folder(t)))
	})
	t.Run("S3", func(t *testing.T) {
		t.Parallel()
		test(t, printingOn(t, blobtest.Service(t)))
	})
}

// keys returns the keys of the stored certificates.
func (p *printing) keys(tb testing.TB) (keys []string) {
	tb.Helper()
	if err := p.store.List(tb.Context(), "", func(o blob.Object) error {
		keys = append(keys, o.Key)
		return nil
	}); err != nil {
		tb.Fatal(err)
	}
	return keys
}
