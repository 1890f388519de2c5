package main

import (
	"context"
	"io"
	"time"

	"equity/actors/consumer"
	"equity/actors/scan"
	"equity/config"
	"equity/organization"
	"equity/organization/document"
	"equity/persistence/blob"
)

const scannerPingWithin = 10 * time.Second

// initialScan returns the state of the virus scan of a new file.
func initialScan(c config.Config) document.Scan {
	if c.Files.ScanURL == "" {
		return document.ScanNone
	}
	return document.ScanPending
}

// scanConsumers returns the consumer that examines stored files, or none without a scanner. It warns once if the scanner does not answer.
func (a *assembly) scanConsumers(ctx context.Context, p program) ([]consumer.Consumer, error) {
	if a.config.Files.ScanURL == "" {
		return nil, nil
	}
	client, err := scan.NewClient(a.config.Files.ScanURL)
	if err != nil {
		return nil, err
	}
	a.scanner = client
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	done := make(chan struct{})
	go func() {
		defer close(done)
		limited, end := context.WithTimeout(ctx, scannerPingWithin)
		defer end()
		if err := client.Ping(limited); err != nil && ctx.Err() == nil {
			a.log.Warn("the virus scanner cannot be used at the moment (SCAN_URL); new files are served after their scan", "cause", err)
		}
	}()
	a.closeWith(func(context.Context) error {
		cancel()
		<-done
		return nil
	})
	return []consumer.Consumer{scan.NewConsumer(scan.Options{
		Scanner: client, Files: storedFiles{a}, Owners: owners{a, p.now},
		Organizations: func() scan.Organizations { return a.organizations }, Now: p.now,
	})}, nil
}

// storedFiles reads the bytes of files.
type storedFiles struct{ *assembly }

// Open returns the bytes with the hash. Reading altered bytes fails.
func (s storedFiles) Open(ctx context.Context, id organization.ID, sha256 string) (io.ReadCloser, error) {
	const unknown = -1
	return s.objects.OpenWhole(ctx, blob.Key("o/"+id.String(), sha256), sha256, unknown)
}
