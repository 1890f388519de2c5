package office

import "time"

// Limit replaces the limits of calls and of transfers without progress.
func (c *Client) Limit(call, transfer time.Duration) { c.callTime, c.transferTime = call, transfer }
