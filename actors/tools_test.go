package actors_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"equity/actors"
	"equity/fault"
	"equity/messages"
	"equity/organization"
)

// toolUses keeps the calls of tools in memory.
type toolUses struct {
	mu   sync.Mutex
	uses []messages.ToolUse
}

func (u *toolUses) Add(use messages.ToolUse) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.uses = append(u.uses, use)
}

func (u *toolUses) Since(_ context.Context, in organization.ID, since time.Time) ([]messages.ToolUse, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(u.uses), func(use messages.ToolUse) bool {
		return use.Organization != in || !use.At.After(since)
	}), nil
}

// withToolLimits returns a company with the limits of the server.
func withToolLimits(t *testing.T) *company {
	t.Helper()
	return setup(t, func(s *actors.Settings) {
		s.PassivateAfter = 10 * time.Second
		s.Tools = &actors.ToolSettings{Limits: messages.ToolLimits{CallsPerMinute: 30, WritesPerMinute: 10, DestructivePerHour: 5}, Uses: &toolUses{}}
	})
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
				c := withToolLimits(t)
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
		c := withToolLimits(t)
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
