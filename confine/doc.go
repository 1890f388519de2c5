// Package confine runs parsers of foreign content in child processes.
//
// A hostile file can cost any amount of memory and time, and can end a process of Go with a stack overflow, which no function can
// recover from. A [Work] therefore runs in a child of the same program, with an empty environment and limits of memory, processor time,
// wall time, files and output. The request is the standard input of the child, and the answer its standard output. A [Runner] starts the
// children of one kind of work, in turns between groups, and ends those that exceed a limit. The result of such a child is a
// [*ContentError]: the content is at fault, not the server.
package confine
