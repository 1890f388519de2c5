package cluster

import (
	"hash/fnv"
	"slices"

	"equity/messages"
	"equity/organization"
)

// order is the rendezvous order of servers for each organization. It is immutable.
type order struct{ servers []candidate }

// candidate is a server with the hash of its address.
type candidate struct {
	node messages.Node
	hash uint64
}

func newOrder(self messages.Node, others []messages.Node) *order {
	o := &order{servers: []candidate{{self, hashOf([]byte(self.Address))}}}
	for _, other := range others {
		o.servers = append(o.servers, candidate{other, hashOf([]byte(other.Address))})
	}
	return o
}

// equals reports whether both contain the same servers in the same order.
func (o *order) equals(other *order) bool {
	return slices.EqualFunc(o.servers, other.servers, func(a, b candidate) bool { return a.node.ID == b.node.ID })
}

// first returns the server with the highest weight for the organization that is not avoided. The first of the list, this server, never is; if it
// is leaving, it is the last in the order.
func (o *order) first(id organization.ID, avoided func(id string) bool, leaving bool) messages.Node {
	best, highest := 0, uint64(0)
	key := hashOf(id[:])
	for i := range o.servers {
		if i == 0 && leaving {
			continue
		}
		if i > 0 && avoided != nil && avoided(o.servers[i].node.ID) {
			continue
		}
		if weight := mix(o.servers[i].hash ^ key); i == 0 || weight > highest {
			best, highest = i, weight
		}
	}
	return o.servers[best].node
}

// First returns the address that is asked first for the organization among the addresses of servers; empty without addresses.
func First(addresses []string, id organization.ID) string {
	if len(addresses) == 0 {
		return ""
	}
	others := make([]messages.Node, len(addresses)-1)
	for i, address := range addresses[1:] {
		others[i] = messages.Node{Address: address}
	}
	return newOrder(messages.Node{Address: addresses[0]}, others).first(id, nil, false).Address
}

func hashOf(content []byte) uint64 {
	hash := fnv.New64a()
	_, _ = hash.Write(content) // never fails
	return mix(hash.Sum64())
}

// mix is the finalizer of SplitMix64, which spreads similar inputs.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
