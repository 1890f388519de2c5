package webhook_test

import (
	"testing"
	"time"

	"equity/actors"
	"equity/features/webhook/endpoint"
	"equity/organization"
)

func TestDeadReceiversKeepNoOrganizationInMemory(t *testing.T) {
	t.Parallel()
	const organizations, limit = 60, 6
	b := setup(t, func(s *actors.Settings) { s.MostLive = limit })
	receiver, _ := endpoint.Of(b.view().State).Get(hookID())
	var all []organization.ID
	dead := 0
	for i := range organizations {
		b.found()
		all = append(all, b.id)
		if i%10 == 0 {
			dead++
			for _, command := range prepare(receiver.URL) {
				b.do(command)
			}
			b.fails(5) // opens the circuit breaker of the address
		}
	}
	read := func() {
		t.Helper()
		for _, id := range all {
			if _, err := b.organizations.View(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 3 {
		attempts := len(b.ids())
		b.offset.Add(int64(61 * time.Second))
		b.until("an attempt of each dead receiver", func() bool { return len(b.ids()) >= attempts+dead })
		read()
	}
	b.until("few organizations in memory", func() bool {
		read()
		return b.organizations.Live() <= limit+2
	})
}
