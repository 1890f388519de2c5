// Package transform runs the JavaScript and TypeScript modules of hook mappings.
//
// The gateway bundles a module with its imports to one script. A child process of the same program runs the script without files,
// network and environment, within limits of time and memory. The child reads a request from its standard input, and writes the result
// to its standard output.
package transform
