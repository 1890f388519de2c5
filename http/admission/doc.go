// Package admission bounds the number of requests that a server processes concurrently. Further requests wait in a
// queue that is fair between organizations and, within an organization, between callers. A request is refused on
// arrival if its expected wait exceeds a limit, so that an overloaded server keeps its throughput and bounds its memory.
package admission
