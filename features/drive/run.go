package drive

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"equity/features/drive/connection"
	"equity/organization/document"
)

// runner executes a run of one configuration. Its progress is stored with its effects, so that another runner can continue it. A repeated
// step is harmless: files whose fingerprint is stored are not copied again.
type runner struct {
	*access
	config *connection.SyncConfiguration
	sync   SyncState
	run    *Run
	// folders are the folders of the drive that the run has read, by their ids.
	folders map[string]*CopiedFile
	// advanced reports that the round had an effect.
	advanced bool
}

// execute continues the run until its end. It returns an error if the run has work afterwards.
func (r *runner) execute(ctx context.Context) error {
	if r.run.StartedAt.IsZero() {
		r.run.StartedAt = r.Now()
	}
	r.run.Status, r.run.ResumeAt, r.run.CompletedAt, r.run.Error = RunRunning, time.Time{}, time.Time{}, ""
	err := r.steps(ctx)
	if errors.Is(err, ErrPageToken) {
		r.run.Progress = Progress{}
		r.sync.PageToken, r.folders = "", map[string]*CopiedFile{}
		err = r.steps(ctx)
	}
	failure, failed := errors.AsType[*runError](err)
	refusal, refused := errors.AsType[*StatusError](err)
	_, isLater := errors.AsType[*laterError](err)
	interrupted, isInterrupted := errors.AsType[*interruptedError](err)
	switch {
	case err == nil, errors.Is(err, errCancelled):
		return err
	case errors.Is(err, ErrReconnect):
		return r.end(ctx, codeReconnect)
	case failed:
		return r.end(ctx, failure.code)
	case refused && !isInterrupted:
		return r.end(ctx, strings.TrimSpace(codeRefused+" "+refusal.Reason))
	case isInterrupted:
		r.run.Status, r.run.CompletedAt, r.run.ResumeAt = RunPartial, r.Now(), r.Now().Add(resumeAfter)
		r.run.Error = codeUnavailable
		if _, rate := errors.AsType[*RateError](interrupted.cause); rate {
			r.run.Error = codeRate
		}
	case !errors.Is(err, errAgain) && !isLater: // the stored progress is complete, that in memory may not be
		return err
	}
	if saveErr := r.save(context.WithoutCancel(ctx), nil, nil); saveErr != nil {
		return saveErr
	}
	return err
}

// steps executes the steps that remain.
func (r *runner) steps(ctx context.Context) error {
	if !r.run.Progress.Begun {
		if err := r.begin(ctx); err != nil {
			return err
		}
	}
	for {
		if over(ctx, 0) {
			return errAgain
		}
		if r.run.Progress.Changes {
			if err := r.changes(ctx); err != nil {
				return err
			}
			continue
		}
		folder, queued, err := r.Store.NextFolder(ctx, r.config.ID)
		if err != nil {
			return err
		}
		if !queued {
			return r.finish(ctx)
		}
		if err := r.list(ctx, &folder); err != nil {
			return err
		}
	}
}

// scope returns the terms that determine the files of the configuration.
func (r *runner) scope() string {
	return strings.Join([]string{r.config.DriveFolderID, strconv.FormatBool(r.config.SyncSubfolders), r.config.FileTypeFilter}, "|")
}

// begin chooses between the changes since the last run and a complete listing.
func (r *runner) begin(ctx context.Context) error {
	root, known, err := r.root(ctx)
	if err != nil {
		return err
	}
	p := &r.run.Progress
	if known && r.sync.PageToken != "" && r.sync.Scope == r.scope() {
		if err := r.relocate(ctx, root); err != nil {
			return err
		}
		*p = Progress{Begun: true, Changes: true, Page: r.sync.PageToken}
		return r.save(ctx, []CopiedFile{*root}, nil)
	}
	start := ""
	err = r.call(ctx, func(t Token) (err error) {
		start, err = r.Client.Start(ctx, t)
		return err
	})
	if err != nil {
		return err
	}
	var folder File
	err = r.call(ctx, func(t Token) (err error) {
		folder, err = r.Client.File(ctx, t, r.config.DriveFolderID)
		return err
	})
	if errors.Is(err, ErrNotFound) || err == nil && (folder.Trashed || !folder.IsFolder()) {
		return &runError{codeNoFolder}
	}
	if err != nil {
		return err
	}
	if !known {
		root = &CopiedFile{ExternalID: folder.ID, Name: folder.Name, Folder: true}
	}
	if err := r.relocate(ctx, root); err != nil {
		return err
	}
	root.Run, root.Queued, root.Gone = r.run.ID, 1, false
	r.folders[root.ExternalID] = root
	*p = Progress{Begun: true, Complete: true, Start: start, Queue: 1}
	return r.save(ctx, []CopiedFile{*root}, nil)
}

// root returns the folder of the configuration, or false before the first run.
func (r *runner) root(ctx context.Context) (*CopiedFile, bool, error) {
	found, err := r.Store.Children(ctx, r.config.ID, "")
	if err != nil || len(found) == 0 {
		return nil, false, err
	}
	r.folders[found[0].ExternalID] = &found[0]
	return &found[0], true, nil
}

// relocate determines the target in the data room. If the target was changed, the copies move there.
func (r *runner) relocate(ctx context.Context, root *CopiedFile) error {
	target, err := r.target(ctx)
	if err != nil {
		return err
	}
	before := root.Document
	root.Document = target
	if before == target || before.IsZero() && root.Run == [16]byte{} {
		return nil
	}
	children, err := r.Store.Children(ctx, r.config.ID, root.ExternalID)
	if err != nil {
		return err
	}
	tree, err := r.tree(ctx)
	if err != nil {
		return err
	}
	for i := range children {
		item, ok := tree.Item(children[i].Document)
		if !ok || item.Deletion != nil || item.Parent != before {
			continue
		}
		if _, err := r.do(ctx, document.PlaceCopy{ID: item.ID, Name: item.Name, Parent: target}); err != nil && !isRefusal(err) {
			return err
		}
	}
	return nil
}

// save stores the run with the files. Sync is the progress of the configuration at the end of the run, or nil.
func (r *runner) save(ctx context.Context, files []CopiedFile, sync *SyncState) error {
	saved, err := r.Runs.SaveRun(ctx, r.run, files, sync)
	if err == nil && !saved {
		return errCancelled
	}
	return err
}

// end ends the run with a failure.
func (r *runner) end(ctx context.Context, code string) error {
	r.run.Status, r.run.Error, r.run.CompletedAt = RunFailed, code, r.Now()
	r.sync.Error, r.sync.NextAt = code, r.soon()
	return r.save(context.WithoutCancel(ctx), nil, &r.sync)
}

// mostGone bounds the files that one transaction forgets.
const mostGone = 100

// finish removes the copies of files that are no longer in the drive, and ends the run. The position for later changes is stored in the
// transaction that ends the run.
func (r *runner) finish(ctx context.Context) error {
	p := &r.run.Progress
	if p.Complete {
		only := ""
		if !r.config.SyncSubfolders {
			root, _, err := r.root(ctx)
			if err != nil {
				return err
			}
			only = root.ExternalID
		}
		if err := r.Store.MarkGone(ctx, r.config.ID, r.run.ID, only); err != nil {
			return err
		}
	}
	for {
		more, err := r.removeGone(ctx)
		if err != nil {
			return err
		}
		if !more {
			break
		}
		if over(ctx, 0) {
			return errAgain
		}
	}
	now := r.Now()
	r.run.Status, r.run.CompletedAt, r.run.Error = RunSucceeded, now, r.reasons()
	r.sync.PageToken, r.sync.Scope, r.sync.Error = p.Start, r.scope(), ""
	r.sync.LastSyncAt, r.sync.NextAt = now, r.soon()
	return r.save(ctx, nil, &r.sync)
}

// reasons describes the failed files: "exportTooLarge: 2, tooLarge: 1".
func (r *runner) reasons() string {
	var all []string
	for _, reason := range slices.Sorted(maps.Keys(r.run.Progress.Reasons)) {
		all = append(all, fmt.Sprintf("%s: %d", reason, r.run.Progress.Reasons[reason]))
	}
	return strings.Join(all, ", ")
}

// fail counts a file that cannot be copied.
func (r *runner) fail(reason string) {
	r.run.Failed++
	if r.run.Progress.Reasons == nil {
		r.run.Progress.Reasons = map[string]int64{}
	}
	r.run.Progress.Reasons[reason]++
}

// removeGone moves copies of files that are no longer in the drive to the trash, and reports whether more may follow. A folder stays if it
// contains other documents.
func (r *runner) removeGone(ctx context.Context) (bool, error) {
	limit := mostGone
	gone, err := r.Store.Gone(ctx, r.config.ID, limit)
	if err != nil || len(gone) == 0 {
		return false, err
	}
	if gone[0].Folder { // the deepest first, so that they are empty
		const all = 1 << 20
		if gone, err = r.Store.Gone(ctx, r.config.ID, all); err != nil {
			return false, err
		}
		if err := r.deepestFirst(ctx, gone); err != nil {
			return false, err
		}
	}
	var done []string
	for i := range gone {
		if err := r.remove(ctx, &gone[i]); err != nil {
			return false, err
		}
		if done = append(done, gone[i].ExternalID); over(ctx, 0) {
			break
		}
	}
	saved, err := r.Runs.ForgetFiles(ctx, r.run, done)
	if err == nil && !saved {
		err = errCancelled
	}
	return true, err
}

// deepestFirst orders folders by their depth in the data room.
func (r *runner) deepestFirst(ctx context.Context, folders []CopiedFile) error {
	tree, err := r.tree(ctx)
	if err != nil {
		return err
	}
	depth := map[document.ItemID]int{}
	for i := range folders {
		if item, ok := tree.Item(folders[i].Document); ok {
			depth[item.ID] = len(tree.Path(item))
		}
	}
	slices.SortStableFunc(folders, func(a, b CopiedFile) int { return depth[b.Document] - depth[a.Document] })
	return nil
}

// remove moves the copy to the trash.
func (r *runner) remove(ctx context.Context, gone *CopiedFile) error {
	tree, err := r.tree(ctx)
	if err != nil {
		return err
	}
	item, ok := tree.Item(gone.Document)
	if !ok || item.Deletion != nil {
		return nil
	}
	if gone.Folder {
		for range tree.Children(item.ID) {
			return nil
		}
	}
	_, err = r.do(ctx, document.Delete{ID: item.ID})
	switch {
	case isRefusal(err):
		if !gone.Folder {
			r.run.Processed++
			r.fail(string(codeOf(err)))
		}
		return nil
	case err == nil && !gone.Folder:
		r.run.Processed++
		r.run.Updated++
	}
	return err
}
