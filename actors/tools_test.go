package actors_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"equity/actors"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// toolCalls counts the calls of tools in memory.
type toolCalls struct {
	mu    sync.Mutex
	calls map[organization.ID]messages.Calls
	asked int
}

func (u *toolCalls) Count(
	_ context.Context, in organization.ID, kind messages.CallKind, now time.Time, windows []messages.CallWindow,
) (messages.Calls, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.asked++
	calls, err := u.calls[in].Admit(kind, now, windows)
	u.calls[in] = calls
	return calls, err
}

func (u *toolCalls) Counted(_ context.Context, in organization.ID) (messages.Calls, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.calls[in], nil
}

// withToolLimits returns a company with the limits of the server.
func withToolLimits(t *testing.T) (*company, *toolCalls) {
	t.Helper()
	store := &toolCalls{calls: map[organization.ID]messages.Calls{}}
	return setup(t, func(s *actors.Settings) {
		s.PassivateAfter = 10 * time.Second
		s.Tools = &actors.ToolSettings{Limits: messages.ToolLimits{CallsPerMinute: 30, WritesPerMinute: 10, DestructivePerHour: 5}, Calls: store}
	}), store
}

// uses requests a call of a tool of the class.
func (c *company) uses(class messages.ToolClass) error {
	_, err := c.AdmitTool(c.Context(), messages.ToolUse{Organization: c.id, Class: class, At: time.Now()})
	return err
}

func TestToolLimitsOutlivePassivationAndRestart(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		class  messages.ToolClass
		limit  int
		window time.Duration
	}{
		"31st call of a tool": {messages.ToolRead, 30, time.Minute}, "11th writing call": {messages.ToolWrite, 10, time.Minute},
		"6th destructive call": {messages.ToolDestructive, 5, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c, _ := withToolLimits(t)
				begin := time.Now()
				for i := range test.limit {
					if i == test.limit/2 {
						c.restart()
					}
					if err := c.uses(test.class); err != nil {
						t.Fatalf("call %d: %v", i+1, err)
					}
				}
				time.Sleep(25 * time.Second)
				if live := c.Live(); live != 0 {
					t.Fatalf("%d organizations are live", live)
				}
				if err := c.uses(test.class); !fault.Is(err, messages.CodeRateLimited) {
					t.Errorf("the call beyond the limit: %v", err)
				}
				time.Sleep(time.Until(begin.Add(test.window + time.Second)))
				if err := c.uses(test.class); err != nil {
					t.Errorf("after the window: %v", err)
				}
			})
		})
	}
}

func TestToolLimitsOfOrganizationsAreSeparate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, _ := withToolLimits(t)
		other := organization.ID(c.newID())
		c.must(c.create(other))
		for range 5 {
			c.mustUse(messages.ToolDestructive)
		}
		if err := c.uses(messages.ToolDestructive); !fault.Is(err, messages.CodeRateLimited) {
			t.Errorf("the sixth call: %v", err)
		}
		c.mustUse(messages.ToolRead)
		if _, err := c.AdmitTool(t.Context(), messages.ToolUse{Organization: other, Class: messages.ToolDestructive, At: time.Now()}); err != nil {
			t.Errorf("another organization: %v", err)
		}
	})
}

// mustUse requests a call that must be admitted.
func (c *company) mustUse(class messages.ToolClass) {
	c.Helper()
	if err := c.uses(class); err != nil {
		c.Fatal(err)
	}
}

func TestCallBeyondAKnownLimitIsRefusedWithoutTheStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c, store := withToolLimits(t)
		for range 5 {
			c.mustUse(messages.ToolDestructive)
		}
		synctest.Wait()
		for range 100 {
			if err := c.uses(messages.ToolDestructive); !fault.Is(err, messages.CodeRateLimited) {
				t.Fatal(err)
			}
		}
		if store.asked != 5 {
			t.Errorf("the store was asked %d times", store.asked)
		}
	})
}
