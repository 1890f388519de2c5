package main

import (
	"context"
	"io"
	"net/http"
	"time"

	"equity/actors/consumer"
	"equity/config"
	"equity/http/document"
	"equity/http/document/stamp"
	"equity/organization"
	room "equity/organization/document"
	"equity/persistence"
	"equity/persistence/blob"
)

const storePingWithin = 10 * time.Second

// openObjects opens the store of the bytes of files. It warns once if an S3-compatible service cannot be used. Records do not need it.
func (a *assembly) openObjects(ctx context.Context, p program) error {
	key, err := a.namedKey(ctx, p, certificateKey)
	if err != nil {
		return err
	}
	store, release, err := openStore(a.config, consumer.NewBreakers(p.now))
	if err != nil {
		return err
	}
	stamps, err := newStampRunner()
	if err != nil {
		return err
	}
	if a.tables, err = newTables(); err != nil {
		return err
	}
	if a.packages, err = newPackageRunner(int64(a.config.Imports.PackageBytes)); err != nil {
		return err
	}
	a.stamper, a.objects = stamp.NewStamper(stamps), blob.NewGuarded(store)
	a.certificates = blob.NewCertificates(blob.CertificateOptions{Store: store, Key: key, Now: p.now, Log: a.log})
	a.closeWith(func(context.Context) error { return release() })
	if folder, local := store.(*blob.Folder); local {
		a.uploads = folder.Incoming()
		return folder.RemoveIncomplete()
	}
	service, remote := store.(*blob.S3)
	if !remote {
		return nil
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		limited, end := context.WithTimeout(ctx, storePingWithin)
		defer end()
		if err := service.Prepare(limited, a.config.Files.Region); err != nil && ctx.Err() == nil {
			a.log.Warn(
				"the store of documents cannot be used at the moment (STORE_URL); uploads and downloads answer 503", "address",
				a.config.Files.URL, "cause", err,
			)
		}
	}()
	a.closeWith(func(context.Context) error {
		cancel()
		<-done
		return nil
	})
	return nil
}

// openStore returns the configured store and the function that releases it. A service is called through the circuit breakers.
func openStore(c config.Config, breakers *consumer.Breakers) (blob.Store, func() error, error) {
	if c.Files.URL == "" {
		folder, err := blob.OpenFolder(c.FilesDirectory())
		if err != nil {
			return nil, nil, err
		}
		return folder, folder.Close, nil
	}
	service, err := blob.OpenS3(blob.S3Options{
		URL: c.Files.URL, AccessKey: c.Files.AccessKey.Reveal(), SecretKey: c.Files.SecretKey.Reveal(),
		Region: c.Files.Region, Bucket: c.Files.Bucket,
		Through: func(base http.RoundTripper) http.RoundTripper {
			return &consumer.Transport{Breakers: breakers, Base: base}
		},
	})
	if err != nil {
		return nil, nil, err
	}
	return service, func() error { return nil }, nil
}

// documentServices returns the dependencies of the data room.
func (a *assembly) documentServices() document.Services {
	const megabyte = 1 << 20
	services := document.Services{
		Objects: a.objects, Records: webDocuments{persistence.NewDocuments(a.db), a.courier}, Secrets: persistence.NewSealed(a.db),
		Users: a.users, Stamper: a.stamper, Scanner: a.rooms.scanner(),
		Settings: document.Settings{
			FileLimit: int64(a.config.Files.FileMegabytes) * megabyte, DocumentLimit: int64(a.config.Files.DocumentMegabytes) * megabyte,
			StorageLimit: a.config.StorageLimit(), Extensions: a.config.Files.Extensions, Scan: a.initialScan(),
		},
	}
	if a.office != nil {
		services.Suite, services.Answers = a.office, persistence.NewAnswers(a.db)
	}
	return services
}

// initialScan returns the state of the virus scan of a new file.
func (a *assembly) initialScan() room.Scan {
	if a.rooms.scanner() == nil {
		return room.ScanNone
	}
	return room.ScanPending
}

// storedFiles are the bytes of the files of organizations.
type storedFiles struct{ *assembly }

// Open returns the bytes with the hash. Reading altered bytes fails.
func (s storedFiles) Open(ctx context.Context, id organization.ID, sha256 string) (io.ReadCloser, error) {
	const unknown = -1
	return s.objects.OpenWhole(ctx, blob.Key("o/"+id.String(), sha256), sha256, unknown)
}

// Put stores the bytes with the hash durably.
func (s storedFiles) Put(ctx context.Context, id organization.ID, sha256 string, content io.Reader, size int64) error {
	return s.objects.Put(ctx, blob.Key("o/"+id.String(), sha256), content, size)
}

// Scan returns the initial state of the virus scan of a file.
func (s storedFiles) Scan() room.Scan { return s.initialScan() }
