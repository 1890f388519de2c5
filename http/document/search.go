package document

import (
	"slices"

	"equity/http/api"
	room "equity/organization/document"
)

// mostFound is the number of items of a search.
const mostFound = 50

// search returns the readable items whose names contain all words of the query, with their paths.
func (s documents) search(c *api.Call) (api.Answer, error) {
	if c.Query("parentFolder") != "" || c.Query("deleted") == "true" {
		return api.Answer{}, api.WrongField("/query/search", "conflict", "search cannot be combined with parentFolder or deleted.")
	}
	tree := c.View.State.Documents()
	found := slices.DeleteFunc(tree.Search(c.Query("search"), viewer(c)), func(found *room.Item) bool { return !visible(c, found.ID) })
	found = found[:min(len(found), mostFound)]
	records := shown(tree, found)
	for i, each := range found {
		records[i].Path = readablePath(c, each)
	}
	return c.ReadTagged(records, tag(c)), nil
}

// readablePath returns the folders of the item whose lists the caller may read, from the root.
func readablePath(c *api.Call, found *room.Item) []pathFolder {
	tree, reader := c.View.State.Documents(), viewer(c)
	var path []pathFolder
	for _, folder := range tree.Path(found) {
		if tree.Access(folder).Sees(reader) && visible(c, folder.ID) {
			path = append(path, pathFolder{folder.ID, folder.Name})
		}
	}
	return path
}
