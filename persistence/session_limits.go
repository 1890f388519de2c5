package persistence

import (
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// connectionTo returns the configuration of connections to PostgreSQL with calls that end within the limit. All sessions of this program have it:
// a process that is cut off while it holds a row must not stop the others. Calls give up a lock before their own limit, so that their outcome is
// known, and after the time in which a silent holder ends.
func connectionTo(plain *pgx.ConnConfig, limit time.Duration) *pgx.ConnConfig {
	config := plain.Copy()
	config.DialFunc = dialWithDeadline(config.DialFunc, limit)
	for name, value := range map[string]string{
		"idle_in_transaction_session_timeout": milliseconds(min(limit, answerLimit) / 2),
		"lock_timeout":                        milliseconds(limit * 3 / 4),
		// The server learns within 30 s that the machine of a session is gone, which may hold an advisory lock.
		"tcp_user_timeout":        milliseconds(answerLimit),
		"tcp_keepalives_idle":     "10", // seconds
		"tcp_keepalives_interval": "5",
		"tcp_keepalives_count":    "3",
	} {
		if _, own := config.RuntimeParams[name]; !own && !strings.Contains(config.RuntimeParams["options"], name) {
			config.RuntimeParams[name] = value
		}
	}
	return config
}

// milliseconds returns a duration as a setting of PostgreSQL, for which 0 is no limit.
func milliseconds(limit time.Duration) string {
	return strconv.FormatInt(max(limit.Milliseconds(), 1), 10)
}
