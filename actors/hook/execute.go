package hook

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"equity/messages"
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
func timeOf(run *messages.HookRun) time.Duration {
	if run.TimeoutSeconds == nil || *run.TimeoutSeconds <= 0 {
		return standardTime
	}
	return min(time.Duration(min(*run.TimeoutSeconds, int64(mostTime/time.Second)))*time.Second, mostTime)
}

// execute runs one attempt and stores its end. A run that the stop of the server interrupts is returned.
func (c *Consumer) execute(ctx context.Context, run messages.HookRun) {
	log := c.Log.With("organization", run.Organization.String(), "run", run.RunID)
	end := messages.HookOutcome{Event: c.NewID()}
	defer c.renew(ctx, &run)()
	if run.Attempts > mostAttempts {
		end.HookResult = messages.HookResult{Status: messages.HookError, Error: errInterrupted.Error()}
	} else {
		end.HookResult = c.exchange(ctx, &run)
	}
	stored, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeTime)
	defer cancel()
	if ctx.Err() != nil {
		if err := c.Store.Return(stored, run.RunID); err != nil {
			log.Warn("run not returned; it continues after its lease", "cause", err)
		}
		return
	}
	end.Delivered, end.Reason = c.deliver(stored, &run, end.HookResult)
	if _, err := c.Store.Finish(stored, run, end, c.Now()); err != nil {
		log.Warn("end of a run not stored; it is repeated after its lease", "cause", err)
	}
}

// renew extends the lease of the run until the returned function is called.
func (c *Consumer) renew(ctx context.Context, run *messages.HookRun) (stop func()) {
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
func (c *Consumer) exchange(ctx context.Context, run *messages.HookRun) (result messages.HookResult) {
	limit := timeOf(run)
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	defer func() {
		if reason := recover(); reason != nil {
			c.Log.Error("panic in a run", "run", run.RunID, "cause", fmt.Sprintf("%v\n%s", reason, debug.Stack()))
			result = messages.HookResult{Status: messages.HookError, Error: errPanic.Error()}
		}
	}()
	result, err := c.Runner.Run(limited, RunRequest{
		Source: run.HookSource, RunID: run.RunID, SessionKey: run.SessionKey, Agent: run.Agent, Name: run.Name,
		Message: run.Message, Model: run.Model, Thinking: run.Thinking, Timeout: limit,
	})
	switch {
	case err != nil && limited.Err() != nil:
		return messages.HookResult{Status: messages.HookError, Error: "the run exceeded its time of " + limit.String()}
	case err != nil:
		return messages.HookResult{Status: messages.HookError, Error: err.Error()}
	case result.Status == "":
		result.Status = messages.HookOK
	}
	return result
}

// deliver posts the reply of a run, or returns the reason for which it is not posted.
func (c *Consumer) deliver(ctx context.Context, run *messages.HookRun, result messages.HookResult) (delivered bool, reason string) {
	reply := strings.TrimSpace(result.Reply)
	switch {
	case !run.Deliver:
		return false, messages.HookNotRequested
	case run.Channel != "last" && run.Channel != "mattermost", c.Deliverer == nil:
		return false, messages.HookNotConfigured
	case result.Status != messages.HookOK || reply == "":
		return false, messages.HookNoReply
	case messages.IsHeartbeatAck(reply):
		return false, messages.HookHeartbeatOnly
	}
	reason, err := c.Deliverer.Deliver(ctx, run.Organization, run.RunID, run.To, reply)
	if err != nil {
		c.Log.Warn("reply of a run not delivered", "run", run.RunID, "cause", err)
		return false, messages.HookDeliveryFailed
	}
	return reason == "", reason
}
