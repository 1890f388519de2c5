package mail_test

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"equity/actors"
	"equity/actors/consumer"
	"equity/actors/consumer/consumertest"
	"equity/actors/mail"
	"equity/actors/system"
	"equity/captable"
	"equity/captable/exact"
	"equity/messages"
	"equity/organization"
	"equity/persistence"
	"equity/persistence/storetest"
)

// informed is an organization with an Owner and a Manager, and the entries of which its Owners were informed.
type informed struct {
	*testing.T
	organizations  *actors.Organizations
	cursors        *persistence.Consumers
	id             organization.ID
	owner, manager organization.UserID
	class          captable.SecurityID
	offset         atomic.Int64
	mutex          sync.Mutex
	told           [][]mail.Entry
}

func (w *informed) now() time.Time { return time.Now().Add(time.Duration(w.offset.Load())) }

func (w *informed) EntriesRecorded(_ context.Context, _ *messages.View, _ string, entries []mail.Entry) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.told = append(w.told, entries)
	return nil
}

func (w *informed) mails() [][]mail.Entry {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.told
}

// do carries out the command as the user and returns its events.
func (w *informed) do(by organization.UserID, command organization.Command) []organization.Event {
	w.Helper()
	reply, err := w.organizations.Do(context.Background(), messages.Command{Organization: w.id, At: w.now(), By: by.String(), Body: command})
	if err != nil {
		w.Fatal(err)
	}
	return reply.Events
}

// issue issues a share to the entity as the user.
func (w *informed) issue(by, to organization.UserID) {
	w.Helper()
	w.do(by, organization.Table{Command: captable.IssueShareholding{
		HolderRef: captable.HolderRef{Entity: captable.EntityID(to)}, Security: w.class, Shares: exact.NewDecimal(1),
		IssueDate: exact.DateOf(w.now().UTC()),
	}})
}

// until waits until the Owners were informed so often.
func (w *informed) until(mails int) {
	w.Helper()
	for deadline := time.Now().Add(time.Minute); len(w.mails()) < mails; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.Fatalf("%d mails, want %d", len(w.mails()), mails)
		}
		w.organizations.Wake(w.id, "owners")
	}
}

// defers waits until the next mail is deferred. It wakes the consumer, because no clock does so here, and a round that saw an older view
// waits for a second.
func (w *informed) defers() {
	w.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) { // polls the round of the consumer
		_, alarm, err := w.cursors.Load(w.Context(), w.id, "owners")
		if err != nil || time.Now().After(deadline) {
			w.Fatalf("%+v %v", alarm, err)
		}
		if alarm.DueAt.After(w.now().Add(time.Minute)) {
			return
		}
		w.organizations.Wake(w.id, "owners")
	}
}

func newInformed(t *testing.T) *informed {
	t.Helper()
	w := &informed{T: t, id: consumertest.NewID(), owner: consumertest.NewID(), manager: consumertest.NewID()}
	store, log := consumertest.Open(t, storetest.SQLite(t)), slog.New(slog.DiscardHandler)
	w.cursors = store.Cursors
	w.organizations = actors.NewOrganizations(system.New(log), store.Journal, actors.Settings{
		Schema:         organization.NewSchema(),
		PassivateAfter: time.Hour, SnapshotEvery: 1000, RememberKeys: time.Hour, Patience: 10 * time.Second,
		Consumers: consumer.NewSet(organization.NewSchema(), store.Cursors, w.now, log, mail.NewOwnersConsumer(w, w.now)), Now: w.now,
		NewID: consumertest.NewID,
	}, log)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := w.organizations.Stop(ctx); err != nil {
			t.Error(err)
		}
	})
	w.do(w.owner, organization.Create{
		ID: w.id, Profile: organization.Profile{Name: "Acme", Currency: "USD"},
		Creator: organization.Founder{User: w.owner, Entity: captable.EntityID(w.owner), Name: "Fay"},
	})
	w.do(w.owner, organization.AddMember{
		MemberTerms: organization.MemberTerms{FullName: "Max", Roles: []string{organization.RoleManager}}, Entity: captable.EntityID(w.manager),
	})
	w.do(w.manager, organization.ClaimMember{Entity: captable.EntityID(w.manager), User: w.manager})
	class, _ := w.do(w.owner, organization.Table{Command: captable.CreateSecurity{SecurityTerms: captable.SecurityTerms{
		Name: "Common", ShareType: captable.ShareCommon, AuthorizedShares: captable.Authorized{Unlimited: true},
	}}})[0].(organization.TableEvent).Event.(captable.SecurityCreated)
	w.class = class.ID
	return w
}

func TestOwnersAreInformedOfGainsOnceInAWhile(t *testing.T) {
	t.Parallel()
	w := newInformed(t)
	w.issue(w.owner, w.manager) // the author does not gain
	w.issue(w.manager, w.manager)
	w.until(1)
	for range 3 {
		w.issue(w.manager, w.manager)
	}
	w.defers()
	w.offset.Add(int64(14 * time.Minute))
	w.organizations.Wake(w.id, "owners")
	w.offset.Add(int64(2 * time.Minute))
	w.until(2)
	told := w.mails()
	if len(told) != 2 || len(told[0]) != 1 || len(told[1]) != 3 || told[0][0].Author != w.manager {
		t.Errorf("%+v", told)
	}
}

func TestOwnersAreInformedOfChangedAddresses(t *testing.T) {
	t.Parallel()
	w := newInformed(t)
	view, err := w.organizations.View(t.Context(), w.id)
	if err != nil {
		t.Fatal(err)
	}
	added, _ := w.do(w.owner, organization.AddMember{MemberTerms: organization.MemberTerms{FullName: "Grace"}})[0].(organization.MemberAdded)
	w.issue(w.owner, organization.UserID(added.Member.Entity))
	w.do(w.owner, organization.AmendMember{ID: added.Member.ID, Patch: []byte(`{}`), Address: organization.Readdressing{Changes: true}})
	w.until(1)
	if told := w.mails(); !told[0][0].Address || told[0][0].Sequence <= view.Sequence {
		t.Errorf("%+v", told)
	}
}
