package equity

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"log/slog"
	"sync/atomic"
	"time"

	"equity/captable"
	"equity/certificate"
	"equity/organization"
)

// Certificates stores the PDFs of certificates.
type Certificates interface {
	// Load returns a stored PDF exactly as it was saved, or nil.
	Load(ctx context.Context, id organization.ID, held captable.ShareholdingID, version string) ([]byte, error)
	Save(ctx context.Context, id organization.ID, held captable.ShareholdingID, version string, pdf []byte) error
}

const (
	// storeWait limits one call of the store. A caller waits for two calls at most.
	storeWait = time.Second
	// storePause is the time without calls after a failure of the store. Certificates are rendered meanwhile.
	storePause = 30 * time.Second
)

// archive reads certificates from the store in place of a rendering. It never fails because of the store.
type archive struct {
	stored Certificates
	log    *slog.Logger
	now    func() time.Time
	resume atomic.Int64 // the end of the pause in nanoseconds
}

func newArchive(services Services) *archive {
	return &archive{stored: services.Certificates, log: services.Log, now: services.Now}
}

// place identifies a stored certificate.
type place struct {
	organization organization.ID
	held         captable.ShareholdingID
	version      string
}

// versionOf returns the version of a certificate with the facts: a digest of everything that determines its bytes.
func versionOf(facts []byte) string {
	hash := sha256.New()
	_, _ = io.WriteString(hash, certificate.Edition()+"\x00")
	_, _ = hash.Write(facts)
	return hex.EncodeToString(hash.Sum(nil))
}

// content returns the stored certificate, or renders and stores it.
func (a *archive) content(ctx context.Context, p place, render func() ([]byte, error)) ([]byte, error) {
	if a.stored == nil {
		return render()
	}
	found := a.use(ctx, func(ctx context.Context) ([]byte, error) {
		return a.stored.Load(ctx, p.organization, p.held, p.version)
	})
	if found != nil {
		return found, nil
	}
	printed, err := render()
	if err != nil {
		return nil, err
	}
	// The caller may have left after the rendering, which should not be repeated for the next one.
	a.use(context.WithoutCancel(ctx), func(ctx context.Context) ([]byte, error) {
		return nil, a.stored.Save(ctx, p.organization, p.held, p.version, printed)
	})
	return printed, nil
}

// use calls the store unless it failed recently. It waits for a limited time, also if the call ignores its context.
func (a *archive) use(ctx context.Context, call func(context.Context) ([]byte, error)) []byte {
	if a.now().UnixNano() < a.resume.Load() {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, storeWait)
	defer cancel()
	type result struct {
		content []byte
		err     error
	}
	ended := make(chan result, 1)
	go func() {
		content, err := call(limited)
		ended <- result{content, err}
	}()
	var r result
	select {
	case r = <-ended:
	case <-limited.Done():
		r.err = limited.Err()
	}
	if r.err != nil && ctx.Err() == nil {
		a.pause(r.err)
	}
	return r.content
}

// pause begins a pause. Concurrent failures begin one pause and have one line in the log.
func (a *archive) pause(cause error) {
	now := a.now()
	before := a.resume.Load()
	if before <= now.UnixNano() && a.resume.CompareAndSwap(before, now.Add(storePause).UnixNano()) {
		a.log.Warn("the store of documents failed; certificates are rendered for a while instead", "pause", storePause, "cause", cause)
	}
}
