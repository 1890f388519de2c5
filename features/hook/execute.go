package hook

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"equity/app"
	"equity/hooks"
)

// The times of a run.
const (
	standardTime = 90 * time.Second
	mostTime     = 10 * time.Minute
	// leaseTime is the time after which another server repeats the run of a server that ended. A running server renews its leases.
	leaseTime  = 30 * time.Second
	renewEvery = 10 * time.Second
	storeTime  = 30 * time.Second
	// mostAttempts bounds the starts of a run whose server ended during each of them.
	mostAttempts = 3
)

var (
	errInterrupted = errors.New("the run was interrupted three times and is not repeated")
	errPanic       = errors.New("the run failed")
)

// timeOf returns the time limit of a run.
func timeOf(run *Run) time.Duration {
	if run.TimeoutSeconds == nil || *run.TimeoutSeconds <= 0 {
		return standardTime
	}
	return min(time.Duration(min(*run.TimeoutSeconds, int64(mostTime/time.Second)))*time.Second, mostTime)
}

// execute runs one attempt and stores its end. A run that the stop of the server interrupts is returned.
func (c *Consumer) execute(ctx context.Context, run Run) {
	log := c.Log.With("organization", run.Organization.String(), "run", run.RunID)
	end := Outcome{Event: c.NewID()}
	defer c.renew(ctx, &run)()
	if run.Attempts > mostAttempts {
		end.Result = hooks.Result{Status: hooks.StatusError, Error: errInterrupted.Error()}
	} else {
		end.Result = c.exchange(ctx, &run)
	}
	stored, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer cancel()
	if ctx.Err() != nil {
		if err := c.Store.Return(stored, run.RunID); err != nil {
			log.Warn("run not returned; it continues after its lease", "cause", err)
		}
		return
	}
	end.Delivered, end.Reason = c.deliver(stored, &run, end.Result)
	if _, err := c.Store.Finish(stored, run, end, c.Now()); err != nil {
		log.Warn("end of a run not stored; it is repeated after its lease", "cause", err)
	}
}

// renew extends the lease of the run until the returned function is called.
func (c *Consumer) renew(ctx context.Context, run *Run) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		tick := time.NewTicker(renewEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if err := c.Store.Renew(ctx, run.RunID, c.Now().Add(leaseTime)); err != nil && ctx.Err() == nil {
					c.Log.Warn("lease of a run not renewed", "run", run.RunID, "cause", err)
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return cancel
}

// exchange calls the runner within the time of the run.
func (c *Consumer) exchange(ctx context.Context, run *Run) (result hooks.Result) {
	limit := timeOf(run)
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	defer func() {
		if reason := recover(); reason != nil {
			c.Log.Error("panic in a run", "run", run.RunID, "cause", fmt.Sprintf("%v\n%s", reason, debug.Stack()))
			result = hooks.Result{Status: hooks.StatusError, Error: errPanic.Error()}
		}
	}()
	result, err := c.Runner.Run(limited, RunRequest{
		Source: run.Source, RunID: run.RunID, SessionKey: run.SessionKey, Agent: run.Agent.Agent, Name: run.Name,
		Message: run.Message, Model: run.Model, Thinking: run.Thinking, Timeout: limit,
	})
	switch {
	case err != nil && limited.Err() != nil:
		return hooks.Result{Status: hooks.StatusError, Error: "the run exceeded its time of " + limit.String()}
	case err != nil:
		return hooks.Result{Status: hooks.StatusError, Error: err.Error()}
	case result.Status == "":
		result.Status = hooks.StatusOK
	}
	return result
}

// deliver posts the reply of a run, or returns the reason for which it is not posted.
func (c *Consumer) deliver(ctx context.Context, run *Run, result hooks.Result) (delivered bool, reason string) {
	reply := strings.TrimSpace(result.Reply)
	var deliver app.Deliver
	if c.Deliver != nil {
		deliver = c.Deliver()
	}
	switch {
	case !run.Deliver:
		return false, ReasonNotRequested
	case run.Channel != "last" && run.Channel != "mattermost", deliver == nil:
		return false, app.DeliveryNotConfigured
	case result.Status != hooks.StatusOK || reply == "":
		return false, ReasonNoReply
	case hooks.IsHeartbeatAck(reply):
		return false, ReasonHeartbeatOnly
	}
	reason, err := deliver(ctx, run.Organization, run.RunID, run.To, reply)
	if err != nil {
		c.Log.Warn("reply of a run not delivered", "run", run.RunID, "cause", err)
		return false, ReasonFailed
	}
	return reason == "", reason
}
