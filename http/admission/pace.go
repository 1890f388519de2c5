package admission

import "time"

// pace measures the rate of completions while requests are waiting.
type pace struct {
	since time.Time // start of the current measurement
	count int       // completions since that time
	// spent and done are the time and the completions of the measurements before; each counts for three quarters of the next one.
	// Requests end in groups, so that a mean of the intervals of single measurements would be too long.
	spent time.Duration
	done  int
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
	const former = 4 // the weight of the former measurements decreases by a quarter
	p.spent += elapsed - p.spent/former
	p.done += p.count - p.done/former
	p.begin(now)
}

// time returns the expected time for the number of completions, or 0 before the first measurement. A measurement that
// takes longer than usual counts before it has ended.
func (p *pace) time(requests int, now time.Time) time.Duration {
	if p.done == 0 {
		return 0
	}
	spent, done := p.spent, p.done
	if elapsed := now.Sub(p.since); elapsed > measureFor {
		spent, done = spent+elapsed, done+p.count
	}
	return time.Duration(requests) * (spent / time.Duration(done))
}
