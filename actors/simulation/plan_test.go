package simulation_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"
)

// plan are the parameters of a schedule. They follow from the seed, unless a smaller schedule replaces some of them.
type plan struct {
	Seed          uint64
	Servers       int
	Clients       int
	Operations    int // of each client
	Organizations int
	Steps         int // with faults
	Failures      int // percent of the accesses that fail
	Losses        int // percent of the messages between clients and nodes that are lost or repeated
	Outages       bool
	Pauses        bool
	Crashes       bool
	Consumers     bool
	Replays       bool // users repeat the effects of the ledger, and request work of it
	Leases        bool // one server of its own at a time
	Cluster       bool // all nodes serve all organizations
	Forward       bool // nodes of a cluster forward changes
	Skew          time.Duration
	LongestWait   time.Duration // the longest time that passes in a step
	Passivate     time.Duration
	Patience      time.Duration
	StaleReads    time.Duration
	SnapshotEvery uint64
}

// planOf draws a plan.
func planOf(seed uint64) plan {
	r := rand.New(rand.NewPCG(seed, 1))
	p := plan{
		Seed: seed, Servers: 1 + r.IntN(3), Clients: 1 + r.IntN(5), Operations: 3 + r.IntN(10), Organizations: 1 + r.IntN(2), Steps: 400,
		Failures: []int{0, 2, 10, 30}[r.IntN(4)], Losses: []int{0, 5, 20}[r.IntN(3)],
		Outages: r.IntN(3) == 0, Pauses: r.IntN(2) == 0, Crashes: r.IntN(2) == 0, Consumers: r.IntN(3) > 0, Leases: r.IntN(2) == 0,
		Skew:        []time.Duration{0, 20 * time.Millisecond, 20 * time.Second}[r.IntN(3)],
		LongestWait: []time.Duration{10 * time.Millisecond, time.Second, time.Minute}[r.IntN(3)],
		Passivate:   []time.Duration{300 * time.Millisecond, 20 * time.Second, 10 * time.Minute}[r.IntN(3)],
		Patience:    []time.Duration{time.Second, 10 * time.Second}[r.IntN(2)],
		StaleReads:  []time.Duration{0, 5 * time.Second, 5 * time.Minute}[r.IntN(3)], SnapshotEvery: []uint64{4, 15, 1000}[r.IntN(3)],
	}
	if r.IntN(2) == 0 {
		p.Cluster, p.Leases, p.Servers = true, false, max(p.Servers, 2)
	}
	p.Forward = p.Cluster && r.IntN(3) > 0
	p.Replays = p.Consumers && r.IntN(2) == 0
	return p
}

// String returns the plan in the form that [parsePlan] reads.
func (p plan) String() string {
	v := reflect.ValueOf(p)
	var fields []string
	for i := range v.NumField() {
		fields = append(fields, fmt.Sprintf("%s=%v", v.Type().Field(i).Name, v.Field(i).Interface()))
	}
	return strings.Join(fields, ",")
}

// parsePlan reads the parameters of a plan, in place of those of its seed.
func parsePlan(text string) (plan, error) {
	var seed uint64
	if _, err := fmt.Sscanf(text, "Seed=%d", &seed); err != nil {
		return plan{}, fmt.Errorf("a plan begins with its seed: %w", err)
	}
	p := planOf(seed)
	v := reflect.ValueOf(&p).Elem()
	for setting := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(setting, "=")
		field := v.FieldByName(name)
		if !field.IsValid() {
			return plan{}, fmt.Errorf("unknown parameter %q", name)
		}
		if field.Type() == reflect.TypeFor[time.Duration]() {
			d, err := time.ParseDuration(value)
			if err != nil {
				return plan{}, fmt.Errorf("%s: %w", name, err)
			}
			field.SetInt(int64(d))
			continue
		}
		if _, err := fmt.Sscan(value, field.Addr().Interface()); err != nil {
			return plan{}, fmt.Errorf("%s: %w", name, err)
		}
	}
	return p, nil
}

// ownership returns the membership of a node.
func (p plan) ownership(n *node) ownership {
	switch {
	case p.Cluster:
		return newMembership(n)
	case p.Leases:
		return &leased{node: n}
	default:
		return everybody{n}
	}
}

// isSupported reports whether all claims hold. Other plans run several servers on one database without a cluster, which is not supported,
// but must not damage a journal.
func (p plan) isSupported() bool { return p.Leases || p.Cluster || p.Servers == 1 }

// seesAll reports whether each answer contains what any node has shown before.
func (p plan) seesAll() bool { return p.Leases || p.Cluster }

// smaller returns simpler plans, the simplest first.
func (p plan) smaller() []plan {
	var found []plan
	add := func(change func(*plan)) {
		next := p
		if change(&next); next != p {
			found = append(found, next)
		}
	}
	add(func(n *plan) { n.Consumers, n.Replays = false, false })
	add(func(n *plan) { n.Replays = false })
	add(func(n *plan) { n.Crashes = false })
	add(func(n *plan) { n.Pauses = false })
	add(func(n *plan) { n.Outages = false })
	add(func(n *plan) { n.Forward = false })
	add(func(n *plan) { n.Leases = false })
	add(func(n *plan) { n.Skew = 0 })
	add(func(n *plan) { n.Failures = 0 })
	add(func(n *plan) { n.Losses = 0 })
	add(func(n *plan) { n.Servers = 1 })
	add(func(n *plan) { n.Servers = max(n.Servers-1, 1) })
	add(func(n *plan) { n.Organizations = 1 })
	add(func(n *plan) { n.Clients = 1 })
	add(func(n *plan) { n.Clients = max(n.Clients-1, 1) })
	add(func(n *plan) { n.Operations = max(n.Operations/2, 1) })
	add(func(n *plan) { n.Operations = max(n.Operations-1, 1) })
	add(func(n *plan) { n.Steps /= 2 })
	add(func(n *plan) { n.Steps = n.Steps * 9 / 10 })
	return found
}
