package actors

import (
	"time"

	"equity/messages"
)

// keys are the idempotency keys that an organization remembers.
type keys struct {
	seen map[string]keyUse
	// recent are the last replies by key, so that the usual retry, moments after the
	// first request, costs nothing.
	recent map[string]*messages.Reply
	order  []string
}

// keyUse is what a key was used for: the events from first to last.
type keyUse struct {
	fingerprint string
	first, last uint64
	at          time.Time
}

// mostRecent bounds the replies that are kept.
const mostRecent = 256

func newKeys() *keys { return &keys{seen: map[string]keyUse{}, recent: map[string]*messages.Reply{}} }

func (k *keys) add(key, fingerprint string, sequence uint64, at time.Time) {
	use, known := k.seen[key]
	if !known || sequence != use.last+1 { // the events of one command follow each other
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

// alwaysRemembered is the number of last rows whose keys are kept however old they are.
const alwaysRemembered = 1000

// forget drops the keys that were used before the moment, except those of the last rows.
func (k *keys) forget(before time.Time, last uint64) {
	for key, use := range k.seen {
		if use.at.Before(before) && use.last+alwaysRemembered <= last {
			delete(k.seen, key)
			delete(k.recent, key)
		}
	}
}
