package drive

import (
	"context"
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"

	"equity/fault"
	"equity/features/drive/connection"
	"equity/messages"
	"equity/organization"
	"equity/organization/document"
)

// tree returns the present data room.
func (r *runner) tree(ctx context.Context) (*document.Tree, error) {
	view, err := r.Organizations.View(ctx, r.run.Organization)
	if err != nil {
		return nil, err
	}
	return view.State.Documents(), nil
}

// do executes a command of the data room. It is not executed if the connection or the configuration has ended.
func (r *runner) do(ctx context.Context, command document.Command) (messages.Reply, error) {
	view, err := r.Organizations.View(ctx, r.run.Organization)
	if err != nil {
		return messages.Reply{}, err
	}
	present, connected := connection.Of(view.State).Connection()
	if _, configured := connection.Of(view.State).Sync(r.config.ID); !configured || !connected || present.ID != r.account.Connection {
		return messages.Reply{}, errCancelled
	}
	return r.Organizations.Do(ctx, messages.Command{
		Organization: r.run.Organization, By: by, At: r.Now(), Body: organization.Room{Command: command},
	})
}

// isRefusal reports whether the data room refused a command, so that a repetition is refused too.
func isRefusal(err error) bool {
	return slices.Contains([]fault.Code{
		document.CodeLimit, document.CodeStorageLimit, document.CodeNameTaken, document.CodeIsFolder, document.CodeCycle, fault.Invalid,
		fault.NotFound, fault.InUse,
		fault.Conflict, organization.CodePlanLimit,
	}, codeOf(err))
}

func codeOf(err error) fault.Code {
	if refusal, is := errors.AsType[*fault.Error](err); is {
		return refusal.Code
	}
	return ""
}

// target returns the folder of the configuration in the data room. Missing folders are created.
func (r *runner) target(ctx context.Context) (document.ItemID, error) {
	folder := document.ItemID{}
	for _, name := range r.config.Folders() {
		tree, err := r.tree(ctx)
		if err != nil {
			return folder, err
		}
		found, exists := tree.Named(folder, name)
		if exists && found.Type != document.Folder {
			return folder, &runError{codeNoTarget}
		}
		if exists {
			folder = found.ID
			continue
		}
		if folder, err = r.create(ctx, folder, name); isRefusal(err) {
			return folder, &runError{string(codeOf(err))}
		} else if err != nil {
			return folder, err
		}
	}
	return folder, nil
}

// create creates a folder and returns its id.
func (r *runner) create(ctx context.Context, parent document.ItemID, name string) (document.ItemID, error) {
	reply, err := r.do(ctx, document.CreateFolder{Name: name, Parent: parent})
	if err != nil {
		return document.ItemID{}, err
	}
	for _, event := range reply.Events {
		if room, ok := event.(organization.RoomEvent); ok {
			if created, ok := room.Event.(document.FolderCreated); ok {
				return created.ID, nil
			}
		}
	}
	return document.ItemID{}, errors.New("the new folder has no event") //nolint:err113 // cannot occur
}

// folder returns a folder of the drive that belongs to the configuration, or nil.
func (r *runner) folder(ctx context.Context, external string) (*CopiedFile, error) {
	if known, ok := r.folders[external]; ok {
		return known, nil
	}
	found, err := r.Store.Files(ctx, r.config.ID, []string{external})
	if err != nil {
		return nil, err
	}
	row, ok := found[external]
	if !ok || !row.Folder {
		return nil, nil //nolint:nilnil // no such folder
	}
	r.folders[external] = &row
	return &row, nil
}

// ensure returns the copy of a folder of the drive. A missing one is created, for example if a user deleted it.
func (r *runner) ensure(ctx context.Context, folder *CopiedFile) (document.ItemID, error) {
	if folder.Parent == "" && folder.Document.IsZero() { // the root of the data room
		return folder.Document, nil
	}
	tree, err := r.tree(ctx)
	if err != nil {
		return document.ItemID{}, err
	}
	if item, ok := tree.Item(folder.Document); ok && item.Deletion == nil && !folder.Document.IsZero() {
		return item.ID, nil
	}
	if folder.Parent == "" {
		folder.Document, err = r.target(ctx)
		return folder.Document, err
	}
	parent, err := r.folder(ctx, folder.Parent)
	if err != nil {
		return document.ItemID{}, err
	}
	if parent == nil {
		return document.ItemID{}, fault.Refuse(fault.NotFound, "The folder does not exist.")
	}
	above, err := r.ensure(ctx, parent)
	if err != nil {
		return document.ItemID{}, err
	}
	siblings, err := r.Store.Children(ctx, r.config.ID, folder.Parent)
	if err != nil {
		return document.ItemID{}, err
	}
	taken := map[document.ItemID]bool{}
	for i := range siblings {
		taken[siblings[i].Document] = siblings[i].ExternalID != folder.ExternalID
	}
	for _, known := range r.folders {
		if known.Parent == folder.Parent && known.ExternalID != folder.ExternalID {
			taken[known.Document] = true
		}
	}
	folder.Document, err = r.adopt(ctx, above, document.AcceptableName(folder.Name), taken)
	return folder.Document, err
}

// adopt returns the folder with the name that no other folder of the drive has, or creates it. Names that are taken get a number.
func (r *runner) adopt(ctx context.Context, parent document.ItemID, name string, taken map[document.ItemID]bool) (document.ItemID, error) {
	for number := 1; ; number++ {
		tree, err := r.tree(ctx)
		if err != nil {
			return document.ItemID{}, err
		}
		chosen := name
		if number > 1 {
			chosen = name + " (" + strconv.Itoa(number) + ")"
		}
		found, exists := tree.Named(parent, chosen)
		switch {
		case !exists:
			return r.create(ctx, parent, chosen)
		case found.Type == document.Folder && !taken[found.ID]:
			return found.ID, nil
		}
	}
}

// copyOf returns the copy of a file that a run made before a crash, or before the connection was made anew; nil without one.
func (r *runner) copyOf(ctx context.Context, external string) (*document.Item, error) {
	tree, err := r.tree(ctx)
	if err != nil {
		return nil, err
	}
	found := tree.Copies(external)
	if len(found) == 0 {
		return nil, nil //nolint:nilnil // no copy
	}
	others, err := r.Store.Claimed(ctx, r.run.Organization, r.config.ID, external)
	if err != nil {
		return nil, err
	}
	for _, item := range found {
		if !slices.Contains(others, item.ID) {
			return item, nil
		}
	}
	return nil, nil //nolint:nilnil // no copy
}

// extension returns the extension of a name in lower case, without the dot.
func extension(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Ext(name), "."))
}
