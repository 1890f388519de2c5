// Package hook accepts inbound hooks and executes the runs that they request.
//
// An [Intake] stores accepted hooks in groups. The [Consumer] executes stored runs: an alarm of the organization wakes it, a lease keeps
// other servers from a run, and a run that is interrupted starts again. So an acknowledged hook is stored, and its run ends at least once
// with exactly one summary.
package hook
