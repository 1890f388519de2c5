package chat_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"equity/actors"
	"equity/actors/consumer"
	"equity/actors/system"
	"equity/features/chat"
	"equity/features/chat/chattest"
	"equity/features/chat/team"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// world is a server with organizations and a chat server behind a proxy.
type world struct {
	*testing.T
	chat          *chattest.Server
	proxy         *chattest.Proxy
	log           *logged
	db            *persistence.Database
	users         *persistence.Users
	accounts      *chat.Accounts
	consumers     *persistence.Consumers
	organizations *actors.Organizations
	provisioner   *chat.Provisioner
	offset        atomic.Int64 // of the clock
	id            organization.ID
	owner         messages.User
}

// logged is a log with concurrent writes.
type logged struct {
	mutex sync.Mutex
	text  bytes.Buffer
}

func (l *logged) Write(text []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.Write(text)
}

func (l *logged) String() string {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.text.String()
}

func (w *world) now() time.Time { return time.Now().Add(time.Duration(w.offset.Load())) }

// pass moves the clock.
func (w *world) pass(d time.Duration) { w.offset.Add(int64(d)) }

// schema returns the schema of a program with the room.
func schema() *organization.Schema { return organization.NewSchema(team.Extension()) }

// Do executes a command, for the provisioner.
func (w *world) Do(ctx context.Context, command messages.Command) (messages.Reply, error) {
	return w.organizations.Do(ctx, command)
}

// View returns the present state, for the provisioner.
func (w *world) View(ctx context.Context, id organization.ID) (*messages.View, error) {
	return w.organizations.View(ctx, id)
}

func newID() [16]byte { return uuid.Must(uuid.NewV7()) }

// setup starts a server on SQLite with one organization.
func setup(t *testing.T) *world {
	t.Helper()
	db := storetest.Open(t, storetest.SQLite(t))
	server := chattest.Open(t)
	w := &world{
		T: t, chat: server, proxy: server.NewProxy(t), log: &logged{}, db: db, users: persistence.NewUsers(db, chat.Room().Departure),
		accounts: chat.NewAccounts(db), consumers: persistence.NewConsumers(db),
	}
	log := slog.New(slog.NewTextHandler(w.log, nil))
	if _, err := persistence.OpenSecrets(t.Context(), db, bytes.Repeat([]byte("s"), 32), w.now); err != nil {
		t.Fatal(err)
	}
	journal := storetest.OpenJournal(t, db)
	provisioner, err := chat.NewProvisioner(chat.Options{
		URL: w.proxy.URL, Token: server.Token, MaxTokenAge: 24 * time.Hour, Accounts: w.accounts, Teams: chat.NewTeams(db),
		Users: w.users, Memberships: journal, Organizations: w,
		Breakers: consumer.NewBreakers(w.now), Log: log, Now: w.now, Random: rand.Reader,
	})
	if err != nil {
		t.Fatal(err)
	}
	w.provisioner = provisioner
	set := consumer.NewSet(schema(), w.consumers, w.now, log, chat.NewConsumer(provisioner))
	w.organizations = actors.NewOrganizations(system.New(log), journal, actors.Settings{
		Schema:         schema(),
		PassivateAfter: time.Hour, SnapshotEvery: 1000, RememberKeys: time.Hour, Patience: 30 * time.Second, Consumers: set,
		Now: w.now, NewID: newID,
	}, log)
	clock := consumer.NewClock(t.Context(), w.consumers, w.organizations.Wake, w.now, log)
	departures := chat.NewDepartures(t.Context(), provisioner)
	t.Cleanup(func() {
		departures.Stop()
		clock.Stop()
		if err := w.organizations.Stop(context.Background()); err != nil {
			t.Errorf("stop: %v", err)
		}
	})
	w.owner = w.person("Fay", "Owner")
	w.id = w.found(w.owner)
	return w
}

// person creates a user with a verified address.
func (w *world) person(first, last string) messages.User {
	w.Helper()
	user := messages.User{
		ID: newID(), Entity: newID(), Email: chattest.Email(), Username: "someone", FirstName: first, LastName: last,
		EmailVerifiedAt: w.now(), CreatedAt: w.now(),
	}
	w.create(user)
	return user
}

func (w *world) create(user messages.User) {
	w.Helper()
	if err := w.users.Create(w.Context(), user); err != nil {
		w.Fatal(err)
	}
}

// found creates an organization.
func (w *world) found(owner messages.User) organization.ID {
	w.Helper()
	id := organization.ID(newID())
	w.doIn(id, organization.Create{
		ID: id, Profile: organization.Profile{Name: "Acme", Currency: "USD"},
		Creator: organization.Founder{User: owner.ID, Entity: owner.Entity, Name: owner.FullName()},
	})
	return id
}

func (w *world) do(body organization.Command) {
	w.Helper()
	w.doIn(w.id, body)
}

func (w *world) doIn(id organization.ID, body organization.Command) {
	w.Helper()
	_, err := w.organizations.Do(context.Background(), messages.Command{Organization: id, By: w.owner.ID.String(), At: w.now(), Body: body})
	if err != nil {
		w.Fatalf("%T: %v", body, err)
	}
}

func (w *world) view() *messages.View {
	w.Helper()
	view, err := w.organizations.View(context.Background(), w.id)
	if err != nil {
		w.Fatal(err)
	}
	return view
}

// join makes the user a member of the organization.
func (w *world) join(user messages.User, roles ...string) organization.MemberID {
	w.Helper()
	entity := user.Entity
	w.do(organization.AddMember{Entity: entity, MemberTerms: organization.MemberTerms{FullName: user.FullName(), Roles: roles}})
	w.do(organization.ClaimMember{Entity: entity, User: user.ID})
	member, _ := w.view().State.MemberOf(entity)
	return member.ID
}

// open opens the chat and requires a success.
func (w *world) open(user messages.User) chat.Session {
	w.Helper()
	session, err := w.provisioner.Open(w.Context(), w.view(), user.ID)
	if err != nil {
		w.Fatalf("%v\n%s", err, w.log)
	}
	return session
}

// team returns the team of the organization.
func (w *world) team() string { return team.Of(w.view().State).ID }

// until waits for an outcome that the program reaches by itself.
func (w *world) until(claim string, reached func() bool) {
	w.Helper()
	for deadline := time.Now().Add(time.Minute); !reached(); {
		if time.Now().After(deadline) {
			status, err := w.consumers.Status(context.Background(), w.id)
			w.Fatalf("not reached: %s; %+v, %v\n%s", claim, status, err, w.log)
		}
		select { // polls other goroutines, which have no event to wait for
		case <-w.Context().Done():
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// down makes the chat server unreachable.
func (w *world) down() { w.proxy.Break(http.HandlerFunc(chattest.Down)) }
