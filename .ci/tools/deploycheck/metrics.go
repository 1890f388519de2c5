package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"github.com/prometheus/prometheus/promql/parser"
)

// metrics prints the names of all metrics in the expressions of the standard input.
func metrics([]string) error {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		text := strings.NewReplacer("$__rate_interval", "5m", "$__range", "1h").Replace(lines.Text())
		expression, err := parser.ParseExpr(text)
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		parser.Inspect(expression, func(node parser.Node, _ []parser.Node) error {
			if selector, is := node.(*parser.VectorSelector); is {
				fmt.Println(selector.Name)
			}
			return nil
		})
	}
	return lines.Err()
}
