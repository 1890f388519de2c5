package persistence

import (
	"context"
	"time"
)

// releaseBatch is the number of alarms that one statement releases.
const releaseBatch = 1000

// releaseAlarms makes the alarms of consumers due that an ended node may have claimed. It runs beside the renewals, because there may be many
// alarms; Close waits for it. A claimed alarm of another node is only repeated. The leases end by themselves if it fails.
func (n *Nodes) releaseAlarms() {
	if n.releasing.Swap(true) {
		return // the leases of the removed node are found by the next batch, or end by themselves
	}
	n.work.Go(func() {
		defer n.releasing.Store(false)
		ctx, cancel := context.WithTimeout(n.ctx, releaseWithin)
		defer cancel()
		for {
			number, err := n.releaseSome(ctx)
			if err != nil || number < releaseBatch {
				return
			}
		}
	})
}

// releaseWithin is shorter than the leases of alarms.
const releaseWithin = time.Minute

// releaseSome releases at most releaseBatch alarms and returns their number. It skips alarms that a transaction changes: waiting for it while
// others wait for the batch could be a deadlock.
func (n *Nodes) releaseSome(ctx context.Context) (int64, error) {
	limited, cancel := context.WithTimeout(ctx, n.limit)
	defer cancel()
	tag, err := n.pool.Exec(limited, `UPDATE alarm SET leased_until = 0 FROM (SELECT organization, consumer FROM alarm
		WHERE leased_until > 0 AND leased_until > `+nodeClock+` LIMIT $1 FOR UPDATE SKIP LOCKED) claimed
		WHERE alarm.organization = claimed.organization AND alarm.consumer = claimed.consumer`, releaseBatch)
	return tag.RowsAffected(), err
}
