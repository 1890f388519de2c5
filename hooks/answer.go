package hooks

import (
	"encoding/json"
	"math"
	"net/http"
	"strconv"
	"time"
)

// plain sends a text.
func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text)) // the client may be gone
}

// answer sends a JSON value.
func answer(w http.ResponseWriter, status int, value any) {
	body, err := json.Marshal(value)
	if err != nil { // the values are texts and truth values
		plain(w, http.StatusInternalServerError, "Internal Server Error")
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone
}

// refusal is the body of a refused request.
type refusal struct {
	OK    bool   `json:"ok"`
	Error string `json:"error"`
}

func refuse(w http.ResponseWriter, status int, text string) {
	answer(w, status, refusal{Error: text})
}

// retryAfter announces the time of the next attempt, in full seconds.
func retryAfter(w http.ResponseWriter, wait time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(max(int(math.Ceil(wait.Seconds())), 1)))
}
