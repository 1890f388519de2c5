// Package transform runs the JavaScript and TypeScript modules of hook mappings.
//
// A child process bundles the module with its imports to one script, and runs the script without files, network and environment. The
// limits are those of [Work].
package transform
