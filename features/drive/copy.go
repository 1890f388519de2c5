package drive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime"
	"os"
	"path"

	"equity/organization"
	"equity/organization/document"
)

// The bounds of a batch. A crash repeats at most the downloads of one batch.
const (
	mostCopies    = 50
	mostCopyBytes = 32 << 20
	mostRows      = 500
)

// batch collects copies for one command, and rows for one transaction.
type batch struct {
	*runner
	copies []pendingCopy
	bytes  int64
	rows   []CopiedFile
}

// pendingCopy is a file whose bytes are stored.
type pendingCopy struct {
	document.Copy
	file *File
	row  CopiedFile
}

func (b *batch) full() bool {
	return len(b.copies) >= mostCopies || b.bytes >= mostCopyBytes || len(b.rows) >= mostRows
}

// copy downloads a file to the store and adds it to the batch.
func (b *batch) copy(ctx context.Context, file *File, row *CopiedFile, name string, format Format) error {
	made := pendingCopy{Copy: document.Copy{Source: document.Source{Kind: consumerName, ExternalID: file.ID}}, file: file}
	var err error
	if made.Parent, made.Document, err = b.placeOf(ctx, row); isRefusal(err) {
		b.refuse(row, file, string(codeOf(err)))
		return nil
	} else if err != nil {
		return err
	}
	made.Content, err = b.download(ctx, file)
	if reason := reasonOf(err); reason != "" {
		b.refuse(row, file, reason)
		return nil
	}
	if errors.Is(err, context.DeadlineExceeded) { // more time was not available in a whole round
		b.refuse(row, file, codeTimeout)
		return nil
	}
	if err != nil {
		return err
	}
	made.Name, made.MediaType, made.Scan = name, format.MediaType, b.Bytes.Scan()
	if known := mime.TypeByExtension(path.Ext(name)); known != "" {
		made.MediaType = known
	}
	made.row = *row
	made.row.Fingerprint = file.Fingerprint()
	b.copies, b.bytes = append(b.copies, made), b.bytes+made.Size
	return nil
}

// placeOf returns the folder of a copy, and the existing copy if there is one.
func (b *batch) placeOf(ctx context.Context, row *CopiedFile) (parent, existing document.ItemID, err error) {
	folder, err := b.folder(ctx, row.Parent)
	if err != nil || folder == nil {
		return parent, existing, err
	}
	if parent, err = b.ensure(ctx, folder); err != nil {
		return parent, existing, err
	}
	tree, err := b.tree(ctx)
	if err != nil {
		return parent, existing, err
	}
	if item, ok := tree.Item(row.Document); ok && item.Deletion == nil && !row.Document.IsZero() {
		return parent, item.ID, nil
	}
	if !row.Document.IsZero() { // deleted here, and changed in the drive since
		return parent, existing, nil
	}
	found, err := b.copyOf(ctx, row.ExternalID)
	if err != nil || found == nil {
		return parent, existing, err
	}
	return parent, found.ID, nil
}

// errTooLarge reports content beyond the limit.
var errTooLarge = errors.New("the document is too large")

// reasonOf returns the code of a failure that concerns one file only; empty for other errors.
func reasonOf(err error) string {
	refusal, refused := errors.AsType[*StatusError](err)
	switch {
	case err == nil:
		return ""
	case errors.Is(err, ErrExportTooLarge):
		return codeExport
	case errors.Is(err, errTooLarge):
		return codeTooLarge
	case errors.Is(err, ErrNotFound):
		return codeMissing
	case refused && !isTemporary(err) && refusal.Reason != "":
		return refusal.Reason
	case refused && !isTemporary(err):
		return codeRefused
	}
	return ""
}

// download stores the bytes of a file, and describes them. The bytes pass through a temporary file, because their hash is their address.
func (b *batch) download(ctx context.Context, file *File) (document.Content, error) {
	spool, err := os.CreateTemp(b.Settings.Spool, "equity-drive-*") // mode 0600
	if err != nil {
		return document.Content{}, fmt.Errorf("create temporary file: %w", err)
	}
	defer func() { _ = errors.Join(spool.Close(), os.Remove(spool.Name())) }() // it has no further use
	hash := sha256.New()
	var size int64
	var spoolErr error
	err = b.call(ctx, func(t Token) error {
		if _, spoolErr = spool.Seek(0, io.SeekStart); spoolErr != nil {
			return ErrNotFound
		}
		hash.Reset()
		limited, cancel := context.WithTimeout(ctx, transferTime)
		defer cancel()
		content, err := b.Client.Content(limited, t, file)
		if err != nil {
			return err
		}
		defer func() { _ = content.Close() }() // it was only read
		size, err = io.Copy(io.MultiWriter(spool, hash), io.LimitReader(content, b.Settings.Limit+1))
		return err
	})
	if spoolErr != nil {
		return document.Content{}, fmt.Errorf("write temporary file: %w", spoolErr)
	}
	if err != nil {
		return document.Content{}, err
	}
	if size > b.Settings.Limit {
		return document.Content{}, errTooLarge
	}
	if _, err := spool.Seek(0, io.SeekStart); err != nil {
		return document.Content{}, fmt.Errorf("read temporary file: %w", err)
	}
	sum := hex.EncodeToString(hash.Sum(nil))
	if err := b.Bytes.Put(ctx, b.run.Organization, sum, io.LimitReader(spool, size), size); err != nil {
		return document.Content{}, fmt.Errorf("store a document: %w", err)
	}
	return document.Content{Size: size, SHA256: sum}, nil
}

// flush records the copies of the batch, and stores the progress.
func (b *batch) flush(ctx context.Context) error {
	copies, before := b.copies, len(b.rows)
	b.copies, b.bytes = nil, 0
	var failed error
	if len(copies) > 0 {
		if failed = b.record(ctx, copies); failed != nil {
			recorded := len(b.rows) - before
			b.run.Processed -= int64(len(copies) - recorded) // they are examined again
		}
	}
	rows := b.rows
	b.rows = nil
	return errors.Join(failed, b.save(ctx, rows, nil))
}

// record adds the copies to the data room with one command. If it is refused, each copy gets its own, so that one file does not stop the
// others.
func (b *batch) record(ctx context.Context, copies []pendingCopy) error {
	command := document.AddCopies{}
	for i := range copies {
		command.Copies = append(command.Copies, copies[i].Copy)
	}
	reply, err := b.do(ctx, command)
	switch {
	case isRefusal(err) && len(copies) > 1:
		for i := range copies {
			if err := b.record(ctx, copies[i:i+1]); err != nil {
				return err
			}
		}
		return nil
	case isRefusal(err):
		b.refuse(&copies[0].row, copies[0].file, string(codeOf(err)))
		return nil
	case err != nil:
		return err
	}
	added, changed := map[string]document.ItemID{}, map[document.ItemID]bool{}
	for _, event := range reply.Events {
		room, _ := event.(organization.RoomEvent)
		switch e := room.Event.(type) {
		case document.Added:
			added[e.Source.ExternalID] = e.ID
		case document.Versioned:
			changed[e.ID] = true
		}
	}
	for i := range copies {
		if err := b.count(ctx, &copies[i], added, changed); err != nil {
			return err
		}
		b.rows = append(b.rows, copies[i].row)
	}
	return nil
}

// count counts a recorded copy.
func (b *batch) count(ctx context.Context, made *pendingCopy, added map[string]document.ItemID, changed map[document.ItemID]bool) error {
	if made.Document.IsZero() {
		made.row.Document = added[made.row.ExternalID]
		b.run.Added++
		return nil
	}
	found := made.row.Document.IsZero()
	made.row.Document = made.Document
	if changed[made.Document] {
		b.run.Updated++
		return nil
	}
	tree, err := b.tree(ctx)
	if err != nil || !found {
		return err
	}
	if item, ok := tree.Item(made.Document); ok && !item.CreatedAt.Time().Before(b.run.StartedAt) {
		b.run.Added++ // by this run, before a crash
	}
	return nil
}
