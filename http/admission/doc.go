// Package admission bounds the requests that a server works on at a time. Requests beyond the bound wait in a queue
// that is fair between organizations and, within one, between callers. A request that would wait longer than a limit is
// refused when it arrives, so that an overloaded server keeps its throughput and its memory.
package admission
