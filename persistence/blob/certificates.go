package blob

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"equity/captable"
	"equity/organization"
)

const (
	// CertificateAge is the age from which an unused certificate is deleted.
	CertificateAge = 90 * 24 * time.Hour
	// renewCertificateAge is the age from which the use of a certificate makes it young again. Younger ones need no write.
	renewCertificateAge = 30 * 24 * time.Hour
	// maxCertificate is the size in bytes above which a certificate is not stored. Common ones have 100 to 300 KB.
	maxCertificate = 16 << 20
	// certificates is the prefix of the keys of certificates.
	certificates = "c/"
)

// errDamaged reports bytes that were not stored under their key, or not completely.
var errDamaged = errors.New("the stored certificate is damaged")

// CertificateOptions are the dependencies of [Certificates].
type CertificateOptions struct {
	// Store may be without a guard: a certificate that is deleted while it is stored again is only rendered once more.
	Store Store
	// Key is a secret. It proves that this installation stored the bytes.
	Key []byte
	Now func() time.Time
	Log *slog.Logger
}

// Certificates stores rendered certificates by shareholding and version. An object has the key c/<organization>/<shareholding>/<version>. It
// contains the HMAC-SHA-256 of its key and the PDF, and then the PDF.
type Certificates struct{ options CertificateOptions }

// NewCertificates returns the certificates of a store.
func NewCertificates(options CertificateOptions) *Certificates { return &Certificates{options} }

// CertificateKey returns the key of a version of the shareholding's certificate.
func CertificateKey(id organization.ID, held captable.ShareholdingID, version string) string {
	return certificates + id.String() + "/" + held.String() + "/" + version
}

// Load returns the PDF, or nil without one. A damaged object is deleted, and the result is the same as without it.
func (c *Certificates) Load(ctx context.Context, id organization.ID, held captable.ShareholdingID, version string) ([]byte, error) {
	key := CertificateKey(id, held, version)
	sealed, err := c.read(ctx, key)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, nil
	case errors.Is(err, errDamaged):
		c.options.Log.Warn("a stored certificate is damaged and is rendered again", "key", key)
		return nil, c.options.Store.Delete(ctx, key)
	case err != nil:
		return nil, fmt.Errorf("read a stored certificate: %w", err)
	}
	if err := c.renew(ctx, key, sealed); err != nil {
		c.options.Log.Warn("the age of a stored certificate was not renewed", "key", key, "cause", err)
	}
	return sealed[sha256.Size:], nil
}

// Save stores the PDF. An object with the key stays as it is.
func (c *Certificates) Save(ctx context.Context, id organization.ID, held captable.ShareholdingID, version string, pdf []byte) error {
	if len(pdf) > maxCertificate {
		return nil
	}
	key := CertificateKey(id, held, version)
	sealed := append(c.seal(key, pdf), pdf...)
	if err := c.options.Store.Put(ctx, key, bytes.NewReader(sealed), int64(len(sealed))); err != nil {
		return fmt.Errorf("store a certificate: %w", err)
	}
	return nil
}

// read returns the complete object after its check.
func (c *Certificates) read(ctx context.Context, key string) (sealed []byte, err error) {
	const whole = -1
	content, err := c.options.Store.Open(ctx, key, 0, whole)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, content.Close()) }()
	const limit = sha256.Size + maxCertificate
	if sealed, err = io.ReadAll(io.LimitReader(content, limit+1)); err != nil {
		return nil, err
	}
	if len(sealed) < sha256.Size || len(sealed) > limit || !hmac.Equal(sealed[:sha256.Size], c.seal(key, sealed[sha256.Size:])) {
		return nil, errDamaged
	}
	return sealed, nil
}

// seal returns the HMAC of the key and the PDF. An object under the key of another one is therefore damaged.
func (c *Certificates) seal(key string, pdf []byte) []byte {
	hash := hmac.New(sha256.New, c.options.Key)
	_, _ = io.WriteString(hash, key+"\x00")
	_, _ = hash.Write(pdf)
	return hash.Sum(nil)
}

// renew makes an old object young again.
func (c *Certificates) renew(ctx context.Context, key string, sealed []byte) error {
	found, err := c.options.Store.Stat(ctx, key)
	if err != nil || c.options.Now().Sub(found.ModifiedAt) < renewCertificateAge {
		return err
	}
	return c.options.Store.Put(ctx, key, bytes.NewReader(sealed), int64(len(sealed)))
}

// Organizations knows the organizations of the database.
type Organizations interface {
	// Exists reports whether the organization has records.
	Exists(ctx context.Context, id organization.ID) (bool, error)
}

// SweepCertificates deletes the certificates that were not used for the [CertificateAge], and returns their number. Those of unknown
// organizations are deleted after the [GarbageAge]. After a restore of an old database, certificates are rendered again at most.
func SweepCertificates(ctx context.Context, store *Guarded, known Organizations, now time.Time) (deleted int, err error) {
	used, garbage := now.Add(-CertificateAge), now.Add(-GarbageAge)
	var last organization.ID // keys are ordered, so each organization is looked up once
	exists := false
	return sweep(ctx, store, certificates, garbage, func(object Object) (before time.Time, err error) {
		id, ok := parseCertificate(object.Key)
		switch {
		case !ok:
			return time.Time{}, nil
		case object.ModifiedAt.Before(used):
			return used, nil
		case id != last:
			if exists, err = known.Exists(ctx, id); err != nil {
				return time.Time{}, err
			}
			last = id
		}
		if exists {
			return time.Time{}, nil
		}
		return garbage, nil
	})
}

// parseCertificate returns the organization of the key of a certificate.
func parseCertificate(key string) (organization.ID, bool) {
	parts := strings.Split(key, "/")
	const number = 4 // c, organization, shareholding, version
	if len(parts) != number || parts[0]+"/" != certificates {
		return organization.ID{}, false
	}
	id, err := captable.ParseID[organization.Organization](parts[1])
	return id, err == nil
}
