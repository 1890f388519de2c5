package processtest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// listening is the state of a TCP socket that accepts connections; see proc_net_tcp(5).
const listening = "0A"

// Ports returns the number of TCP ports on which the process listens. It requires Linux.
func (s *Server) Ports(t *testing.T) (n int) {
	t.Helper()
	process := "/proc/" + strconv.Itoa(s.command.Process.Pid)
	files, err := filepath.Glob(process + "/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	own := map[string]bool{}
	for _, file := range files {
		if target, err := os.Readlink(file); err == nil { // else it was closed
			own[target] = true
		}
	}
	for _, family := range []string{"/net/tcp", "/net/tcp6"} {
		table, err := os.ReadFile(process + family)
		if err != nil {
			continue // without IPv6
		}
		for line := range strings.Lines(string(table)) {
			const state, inode = 3, 9
			fields := strings.Fields(line)
			if len(fields) > inode && fields[state] == listening && own["socket:["+fields[inode]+"]"] {
				n++
			}
		}
	}
	return n
}
