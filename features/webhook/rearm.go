package webhook

import (
	"context"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// rearming arms the webhooks with overdue attempts that have no alarm. Such webhooks exist only after a failure of a server or of its clock.
type rearming struct {
	store  *Store
	log    *slog.Logger
	number prometheus.Counter // of the deliveries since the start
}

func (r *rearming) run(ctx context.Context, now time.Time) {
	number, err := r.store.Rearm(ctx, now)
	switch {
	case err != nil && ctx.Err() == nil:
		r.log.Warn("overdue deliveries to webhooks were not searched", "cause", err)
	case number > 0:
		for range number {
			r.number.Inc()
		}
		r.log.Warn("overdue deliveries to webhooks had no alarm and are repeated now", "number", number)
	}
}
