package http_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	equityhttp "equity/http"
	"equity/persistence/storetest"
)

// framed starts a server that echoes bodies behind the framing check and returns its address.
func framed(t *testing.T) string {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = w.Write(append([]byte("body:"), body...))
	}))
	server.Listener = equityhttp.StrictFraming(server.Listener)
	server.Start()
	storetest.Cleanup(t, server.Close)
	return server.Listener.Addr().String()
}

// exchange sends the pieces on one socket and returns the statuses and bodies of the answers.
func exchange(t *testing.T, address string, answers int, pieces ...string) (statuses []int, bodies []string) {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	for _, piece := range pieces {
		if _, err := io.WriteString(conn, piece); err != nil {
			t.Fatal(err)
		}
	}
	reader := bufio.NewReader(conn)
	for range answers {
		answer, err := http.ReadResponse(reader, nil)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		statuses, bodies = append(statuses, answer.StatusCode), append(bodies, string(body))
	}
	return statuses, bodies
}

func TestAmbiguousLengthsAreRefused(t *testing.T) {
	t.Parallel()
	address := framed(t)
	for name, head := range map[string]string{
		"length and chunks":     "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
		"chunks and length":     "transfer-encoding: chunked\r\ncontent-length: 5\r\n",
		"different lengths":     "Content-Length: 5\r\nContent-Length: 6\r\n",
		"equal lengths":         "Content-Length: 5\r\nContent-Length: 5\r\n",
		"a list of lengths":     "Content-Length: 5, 5\r\n",
		"a signed length":       "Content-Length: +5\r\n",
		"gzip":                  "Transfer-Encoding: gzip\r\n",
		"gzip and chunks":       "Transfer-Encoding: gzip, chunked\r\n",
		"identity":              "Transfer-Encoding: identity\r\n",
		"repeated chunked":      "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n",
		"an empty encoding":     "Transfer-Encoding:\r\n",
		"a folded encoding":     "Transfer-Encoding:\r\n chunked\r\n",
		"a space before colon":  "Content-Length : 5\r\nTransfer-Encoding: chunked\r\n",
		"an encoding and no CR": "Content-Length: 5\nTransfer-Encoding: chunked\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			statuses, _ := exchange(t, address, 1, "POST / HTTP/1.1\r\nHost: x\r\n"+head+"\r\n5\r\nhello\r\n0\r\n\r\n")
			if statuses[0] != http.StatusBadRequest {
				t.Errorf("status %d", statuses[0])
			}
		})
	}
}

func TestChunksInHTTP10AreRefused(t *testing.T) {
	t.Parallel()
	statuses, _ := exchange(t, framed(t), 1, "POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
	if statuses[0] != http.StatusBadRequest {
		t.Errorf("status %d", statuses[0])
	}
}

func TestAmbiguousLengthIsRefusedBehindOtherRequests(t *testing.T) {
	t.Parallel()
	address := framed(t)
	for name, first := range map[string]string{
		"without a body": "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
		"with a length":  "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
		"with chunks":    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nA: b\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			reader := bufio.NewReader(conn)
			second := "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
			for i, want := range []int{http.StatusOK, http.StatusBadRequest} {
				_, _ = io.WriteString(conn, []string{first, second}[i])
				answer, err := http.ReadResponse(reader, nil)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, answer.Body)
				_ = answer.Body.Close()
				if answer.StatusCode != want {
					t.Errorf("request %d: status %d, want %d", i, answer.StatusCode, want)
				}
			}
		})
	}
}

func TestUnambiguousBodiesAreRead(t *testing.T) {
	t.Parallel()
	const headers = "Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n"
	text := strings.Repeat(headers, 110)
	sent := "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + "5000" + "\r\n\r\n" + text[:5000] +
		"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n1000\r\n" + text[:0x1000] + "\r\n0\r\n\r\n" +
		"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
	var pieces []string
	for len(sent) > 0 {
		size := min(7, len(sent))
		pieces, sent = append(pieces, sent[:size]), sent[size:]
	}
	_, bodies := exchange(t, framed(t), 3, pieces...)
	for i, want := range []string{text[:5000], text[:0x1000], ""} {
		if bodies[i] != "body:"+want {
			t.Errorf("answer %d has %d bytes", i, len(bodies[i]))
		}
	}
}
