// Package calc is the offline calculator of `equity calc`: it reads one case as
// JSON, calculates it with the server's functions, and prints the result as
// JSON. Each kind of case has a file here and a line in [Kinds].
package calc
