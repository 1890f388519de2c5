package ocf

import (
	"encoding/json"
	"strconv"
	"strings"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/vesting"
)

// grantType returns the grant type from the current or the older field.
func grantType(o *Object) captable.GrantType {
	switch o.text("compensation_type") {
	case "OPTION_ISO":
		return captable.GrantISO
	case "OPTION_NSO":
		return captable.GrantNSO
	case "RSU":
		return captable.GrantRSU
	case "SSAR":
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
	list, _ := o.value("vestings").([]any)
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

// windowsOf parses the termination windows and converts reasons from VOLUNTARY_OTHER to
// voluntaryOther. For a repeated reason, the first window applies.
func windowsOf(o *Object) (windows []captable.TerminationWindow) {
	list, _ := o.value("termination_exercise_windows").([]any)
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

// camelCase converts VOLUNTARY_OTHER to voluntaryOther.
func camelCase(name string) string {
	words := strings.Split(strings.ToLower(name), "_")
	for i, word := range words {
		if i > 0 && word != "" {
			words[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}

// wholeNumber returns an integer, or 0 if the value is not one.
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
