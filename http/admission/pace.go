package admission

import "time"

// pace measures the time between completions while requests are waiting.
type pace struct {
	since    time.Time // start of the current measurement
	count    int       // completions since that time
	interval time.Duration
}

// measureFor is the length of one measurement.
const measureFor = 100 * time.Millisecond

// begin starts a measurement.
func (p *pace) begin(now time.Time) { p.since, p.count = now, 0 }

// completed counts a completion.
func (p *pace) completed(now time.Time) {
	p.count++
	elapsed := now.Sub(p.since)
	if elapsed < measureFor {
		return
	}
	measured := elapsed / time.Duration(p.count)
	if p.interval == 0 {
		p.interval = measured
	} else {
		const weight = 4 // a new measurement has a weight of one quarter
		p.interval += (measured - p.interval) / weight
	}
	p.begin(now)
}

// time returns the expected time for the number of completions, or 0 before the first measurement.
func (p *pace) time(requests int) time.Duration { return time.Duration(requests) * p.interval }
