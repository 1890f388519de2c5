package document

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Search returns the live items of all folders whose names contain all words of the text and that the viewer may read, folders first,
// then in the order of their names. Case and accents are ignored. A text without words finds no items.
func (t *Tree) Search(text string, viewer Viewer) []*Item {
	words := strings.Fields(searchable(fold(text)))
	if len(words) == 0 {
		return nil
	}
	return t.everywhere(viewer, func(name string) bool {
		name = searchable(name)
		return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(name, word) })
	})
}

// Everywhere returns the live items of all folders that the viewer may read, folders first, then in the order of their names.
func (t *Tree) Everywhere(viewer Viewer) []*Item {
	return t.everywhere(viewer, func(string) bool { return true })
}

// everywhere returns the items of Everywhere whose compared names are accepted.
func (t *Tree) everywhere(viewer Viewer, accept func(name string) bool) []*Item {
	var found []place
	t.names.Ascend(place{}, func(at place) bool {
		if accept(at.name) {
			found = append(found, at)
		}
		return true
	})
	slices.SortFunc(found, func(a, b place) int { return cmp.Or(cmp.Compare(a.name, b.name), slices.Compare(a.id[:], b.id[:])) })
	var folders, documents []*Item
	for _, at := range found {
		item, ok := t.items.Get(at.id)
		switch {
		case !ok || !t.Access(item).Sees(viewer):
		case item.Type == Folder:
			folders = append(folders, item)
		default:
			documents = append(documents, item)
		}
	}
	return append(folders, documents...)
}

// searchable returns a compared name without accents.
func searchable(name string) string {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return strings.Map(func(c rune) rune {
				if unicode.Is(unicode.Mn, c) {
					return -1
				}
				return c
			}, norm.NFD.String(name))
		}
	}
	return name
}
