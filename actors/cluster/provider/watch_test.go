package provider_test

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/url"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"equity/actors/cluster/provider"
	"equity/actors/system"
	"equity/messages"
	"equity/persistence/storetest"
)

const testLease = 500 * time.Millisecond

// open returns the service behind the address.
type open func(address string) (provider.Service, error)

// service is a service of the tests, with the variable of the address of a real server.
type service struct {
	variable string
	open     open
}

func etcd() service {
	return service{"TEST_ETCD_URL", func(address string) (provider.Service, error) { return provider.NewEtcd([]string{address}) }}
}

// each runs a test with each service.
func each(t *testing.T, run func(t *testing.T, address string, open open)) {
	t.Helper()
	for name, service := range services() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := os.Getenv(service.variable)
			if address == "" {
				t.Fatal(service.variable + " is not set: 'make test' and 'make providers' start the services")
			}
			run(t, address, service.open)
		})
	}
}

// member is a server with a Watch.
type member struct {
	node    messages.Node
	service provider.Service
	watch   *provider.Watch
}

// start registers a member.
func start(t *testing.T, address string, open open) member {
	t.Helper()
	m := member{node: messages.Node{ID: rand.Text(), Address: "10.0.0.1:7000"}}
	watched, err := open(address)
	if err != nil {
		t.Fatal(err)
	}
	if m.service, err = open(address); err != nil { // for the questions of the test
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	m.watch = provider.New(provider.Settings{
		Service: watched, Self: m.node, Lease: testLease, NewSystem: func() *actor.ActorSystem { return system.New(log) }, Now: time.Now, Log: log,
	})
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { m.watch.Run(ctx) })
	t.Cleanup(func() {
		stop()
		running.Wait()
	})
	return m
}

// behind returns a proxy before the service, and its address.
func behind(t *testing.T, address string) (*storetest.Proxy, string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	proxy := storetest.NewProxy(t, u.Host)
	u.Host = proxy.Address()
	return proxy, u.String()
}

// await fails the test if the condition is not true in time.
func await(t *testing.T, what string, condition func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !condition(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(what + " has not happened")
		}
	}
}

func (m member) registered(t *testing.T) bool {
	t.Helper()
	found, err := m.service.Registered(t.Context(), m.node.ID)
	return err == nil && found
}

// ended reports whether m regards the other one as ended. It asks about both, like a renewal.
func (m member) ended(other member) bool {
	return slices.Contains(m.watch.Ended([]messages.Node{m.node, other.node}), other.node.ID)
}

// lists waits until m has listed the other one: only then the end of its registration could be noticed.
func (m member) lists(t *testing.T, other member) {
	t.Helper()
	await(t, "registration", func() bool { return other.registered(t) })
	for end := time.Now().Add(time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if m.ended(other) {
			t.Error("a registered member counts as ended")
		}
	}
}

func TestEndOfARegistrationIsEvidenceForTwoLeases(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, address string, open open) {
		t.Helper()
		proxy, cut := behind(t, address)
		first, second := start(t, address, open), start(t, cut, open)
		first.lists(t, second)
		begin := time.Now()
		proxy.Refuse(true)
		await(t, "end", func() bool { return first.ended(second) })
		noticed := time.Now()
		t.Logf("the end was noticed after %s", noticed.Sub(begin))
		await(t, "end of the evidence", func() bool { return !first.ended(second) })
		if counted := time.Since(noticed); counted > 2*testLease+testLease/2 {
			t.Errorf("the evidence counted for %s", counted)
		}
	})
}

// returnWithin is the time in which a member renews its registration after an interruption, by the retries of the library and the service.
const returnWithin = 6 * time.Second

func TestMemberThatReturnsIsListedAgain(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, address string, open open) {
		t.Helper()
		proxy, cut := behind(t, address)
		first, second := start(t, address, open), start(t, cut, open)
		first.lists(t, second)
		for range 2 {
			proxy.Refuse(true)
			await(t, "end", func() bool { return first.ended(second) })
			proxy.Refuse(false)
			await(t, "end of the evidence", func() bool { return !first.ended(second) })
			time.Sleep(returnWithin)
			first.lists(t, second)
		}
	})
}

func TestMemberThatWasNeverListedHasNotEnded(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, address string, open open) {
		t.Helper()
		first, second := start(t, address, open), start(t, address, open)
		first.lists(t, second)
		starting := member{node: messages.Node{ID: rand.Text(), Address: second.node.Address}}
		if first.ended(starting) {
			t.Error("a member that was never listed counts as ended")
		}
	})
}

func TestOutageOfTheServiceIsNoEvidence(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, address string, open open) {
		t.Helper()
		proxy, cut := behind(t, address)
		first, second := start(t, cut, open), start(t, cut, open)
		first.lists(t, second)
		proxy.Refuse(true)
		for end := time.Now().Add(6 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			if first.ended(second) {
				t.Fatal("a member counts as ended while the service does not answer")
			}
		}
	})
}

func TestServiceThatStartsLaterIsUsed(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, address string, open open) {
		t.Helper()
		proxy, cut := behind(t, address)
		proxy.Refuse(true)
		one := start(t, cut, open)
		time.Sleep(time.Second)
		proxy.Refuse(false)
		await(t, "registration", func() bool { return one.registered(t) })
	})
}
