package chat_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/mattermost/mattermost/server/public/model"

	"equity/actors"
	"equity/actors/consumer"
	"equity/actors/consumer/consumertest"
	"equity/actors/system"
	"equity/features/chat"
	"equity/features/chat/chattest"
	"equity/features/chat/team"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// front returns the address of a server that passes requests to the chat server, and posts to the service first. The key of a post is
// the id of its event.
func front(t *testing.T, server *chattest.Server, service *consumertest.Service) string {
	t.Helper()
	to, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	forward := httputil.NewSingleHostReverseProxy(to)
	forward.ErrorLog = log.New(io.Discard, "", 0)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/posts") {
			forward.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body)
		var post model.Post
		if err = errors.Join(err, json.Unmarshal(body, &post)); err != nil {
			t.Error(err)
		}
		defer func() {
			if recover() != nil { // the answer is lost after the effect
				panic(http.ErrAbortHandler)
			}
		}()
		_, key, _ := strings.Cut(post.PendingPostId, ":")
		switch err := service.Call(r.Context(), key); {
		case errors.Is(err, consumertest.ErrPoison):
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"id":"api.post.create_post.app_error","message":"refused","status_code":400}`)
		case err != nil:
			w.WriteHeader(http.StatusInternalServerError)
		default:
			r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			forward.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(func() {
		front.CloseClientConnections()
		front.Close()
	})
	return front.URL
}

// conforming returns the consumer of posts. Its team exists already.
func conforming(server *chattest.Server) consumertest.Subject {
	return consumertest.Subject{
		Schema: schema(), System: system.New,
		New: func(
			t *testing.T, store consumertest.Store, service *consumertest.Service, now func() time.Time,
			organizations func() *actors.Organizations,
		) consumer.Consumer {
			t.Helper()
			db := store.Database
			provisioner, err := chat.NewProvisioner(chat.Options{
				URL: front(t, server, service), Token: server.Token, MaxTokenAge: time.Hour, Accounts: chat.NewAccounts(db),
				Teams: chat.NewTeams(db), Users: persistence.NewUsers(db), Memberships: storetest.OpenJournal(t, db),
				Organizations: consumertest.Late{Of: organizations},
				Breakers:      consumer.NewBreakers(now), Log: slog.New(slog.DiscardHandler), Now: now, Random: rand.Reader,
			})
			if err != nil {
				t.Fatal(err)
			}
			return chat.NewConsumer(provisioner)
		},
		Prepare: func(t *testing.T, _ *consumertest.Service) ([]messages.Command, string) {
			t.Helper()
			name := "t" + strings.ToLower(rand.Text())
			made, _, err := server.Admin.CreateTeam(context.Background(), &model.Team{Name: name, DisplayName: name, Type: model.TeamInvite})
			if err != nil {
				t.Fatal(err)
			}
			return []messages.Command{
				{Body: team.Link{Team: team.Team{ID: made.Id, Name: name}}},
				{Body: organization.Amend{Patch: []byte(`{"chatPosts":["roleCreated"]}`)}},
			}, "chat"
		},
		Cause: func(number int) messages.Command {
			return messages.Command{Body: organization.CreateRole{RoleTerms: organization.RoleTerms{
				Name: "Role " + strings.Repeat("I", number), Permissions: organization.NewPermissions(organization.ViewSelf),
			}}}
		},
		Epoch: func(*organization.State) uint64 { return 0 },
	}
}

func TestChatIsAConformingConsumer(t *testing.T) {
	t.Parallel()
	server := chattest.Open(t)
	consumertest.Engines(t, func(t *testing.T, open func(t *testing.T) consumertest.Store) {
		t.Helper()
		consumertest.Conformance(t, open, conforming(server))
	})
}
