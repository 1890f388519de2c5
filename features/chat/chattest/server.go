// Package chattest contains the chat server of the tests, and a proxy with faults in front of it.
package chattest

import (
	"context"
	"crypto/rand"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/mattermost/mattermost/server/public/model"
)

// Server is the chat server of the tests, which all tests share.
type Server struct {
	URL, Token string
	// Admin is a client of its administrator.
	Admin *model.Client4
}

// MembersPerTeam is the largest number of members of a team, including the administrator.
const MembersPerTeam = 12

// startTime bounds the wait for the server. Its first build takes minutes.
const startTime = 20 * time.Minute

// Open returns the chat server of TEST_CHAT_URL and TEST_CHAT_ADMIN_TOKEN. It waits for its start.
func Open(tb testing.TB) *Server {
	tb.Helper()
	s := &Server{URL: os.Getenv("TEST_CHAT_URL"), Token: os.Getenv("TEST_CHAT_ADMIN_TOKEN")}
	if s.URL == "" || s.Token == "" {
		tb.Fatal("TEST_CHAT_URL or TEST_CHAT_ADMIN_TOKEN is not set: run the tests with .ci/with-services, which builds a chat server")
	}
	s.Admin = model.NewAPIv4Client(s.URL)
	s.Admin.SetToken(s.Token)
	deadline := time.Now().Add(startTime)
	for {
		_, _, err := s.Admin.GetMe(context.Background(), "")
		if err == nil {
			return s
		}
		if reason, missing := os.ReadFile(os.Getenv("TEST_CHAT_FAILURE")); missing == nil {
			tb.Fatal(strings.TrimSpace(string(reason)))
		}
		if time.Now().After(deadline) {
			tb.Fatalf("the chat server did not start within %s: %v", startTime, err)
		}
		select { // polls another process
		case <-tb.Context().Done():
			tb.Fatal("the test ended")
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// Email returns a new address.
func Email() string { return strings.ToLower(rand.Text()) + "@example.com" }

// User creates an account at the chat server with the address.
func (s *Server) User(tb testing.TB, email string) *model.User {
	tb.Helper()
	user, _, err := s.Admin.CreateUser(tb.Context(), &model.User{
		Username: "u" + strings.ToLower(rand.Text()), Email: email, Password: "Test-user-1234",
	})
	if err != nil {
		tb.Fatal(err)
	}
	return user
}

// As returns a client with the token.
func (s *Server) As(token string) *model.Client4 {
	client := model.NewAPIv4Client(s.URL)
	client.SetToken(token)
	return client
}

// Accepts reports whether the server accepts the token.
func (s *Server) Accepts(tb testing.TB, token string) bool {
	tb.Helper()
	_, answer, err := s.As(token).GetMe(tb.Context(), "")
	if err != nil && (answer == nil || answer.StatusCode != http.StatusUnauthorized) {
		tb.Fatal(err)
	}
	return err == nil
}

// Members returns the accounts in the team.
func (s *Server) Members(tb testing.TB, team string) map[string]bool {
	tb.Helper()
	found, _, err := s.Admin.GetTeamMembers(tb.Context(), team, 0, 200, "")
	if err != nil {
		tb.Fatal(err)
	}
	all := map[string]bool{}
	for _, member := range found {
		all[member.UserId] = member.DeleteAt == 0
	}
	return all
}

// Posts returns the texts of the posts in the channel of the team, the oldest first.
func (s *Server) Posts(tb testing.TB, team, channel string) (texts []string) {
	tb.Helper()
	found, _, err := s.Admin.GetChannelByName(tb.Context(), channel, team, "")
	if err != nil {
		tb.Fatal(err)
	}
	posts, _, err := s.Admin.GetPostsForChannel(tb.Context(), found.Id, 0, 200, "", false, false)
	if err != nil {
		tb.Fatal(err)
	}
	for _, id := range posts.Order {
		if post := posts.Posts[id]; post.Type == "" {
			texts = append([]string{post.Message}, texts...)
		}
	}
	return texts
}
