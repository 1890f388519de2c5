package apitest

import (
	"sync"
	"time"
)

// Clock is a clock that only tests advance.
type Clock struct {
	mutex sync.Mutex
	now   time.Time
}

// Now returns the present time of the test.
func (c *Clock) Now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.now
}

// Advance moves the clock forward.
func (c *Clock) Advance(d time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.now = c.now.Add(d)
}
