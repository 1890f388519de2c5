package equity

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"equity/captable"
	"equity/http/api"
	"equity/organization"
)

// maxAuthors bounds the ids of one request.
const maxAuthors = 100

// The kinds of authors.
const (
	authorMember = "member"
	authorFormer = "former"
	authorSystem = "system"
)

// systemPrefix begins the ids of authors that are parts of the server.
const systemPrefix = "system:"

// author is the JSON form of an author of entries.
type author struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// listAuthors returns the present names of the authors with the given ids, in their order. It omits ids of which the caller may read no
// entry.
func (s journals) listAuthors(_ context.Context, c *api.Call) (api.Answer, error) {
	ids := strings.Split(c.Query("ids"), ",")
	if len(ids) > maxAuthors {
		return api.Answer{}, api.WrongField("/query/ids", "tooMany", fmt.Sprintf("At most %d ids are allowed.", maxAuthors))
	}
	return s.RenderRecord(c, func() (any, error) {
		people := peopleOf(c.View.State, ids)
		found := make([]author, 0, len(ids))
		for i, id := range ids {
			if slices.Contains(ids[:i], id) {
				continue
			}
			if one, ok := authorWith(id, people); ok && knows(c, one) {
				found = append(found, one)
			}
		}
		return api.Page[author]{Data: found}, nil
	})
}

// peopleOf returns the present or last member of each account. A person who left and returned has one record.
func peopleOf(state *organization.State, ids []string) map[string]*organization.Member {
	people := make(map[string]*organization.Member, len(ids))
	missing := map[organization.UserID]bool{}
	for _, id := range ids {
		user, err := captable.ParseID[organization.User](id)
		if err != nil || user.IsZero() {
			continue
		}
		if member, ok := state.MemberBy(user); ok {
			people[id] = member
			continue
		}
		missing[user] = true
	}
	if len(missing) == 0 {
		return people
	}
	for member := range state.Members() {
		if missing[member.User] {
			people[member.User.String()] = member
		}
	}
	return people
}

func authorWith(id string, people map[string]*organization.Member) (author, bool) {
	if name, ok := strings.CutPrefix(id, systemPrefix); ok {
		return author{ID: id, Name: name, Kind: authorSystem}, true
	}
	member, ok := people[id]
	if !ok {
		return author{}, false
	}
	kind := authorMember
	if member.Status == organization.StatusRemoved {
		kind = authorFormer
	}
	return author{ID: id, Name: member.FullName, Kind: kind}, true
}

// knows reports whether the caller may know the name of the author: parts of the server, the caller, and authors of entries in the list of
// the journal. Each account of a member is an author, at least of its own joining.
func knows(c *api.Call, one author) bool {
	return one.Kind == authorSystem || one.ID == c.Caller.User.String() || c.Can(organization.ViewCapTable)
}
