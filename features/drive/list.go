package drive

import (
	"context"
	"errors"
	"slices"

	"equity/organization/document"
)

// list examines a page of the objects in a folder.
func (r *runner) list(ctx context.Context, folder *CopiedFile) error {
	if known, ok := r.folders[folder.ExternalID]; ok {
		known.Queued = folder.Queued
		folder = known
	} else {
		r.folders[folder.ExternalID] = folder
	}
	p := &r.run.Progress
	var files []File
	next := ""
	err := r.call(ctx, func(t Token) (err error) {
		files, next, err = r.Client.Children(ctx, t, folder.ExternalID, p.Page)
		return err
	})
	switch {
	case errors.Is(err, ErrPageToken) && p.Page != "": // the folder is listed anew; examined files are not copied again
		p.Page = ""
		return r.save(ctx, nil, nil)
	case errors.Is(err, ErrNotFound) && folder.Parent == "":
		return &runError{codeNoFolder}
	case err != nil && !errors.Is(err, ErrNotFound): // a folder that has disappeared is empty
		return err
	}
	for i := range files {
		files[i].Parents = []string{folder.ExternalID}
	}
	b := &batch{runner: r}
	if err := b.examine(ctx, files); err != nil {
		return err
	}
	if p.Page = next; next == "" {
		folder.Queued = 0
		b.rows = append(b.rows, *folder)
	}
	return b.flush(ctx)
}

// changes examines a page of the changes since the last run.
func (r *runner) changes(ctx context.Context) error {
	p := &r.run.Progress
	var changes []Change
	next, start := "", ""
	err := r.call(ctx, func(t Token) (err error) {
		changes, next, start, err = r.Client.Changes(ctx, t, p.Page)
		return err
	})
	if err != nil {
		return err
	}
	b := &batch{runner: r}
	files, err := b.sort(ctx, changes)
	if err != nil {
		return err
	}
	if err := b.examine(ctx, files); err != nil {
		return err
	}
	p.Page = next
	if next == "" {
		p.Changes, p.Start = false, start
	}
	return b.flush(ctx)
}

// sort returns the changed files inside the folder of the configuration, each once, with the folders first. It marks the others as gone
// if they were inside.
func (b *batch) sort(ctx context.Context, changes []Change) ([]File, error) {
	last, ids := map[string]*Change{}, []string{}
	for i := range changes {
		if last[changes[i].FileID] == nil {
			ids = append(ids, changes[i].FileID)
		}
		last[changes[i].FileID] = &changes[i]
	}
	rows, err := b.Store.Files(ctx, b.config.ID, ids)
	if err != nil {
		return nil, err
	}
	var pending, inside []File
	for _, id := range ids {
		file := last[id].File
		row, known := rows[id]
		present := file != nil && !last[id].Removed && !file.Trashed
		switch {
		case known && row.Parent == "" && !present:
			return nil, &runError{codeNoFolder}
		case known && row.Parent == "": // a new name of the folder of the configuration
		case present:
			pending = append(pending, *file)
		case known:
			if err := b.lose(ctx, &row); err != nil {
				return nil, err
			}
		}
	}
	// Folders are examined first, because a file can precede its new folder.
	slices.SortStableFunc(pending, func(x, y File) int {
		switch {
		case x.IsFolder() == y.IsFolder():
			return 0
		case x.IsFolder():
			return -1
		}
		return 1
	})
	for i := range pending {
		parent, err := b.parent(ctx, &pending[i])
		if err != nil {
			return nil, err
		}
		row, known := rows[pending[i].ID]
		switch {
		case parent != "":
			pending[i].Parents = []string{parent}
			inside = append(inside, pending[i])
		case known && !row.Gone:
			if err := b.lose(ctx, &row); err != nil {
				return nil, err
			}
		}
	}
	return inside, nil
}

// parent returns the folder of the file that belongs to the configuration; empty if the file is outside.
func (r *runner) parent(ctx context.Context, file *File) (string, error) {
	for _, id := range file.Parents {
		folder, err := r.folder(ctx, id)
		if err != nil {
			return "", err
		}
		if folder != nil && !folder.Gone && (r.config.SyncSubfolders || folder.Parent == "") {
			return id, nil
		}
	}
	return "", nil
}

// lose marks a file as gone, with everything below it.
func (b *batch) lose(ctx context.Context, row *CopiedFile) error {
	row.Gone, row.Queued = true, 0
	b.rows = append(b.rows, *row)
	if !row.Folder {
		return nil
	}
	b.folders[row.ExternalID] = row
	children, err := b.Store.Children(ctx, b.config.ID, row.ExternalID)
	if err != nil {
		return err
	}
	for i := range children {
		if children[i].Gone {
			continue
		}
		if err := b.lose(ctx, &children[i]); err != nil {
			return err
		}
	}
	return nil
}

// examine copies the changed files among those given.
func (b *batch) examine(ctx context.Context, files []File) error {
	ids := make([]string, len(files))
	for i := range files {
		ids[i] = files[i].ID
	}
	rows, err := b.Store.Files(ctx, b.config.ID, ids)
	if err != nil {
		return err
	}
	for i := range files {
		row, known := rows[files[i].ID]
		if !known {
			row = CopiedFile{ExternalID: files[i].ID}
		}
		if err := b.one(ctx, &files[i], &row); err != nil {
			return b.interrupted(ctx, err)
		}
		if b.full() {
			if err := b.flush(ctx); err != nil {
				return err
			}
		}
		if over(ctx, 0) {
			return b.interrupted(ctx, errAgain)
		}
	}
	return nil
}

// interrupted stores the effects so far, and returns the cause.
func (b *batch) interrupted(ctx context.Context, cause error) error {
	if err := b.flush(context.WithoutCancel(ctx)); err != nil {
		return err
	}
	return cause
}

// one examines a file or a folder.
func (b *batch) one(ctx context.Context, file *File, row *CopiedFile) error {
	if row.Run == b.run.ID && !row.Gone && row.Parent == file.Parents[0] && row.Name == file.Name &&
		(row.Folder || row.Fingerprint == file.Fingerprint() || row.Fingerprint == failedMark+file.Fingerprint()) {
		return nil // examined before an interruption
	}
	if file.IsFolder() {
		return b.enter(ctx, file, row)
	}
	format, copied := file.Format()
	name := document.AcceptableName(file.Name)
	if format.Extension != "" && "."+extension(name) != format.Extension {
		name = document.AcceptableName(file.Name + format.Extension)
	}
	unchanged := row.Fingerprint == file.Fingerprint() && !row.Document.IsZero()
	moved := row.Run != [16]byte{} && (row.Parent != file.Parents[0] || row.Name != file.Name)
	row.Parent, row.Name, row.Run, row.Gone = file.Parents[0], file.Name, b.run.ID, false
	b.run.Processed++
	switch {
	case !copied, !file.Rights.Download, !b.config.Accepts(extension(name)), !b.permits(name):
		b.run.Skipped++
		row.Fingerprint = file.Fingerprint()
		b.rows = append(b.rows, *row)
		return nil
	case file.Size > b.Settings.Limit:
		b.refuse(row, file, codeTooLarge)
		return nil
	}
	if moved && !row.Document.IsZero() {
		placed, err := b.place(ctx, row, name)
		if err != nil {
			return b.undone(err)
		}
		if placed && unchanged {
			b.run.Updated++
		}
	}
	if unchanged {
		b.rows = append(b.rows, *row)
		return nil
	}
	return b.undone(b.copy(ctx, file, row, name, format))
}

// undone takes back the count of a file that is examined again.
func (b *batch) undone(err error) error {
	if err != nil {
		b.run.Processed--
	}
	return err
}

// permits reports whether the settings of the server permit the extension.
func (b *batch) permits(name string) bool {
	return len(b.Settings.Extensions) == 0 || slices.Contains(b.Settings.Extensions, extension(name))
}

// failedMark precedes the fingerprint of content that could not be copied, so that it differs from that of a copy.
const failedMark = "!"

// refuse counts a file that cannot be copied.
func (b *batch) refuse(row *CopiedFile, file *File, reason string) {
	b.fail(reason)
	row.Fingerprint = failedMark + file.Fingerprint()
	b.rows = append(b.rows, *row)
}

// enter examines a folder. Its objects are listed if it is new, or if everything is listed.
func (b *batch) enter(ctx context.Context, file *File, row *CopiedFile) error {
	if !b.config.SyncSubfolders {
		if row.Folder { // copied earlier, when subfolders were included
			row.Run, row.Gone = b.run.ID, false
			b.rows = append(b.rows, *row)
		}
		return nil
	}
	p := &b.run.Progress
	isNew := !row.Folder || row.Gone
	moved := row.Folder && (row.Parent != file.Parents[0] || row.Name != file.Name)
	row.Parent, row.Name, row.Folder, row.Run, row.Gone = file.Parents[0], file.Name, true, b.run.ID, false
	b.folders[file.ID] = row
	if moved {
		if _, err := b.place(ctx, row, document.AcceptableName(file.Name)); err != nil {
			return err
		}
	}
	if _, err := b.ensure(ctx, row); isRefusal(err) {
		b.fail(string(codeOf(err)))
		b.rows = append(b.rows, *row)
		return nil
	} else if err != nil {
		return err
	}
	if isNew || p.Complete {
		p.Queue++
		row.Queued = p.Queue
	}
	b.rows = append(b.rows, *row)
	return nil
}

// place moves a copy to its present folder and name, and reports whether that changed it.
func (b *batch) place(ctx context.Context, row *CopiedFile, name string) (bool, error) {
	tree, err := b.tree(ctx)
	if err != nil {
		return false, err
	}
	item, ok := tree.Item(row.Document)
	if !ok || item.Deletion != nil {
		return false, nil
	}
	parent, err := b.folder(ctx, row.Parent)
	if err != nil || parent == nil {
		return false, err
	}
	above, err := b.ensure(ctx, parent)
	if isRefusal(err) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	reply, err := b.do(ctx, document.PlaceCopy{ID: item.ID, Name: name, Parent: above})
	if isRefusal(err) {
		return false, nil
	}
	return len(reply.Events) > 0, err
}
