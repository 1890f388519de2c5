package actors

import (
	"time"

	"equity/messages"
)

// keys are the remembered idempotency keys of an organization.
type keys struct {
	seen map[string]keyUse
	// recent contains the last replies by key, so that a retry shortly after the
	// first request needs no read.
	recent map[string]*messages.Reply
	order  []string
}

// keyUse is the range of events that were recorded with a key.
type keyUse struct {
	fingerprint string
	first, last uint64
	at          time.Time
}

// mostRecent bounds the cached replies.
const mostRecent = 256

func newKeys() *keys { return &keys{seen: map[string]keyUse{}, recent: map[string]*messages.Reply{}} }

func (k *keys) add(key, fingerprint string, sequence uint64, at time.Time) {
	use, known := k.seen[key]
	if !known || sequence != use.last+1 { // the events of one command are consecutive
		use = keyUse{fingerprint: fingerprint, first: sequence, at: at}
	}
	use.last = sequence
	k.seen[key] = use
}

func (k *keys) remember(key string, reply *messages.Reply) {
	if len(k.order) == mostRecent {
		delete(k.recent, k.order[0])
		k.order = k.order[1:]
	}
	k.recent[key] = reply
	k.order = append(k.order, key)
}

// alwaysRemembered is the number of last rows with keys that never expire.
const alwaysRemembered = 1000

// forget removes the keys used before the given time, except those of the last rows.
func (k *keys) forget(before time.Time, last uint64) {
	for key, use := range k.seen {
		if use.at.Before(before) && use.last+alwaysRemembered <= last {
			delete(k.seen, key)
			delete(k.recent, key)
		}
	}
}
