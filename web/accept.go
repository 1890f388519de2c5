package web

import "strings"

// maxWeight is the weight of an element without a parameter, in thousandths.
const maxWeight = 1000

// weigh returns the weight of a content coding in Accept-Encoding, in thousandths; 0 if it is not acceptable. The empty coding
// is the identity, which is acceptable unless it is excluded. It has the lowest weight if it is not listed.
func weigh(accepted []string, coding string) int {
	const unlisted = -1
	named, others := unlisted, unlisted
	for _, list := range accepted {
		for element := range strings.SplitSeq(list, ",") {
			name, parameters, _ := strings.Cut(element, ";")
			switch name = strings.TrimSpace(name); {
			case strings.EqualFold(name, coding), coding == "" && strings.EqualFold(name, "identity"):
				if name != "" {
					named = weight(parameters)
				}
			case coding == "gzip" && strings.EqualFold(name, "x-gzip"):
				named = weight(parameters)
			case name == "*":
				others = weight(parameters)
			}
		}
	}
	switch {
	case named != unlisted:
		return named
	case coding == "" && others != 0:
		return 1
	case others != unlisted:
		return others
	}
	return 0
}

// weight returns the parameter q in thousandths. A malformed one counts as 0.
func weight(parameters string) int {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, found := strings.Cut(strings.TrimSpace(parameter), "=")
		if found && strings.EqualFold(name, "q") {
			return thousandths(value)
		}
	}
	return maxWeight
}

// thousandths returns a number between 0 and 1 with at most three decimal places in thousandths; 0 if it is malformed.
func thousandths(text string) int {
	whole, fraction, _ := strings.Cut(text, ".")
	if len(fraction) > 3 || whole != "0" && whole != "1" {
		return 0
	}
	value, unit := 0, maxWeight
	if whole == "1" {
		value = maxWeight
	}
	for _, digit := range []byte(fraction) {
		if digit < '0' || digit > '9' {
			return 0
		}
		unit /= 10
		value += int(digit-'0') * unit
	}
	return min(value, maxWeight)
}

// acceptsHTML reports whether Accept names HTML. Browsers name it in navigations; a wildcard alone is how programs ask.
func acceptsHTML(accepted []string) bool {
	for _, list := range accepted {
		for element := range strings.SplitSeq(list, ",") {
			name, parameters, _ := strings.Cut(element, ";")
			if strings.EqualFold(strings.TrimSpace(name), "text/html") && weight(parameters) > 0 {
				return true
			}
		}
	}
	return false
}
