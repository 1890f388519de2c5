// Package unpack reads uploaded packages of the Open Cap Format. A child process unpacks them and checks their limits and their syntax.
package unpack
