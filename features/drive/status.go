package drive

import (
	"context"
	"errors"
	"strings"
	"time"

	"equity/fault"
	"equity/features/drive/connection"
	"equity/messages"
	"equity/organization"
)

// Status returns the state of the synchronization, or false without a connection.
func (e *Engine) Status(ctx context.Context, view *messages.View) (Status, bool, error) {
	account, connected, err := e.account(ctx, view)
	if err != nil || !connected {
		return Status{}, false, err
	}
	syncs, err := e.Store.Syncs(ctx, view.State.ID())
	account.Token = nil
	return Status{Account: account, Syncs: syncs}, true, err
}

// The positions in the list of top-level folders: their pages, then those of the drives of groups.
const (
	folderPages = "folders:"
	drivePages  = "drives:"
	rootFolder  = "root"
)

// Folders returns a page of the folders in a folder of the drive, and the position of the next page. Without a parent, these are the
// folders of the account and the drives of groups.
func (e *Engine) Folders(
	ctx context.Context, view *messages.View, wanted FolderQuery,
) ([]Folder, string, error) {
	account, connected, err := e.account(ctx, view)
	if err != nil {
		return nil, "", messages.Unreachable("The store", err)
	}
	if !connected {
		return nil, "", fault.Refuse(connection.CodeNotConnected, "Connect the organization to a drive first.")
	}
	opened, err := e.open(account)
	if err != nil {
		return nil, "", answer(err)
	}
	found, next, err := opened.folders(ctx, wanted)
	switch {
	case errors.Is(err, ErrNotFound):
		return nil, "", fault.Refuse(fault.NotFound, "The drive has no such folder.")
	case errors.Is(err, ErrPageToken):
		return nil, "", fault.InvalidField("/query/cursor", "expired", "The cursor has expired. Start again with the first page.")
	case err != nil:
		return nil, "", answer(err)
	}
	return found, next, nil
}

func (a *access) folders(ctx context.Context, wanted FolderQuery) (found []Folder, next string, err error) {
	listed, position, left := wanted.Parent, wanted.Position, wanted.Limit
	if listed == "" {
		listed = rootFolder
	}
	if page, drives := strings.CutPrefix(position, drivePages); !drives {
		var folders []File
		page = strings.TrimPrefix(page, folderPages)
		err = a.use(ctx, func(t Token) (err error) {
			folders, next, err = a.Client.Folders(ctx, t, listed, page, wanted.Limit)
			return err
		})
		for i := range folders {
			found = append(found, Folder{ID: folders[i].ID, Name: folders[i].Name, Parent: listed})
		}
		if next != "" {
			next = folderPages + next
		}
		if err != nil || next != "" || wanted.Parent != "" {
			return found, next, err
		}
		position = drivePages
		if left -= len(found); wanted.Limit > 0 && left <= 0 {
			return found, position, nil
		}
	}
	var drives []SharedDrive
	err = a.use(ctx, func(t Token) (err error) {
		drives, next, err = a.Client.SharedDrives(ctx, t, strings.TrimPrefix(position, drivePages), max(left, 0))
		return err
	})
	for _, drive := range drives {
		found = append(found, Folder{ID: drive.ID, Name: drive.Name, Shared: true})
	}
	if next != "" {
		next = drivePages + next
	}
	return found, next, err
}

// mostHistory is the number of runs in the history.
const mostHistory = 50

// History returns the last runs of one configuration, or of all if it is zero, the latest first.
func (e *Engine) History(ctx context.Context, id organization.ID, configuration connection.SyncID) ([]Run, error) {
	found, err := e.Runs.History(ctx, id, configuration, mostHistory)
	return found, messages.Unreachable("The store", err)
}

// Sync requests runs of one configuration, or of all enabled ones if it is zero. It waits for their ends within the limit, and reports
// whether one of them is still running. A configuration with a run joins it.
func (e *Engine) Sync(
	ctx context.Context, view *messages.View, configuration connection.SyncID,
) (runs []Run, running bool, err error) {
	if _, connected := connection.Of(view.State).Connection(); !connected {
		return nil, false, fault.Refuse(connection.CodeNotConnected, "Connect the organization to a drive first.")
	}
	for _, config := range connection.Of(view.State).Syncs() {
		if config.ID != configuration && (!configuration.IsZero() || !config.SyncEnabled) {
			continue
		}
		run, err := e.Runs.Trigger(ctx, e.newRun(view.State.ID(), config.ID))
		if err != nil {
			return nil, false, messages.Unreachable("The store", err)
		}
		runs = append(runs, run)
	}
	if len(runs) == 0 && !configuration.IsZero() {
		return nil, false, fault.Refuse(fault.NotFound, "The configuration does not exist.")
	}
	if len(runs) == 0 {
		return nil, false, nil
	}
	ended := e.ends.next(view.State.ID())
	if err := e.rouse(ctx, view.State.ID()); err != nil {
		return nil, false, messages.Unreachable("The store", err)
	}
	running, err = e.await(ctx, view.State.ID(), runs, ended)
	return runs, running, messages.Unreachable("The store", err)
}

// lookEvery is the interval at which a waiting caller looks at its runs, because another server can execute them.
const lookEvery = time.Second

// await waits for the ends of the runs, and reports whether one is still running.
func (e *Engine) await(ctx context.Context, id organization.ID, runs []Run, ended <-chan struct{}) (bool, error) {
	limited, cancel := context.WithTimeout(ctx, e.Settings.Patience)
	defer cancel()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		running := false
		for i := range runs {
			present, exists, err := e.Runs.Run(ctx, runs[i].ID)
			if err != nil {
				return false, err
			}
			if exists {
				runs[i] = present
			}
			running = running || runs[i].Status == RunRunning
		}
		if !running || limited.Err() != nil {
			return running, nil
		}
		select {
		case <-ended:
			ended = e.ends.next(id)
		case <-tick.C:
		case <-limited.Done():
		}
	}
}
