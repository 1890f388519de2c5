// Package calc is the offline calculator behind `equity calc`: it reads one case as
// JSON, gives it to the functions that the server calculates with, and prints what comes
// of it as JSON. A kind of case is a file here and a line in [Kinds].
package calc
