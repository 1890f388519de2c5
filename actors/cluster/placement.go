package cluster

import (
	"hash/fnv"
	"slices"

	"equity/messages"
	"equity/organization"
)

// placement assigns organizations to the members of one epoch. It is immutable.
type placement struct {
	epoch uint64
	// complete reports that all members obey the epoch.
	complete bool
	// eligible are the members that own organizations. former are those of the epochs since the last complete one, including it: a member
	// owns without waiting what it has owned in all of them.
	eligible []candidate
	former   [][]candidate
	// others are the other members of the list, also those without organizations.
	others []messages.Node
}

// candidate is a member with the hash of its address.
type candidate struct {
	node messages.Node
	hash uint64
}

// next returns the placement of a list that was read after p; nil stands for no former one.
func (p *placement) next(list messages.Nodes, self string) *placement {
	n := &placement{epoch: list.Epoch, complete: true, eligible: eligible(list)}
	for _, node := range list.List {
		n.complete = n.complete && node.Epoch >= list.Epoch
		if node.ID != self {
			n.others = append(n.others, node)
		}
	}
	switch {
	case n.complete:
	case p == nil: // no organization was owned before
		n.former = [][]candidate{nil}
	case p.epoch == n.epoch:
		n.former = p.former
	case p.complete:
		n.former = [][]candidate{p.eligible}
	default:
		n.former = append(slices.Clip(p.former), p.eligible)
	}
	return n
}

// eligible returns the members that own organizations: those that do not leave, or all of them if all leave.
func eligible(list messages.Nodes) (found []candidate) {
	for _, staying := range []bool{true, false} {
		for _, node := range list.List {
			if !staying || !node.Leaving {
				found = append(found, candidate{node, hashOf([]byte(node.Address))})
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// owner returns the owner of the organization among the candidates; false without candidates.
func owner(among []candidate, id organization.ID) (messages.Node, bool) {
	var best *candidate
	var highest uint64
	key := hashOf(id[:])
	for i := range among {
		if weight := mix(among[i].hash ^ key); best == nil || weight > highest {
			best, highest = &among[i], weight
		}
	}
	if best == nil {
		return messages.Node{}, false
	}
	return best.node, true
}

// Owner returns the address of the owner of an organization among the addresses of members; empty without addresses.
func Owner(addresses []string, id organization.ID) string {
	among := make([]candidate, len(addresses))
	for i, address := range addresses {
		among[i] = candidate{messages.Node{Address: address}, hashOf([]byte(address))}
	}
	node, _ := owner(among, id)
	return node.Address
}

// standing reports whether the member is the owner, and whether it has been the owner without interruption and may serve.
func (p *placement) standing(id organization.ID, self string) (mine, owned bool) {
	if p == nil {
		return false, false
	}
	now, ok := owner(p.eligible, id)
	if !ok || now.ID != self {
		return false, false
	}
	for _, earlier := range p.former {
		if before, ok := owner(earlier, id); !ok || before.ID != self {
			return true, false
		}
	}
	return true, true
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
