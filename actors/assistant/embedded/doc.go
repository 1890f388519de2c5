// Package embedded is a provider of the assistant without a language model. It recognizes a fixed set of commands, reads what they need
// with the tools, and proposes changes. It is deterministic.
//
// A command is a sequence of tool calls, of which each depends on the results before it. The provider keeps no state: it derives the next
// call from the messages of the prompt.
package embedded
