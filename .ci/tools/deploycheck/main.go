// Command deploycheck checks the files of deploy/: it renders and decodes Kubernetes manifests with the strict types of the API, reads
// compose files with their schema, parses container files, and lists the metrics of expressions.
package main

import (
	"fmt"
	"os"
)

func main() {
	commands := map[string]func([]string) error{
		"kubernetes": kubernetes, // FOLDER...: prints each object as one line of JSON
		"compose":    compose,    // FILE: prints the project as JSON
		"dockerfile": dockerfile, // FILE: prints one line for each instruction
		"metrics":    metrics,    // reads one expression from each line, prints the names of metrics
	}
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: deploycheck kubernetes FOLDER... | compose FILE | dockerfile FILE | metrics")
		os.Exit(2)
	}
	if err := commands[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
