package document

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"equity/captable"
	"equity/fault"
	"equity/http/api"
	"equity/organization"
	room "equity/organization/document"
)

// rootFolder is the name of the root in the query.
const rootFolder = "root"

// list returns the visible items of a folder or of all folders, or the deleted items.
func (s documents) list(_ context.Context, c *api.Call) (api.Answer, error) {
	if c.Query("search") != "" {
		return s.search(c)
	}
	tree, reader := c.View.State.Documents(), viewer(c)
	folder, err := queryFolder(c)
	if err != nil {
		return api.Answer{}, err
	}
	if !folder.IsZero() {
		parent, err := readableWith(c, folder)
		if err != nil {
			return api.Answer{}, err
		}
		if parent.Type != room.Folder {
			return api.Answer{}, api.WrongField("/query/parentFolder", "notFolder", "parentFolder must be a folder.")
		}
	}
	if c.Query("deleted") == "true" {
		records := []item{}
		for deleted := range tree.Deleted(c.At) {
			if c.Can(organization.EditDocuments) && tree.Access(deleted).Sees(reader) && visible(c, deleted.ID) {
				records = append(records, show(tree, deleted))
			}
		}
		return c.ReadTagged(records, tag(c)), nil
	}
	listed := func() []*room.Item {
		if c.Query("parentFolder") == "" {
			return tree.Everywhere(reader)
		}
		return tree.Visible(folder, reader)
	}
	if c.View.Sequence == c.Present.Sequence { // the present access is that of the view
		return s.RenderRecord(c, func() (any, error) { return shown(tree, listed()), nil })
	}
	permitted := slices.DeleteFunc(listed(), func(found *room.Item) bool { return !visible(c, found.ID) })
	return c.ReadTagged(shown(tree, permitted), tag(c)), nil
}

// shown returns the JSON forms of items; never nil.
func shown(tree *room.Tree, items []*room.Item) []item {
	records := make([]item, len(items))
	for i, each := range items {
		records[i] = show(tree, each)
	}
	return records
}

// queryFolder returns the folder of the query; the zero id is the root.
func queryFolder(c *api.Call) (room.ItemID, error) {
	text := c.Query("parentFolder")
	if text == "" || text == rootFolder {
		return room.ItemID{}, nil
	}
	id, err := captable.ParseID[room.Item](text)
	if err != nil {
		return id, api.WrongField("/query/parentFolder", "format", "parentFolder must be the id of a folder, or root.")
	}
	return id, nil
}

// changed carries out a command of the data room and returns the item.
func (s documents) changed(ctx context.Context, c *api.Call, command room.CommandOf[*room.Item], id any) (api.Answer, error) {
	return api.ChangeOrganization(ctx, s.Kernel, c, organization.RoomCommand(command), id, func(changed *room.Item) api.Result {
		result := api.Result{Record: show(c.View.State.Documents(), changed), Version: changed.Version}
		if id == nil {
			result.Location = location(c, changed.ID)
		}
		return result
	})
}

func location(c *api.Call, id room.ItemID) string {
	return "/organization/" + c.Organization.String() + "/document/" + id.String()
}

func (s documents) createFolder(ctx context.Context, c *api.Call) (api.Answer, error) {
	command, err := api.Decode[room.CreateFolder](c)
	if err != nil {
		return api.Answer{}, err
	}
	if err := s.mayFill(c, command.Parent); err != nil {
		return api.Answer{}, err
	}
	return s.changed(ctx, c, command, nil)
}

// mayFill checks that the caller may read the folder.
func (s documents) mayFill(c *api.Call, folder room.ItemID) error {
	if folder.IsZero() {
		return nil
	}
	_, err := readableWith(c, folder)
	return err
}

func (s documents) move(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := readable(c)
	if err != nil {
		return api.Answer{}, err
	}
	command, err := moveOf(c)
	if err != nil {
		return api.Answer{}, err
	}
	if command.Parent != nil {
		if err := s.mayFill(c, *command.Parent); err != nil {
			return api.Answer{}, err
		}
	}
	command.ID = found.ID
	return s.changed(ctx, c, command, found.ID)
}

// moveOf returns the command of the body, without its item.
func moveOf(c *api.Call) (room.Move, error) {
	var given struct {
		Name         *string         `json:"name"`
		ParentFolder json.RawMessage `json:"parentFolder"`
	}
	if err := json.Unmarshal(c.Body, &given); err != nil {
		return room.Move{}, api.WrongField("", "syntax", "The body is not a JSON object.")
	}
	command := room.Move{Name: given.Name}
	if given.ParentFolder != nil {
		command.Parent = &room.ItemID{}
		if string(given.ParentFolder) != "null" {
			if err := json.Unmarshal(given.ParentFolder, command.Parent); err != nil {
				return command, api.WrongField("/parentFolder", "format", "parentFolder must be the id of a folder, or null.")
			}
		}
	}
	if command.Name == nil && command.Parent == nil {
		return command, api.WrongField("", "required", "Send name, parentFolder or both.")
	}
	return command, nil
}

func (s documents) remove(ctx context.Context, c *api.Call) (api.Answer, error) {
	if err := mayDelete(c); err != nil {
		return api.Answer{}, err
	}
	found, err := readable(c)
	if err != nil {
		return api.Answer{}, err
	}
	reply, err := s.Decide(ctx, c, organization.Room{Command: room.Delete{ID: found.ID}}, found.ID)
	if err != nil {
		return api.Answer{}, err
	}
	if c.DryRun() {
		return s.Preview(c, reply), nil
	}
	return api.Answer{Status: http.StatusNoContent}, nil
}

func (s documents) restore(ctx context.Context, c *api.Call) (api.Answer, error) {
	tree, id := c.View.State.Documents(), api.PathID[room.Item](c, "document")
	found, ok := tree.Item(id)
	switch {
	case !c.Can(organization.DeleteDocuments):
		return api.Answer{}, api.Forbidden()
	case !ok || !tree.Access(found).Sees(viewer(c)):
		return api.Answer{}, api.NotFound()
	}
	return s.changed(ctx, c, room.Restore{ID: id}, id)
}

// version is the JSON form of a version of a document.
type version struct {
	VersionNumber int              `json:"versionNumber"`
	File          room.FileID      `json:"file"`
	SHA256        string           `json:"sha256"`
	Size          int64            `json:"size"`
	CreatedAt     captable.Instant `json:"createdAt"`
	CreatedBy     string           `json:"createdBy"`
}

func (s documents) versions(_ context.Context, c *api.Call) (api.Answer, error) {
	found, err := readable(c)
	if err != nil {
		return api.Answer{}, err
	}
	list := make([]version, 0, len(found.Versions))
	for i, each := range found.Versions {
		stored, _ := c.View.State.Documents().File(each.File)
		list = append(list, version{i + 1, each.File, stored.SHA256, stored.Size, each.CreatedAt, each.CreatedBy})
	}
	page, err := api.PageByKey(c, list, api.PlaceKey)
	if err != nil {
		return api.Answer{}, err
	}
	return c.ReadTagged(page, tag(c)), nil
}

// setAccess replaces the access of an item. Named members and roles must exist.
func (s documents) setAccess(ctx context.Context, c *api.Call) (api.Answer, error) {
	found, err := readable(c)
	if err != nil {
		return api.Answer{}, err
	}
	access, err := api.Decode[room.Access](c)
	if err != nil {
		return api.Answer{}, err
	}
	var faults fault.Fields
	for i, member := range access.Members {
		if known, ok := c.View.State.Member(member); !ok || known.Status == organization.StatusRemoved {
			faults.Add("/members/"+strconv.Itoa(i), "unknownReference", "The organization has no such member.")
		}
	}
	for i, role := range access.Roles {
		if !c.View.State.HasRole(role) {
			faults.Add("/roles/"+strconv.Itoa(i), "unknownReference", "The organization has no such role.")
		}
	}
	if err := faults.Err(); err != nil {
		return api.Answer{}, err
	}
	return s.changed(ctx, c, room.SetAccess{ID: found.ID, Access: access}, found.ID)
}
