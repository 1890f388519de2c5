package storetest

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// Explained returns another address of the database, whose connections report the plan of each statement as it was executed, and the plans since the
// last call. Sequential scans are avoided, as for large tables: a plan has one only if no index can be used.
func Explained(t *testing.T, database string) (explained string, plans func() []string) {
	t.Helper()
	address, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	proxy := NewProxy(t, address.Host)
	received := proxy.Record()
	address.Host = proxy.Address()
	query := address.Query()
	query.Set("options", "-c session_preload_libraries=auto_explain -c auto_explain.log_min_duration=0 "+
		"-c auto_explain.log_level=notice -c auto_explain.log_analyze=on -c enable_seqscan=off")
	address.RawQuery = strings.ReplaceAll(query.Encode(), "+", "%20")
	return address.String(), func() (found []string) {
		for _, connection := range received() {
			for field := range strings.SplitSeq(connection, "\x00") {
				if _, plan, isPlan := strings.Cut(field, "Query Text: "); isPlan {
					found = append(found, plan)
				}
			}
		}
		return found
	}
}

// tableScan is a node of a plan that reads a table, and partition the name of a partition of the journal's tables.
var (
	tableScan = regexp.MustCompile(`((?:Seq|Index|Index Only|Bitmap Heap) Scan)\b.* on (\w+)`)
	partition = regexp.MustCompile(`^(?:(journal|journal_pack|snapshot)_p(\d+)|(journal_head))$`)
)

// UnlimitedScans returns the nodes of a plan that read a whole table or a whole index.
func UnlimitedScans(plan string) []string { return scansWithout(plan, "") }

// scansWithout returns the nodes of a plan that read a table without a condition for the index that contains the text.
func scansWithout(plan, text string) (found []string) {
	lines := strings.Split(plan, "\n")
	for i, line := range lines {
		if match := tableScan.FindStringSubmatch(line); match == nil || strings.Contains(line, "never executed") {
			continue
		}
		limited := false
		for _, detail := range lines[i+1:] {
			if strings.Contains(detail, "->") {
				break
			}
			_, condition, isCondition := strings.Cut(detail, " Cond: ") // of an index, or of a recheck
			limited = limited || isCondition && strings.Contains(condition, text)
		}
		if !limited {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

// Partitions returns the tables of the journal that a plan reads, the numbers of their partitions, and the nodes that read a partition, or the heads,
// without a condition for the index that names the organization.
func Partitions(plan string) (tables, numbers map[string]bool, whole []string) {
	tables, numbers = map[string]bool{}, map[string]bool{}
	for line := range strings.SplitSeq(plan, "\n") {
		match := tableScan.FindStringSubmatch(line)
		if match == nil || strings.Contains(line, "never executed") {
			continue
		}
		switch name := partition.FindStringSubmatch(match[2]); {
		case name == nil:
		case name[3] != "":
			tables[name[3]] = true
		default:
			tables[name[1]], numbers[name[2]] = true, true
		}
	}
	for _, scan := range scansWithout(plan, "organization") {
		if partition.MatchString(tableScan.FindStringSubmatch(scan)[2]) {
			whole = append(whole, scan)
		}
	}
	return tables, numbers, whole
}
