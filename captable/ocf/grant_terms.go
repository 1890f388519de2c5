package ocf

import (
	"encoding/json"
	"strconv"
	"strings"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
)

// grantType reads the kind of a grant, in the present and in the older form.
func grantType(o *Object) captable.GrantType {
	switch o.text("compensation_type") {
	case "OPTION_ISO":
		return captable.GrantISO
	case "OPTION_NSO":
		return captable.GrantNSO
	case "RSU":
		return captable.GrantRSU
	case "CSAR", "SSAR":
		return captable.GrantSAR
	}
	switch o.text("option_grant_type") {
	case "ISO":
		return captable.GrantISO
	case "NSO":
		return captable.GrantNSO
	default:
		return captable.GrantInternational
	}
}

func vestingsOf(o *Object) (vestings []vesting.Vesting) {
	list, _ := o.values["vestings"].([]any)
	for _, value := range list {
		entry, _ := value.(map[string]any)
		day, _ := entry["date"].(string)
		text, _ := entry["amount"].(string)
		date, _ := exact.ParseDate(day)
		amount, _ := parseNumeric(text)
		vestings = append(vestings, vesting.Vesting{Date: date, Quantity: amount})
	}
	return vestings
}

// windowsOf reads the termination windows; reasons are VOLUNTARY_OTHER there and
// voluntaryOther here. What comes twice counts once.
func windowsOf(o *Object) (windows []captable.TerminationWindow) {
	list, _ := o.values["termination_exercise_windows"].([]any)
	seen := map[string]bool{}
	for _, value := range list {
		entry, _ := value.(map[string]any)
		reason, _ := entry["reason"].(string)
		if seen[reason] {
			continue
		}
		seen[reason] = true
		windows = append(windows, captable.TerminationWindow{
			Reason: captable.TerminationReason(camelCase(reason)),
			Period: vesting.Period{N: wholeNumber(entry["period"]), Unit: vesting.Unit(strings.ToLower(textOf(entry["period_type"])))},
		})
	}
	return windows
}

// camelCase writes VOLUNTARY_OTHER as voluntaryOther.
func camelCase(name string) string {
	words := strings.Split(strings.ToLower(name), "_")
	for i, word := range words {
		if i > 0 && word != "" {
			words[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}

// wholeNumber reads a number that is counted; 0 for anything else.
func wholeNumber(value any) int {
	number, _ := value.(json.Number)
	n, err := strconv.Atoi(number.String())
	if err != nil {
		return 0
	}
	return n
}

func textOf(value any) string {
	text, _ := value.(string)
	return text
}
