// Package anchortest has a time stamp authority for tests. It is that of OpenSSL, which must be installed.
package anchortest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// Authority issues time stamps. Its certificate is issued by that in the file CA.
type Authority struct {
	URL, CA string
	folder  string
	mu      sync.Mutex // held while the tool runs, because it counts serial numbers in a file
	number  int
}

// Username is the one that an Authority requires.
const Username = "ada"

// Password is the one that an Authority requires.
const Password = "secret"

const configuration = `[tsa]
serial = serial
signer_cert = time.pem
signer_key = time.key
signer_digest = sha256
default_policy = 1.2.3.4
ess_cert_id_alg = sha256
[req]
distinguished_name = name
[name]
`

// NewAuthority starts an authority that accepts a hash function, such as sha256.
func NewAuthority(t *testing.T, digest string) *Authority {
	t.Helper()
	folder := t.TempDir()
	a := &Authority{folder: folder, CA: filepath.Join(folder, "ca.pem")}
	a.write(t, "serial", "01\n")
	a.write(t, "extensions", "keyUsage=critical,digitalSignature\nextendedKeyUsage=critical,timeStamping\n")
	a.write(t, "config", strings.Replace(configuration, "[req]", "digests = "+digest+"\n[req]", 1))
	key := "req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -config config "
	a.openssl(t, key+"-x509 -keyout ca.key -out ca.pem -subj /CN=Root -addext basicConstraints=critical,CA:true")
	a.openssl(t, key+"-keyout time.key -out time.csr -subj /CN=Time")
	a.openssl(t, "x509 -req -in time.csr -CA ca.pem -CAkey ca.key -set_serial 2 -days 2 -extfile extensions -out time.pem")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked, err := io.ReadAll(r.Body)
		if user, password, _ := r.BasicAuth(); err != nil || user != Username || password != Password {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/timestamp-reply")
		_, _ = w.Write(a.Answer(t, asked))
	}))
	t.Cleanup(server.Close)
	a.URL = server.URL
	return a
}

// Answer returns the answer to a request.
func (a *Authority) Answer(t *testing.T, asked []byte) []byte {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	a.number++
	query, reply := strconv.Itoa(a.number)+".tsq", strconv.Itoa(a.number)+".tsr"
	a.write(t, query, string(asked))
	a.openssl(t, "ts -reply -config config -section tsa -queryfile "+query+" -out "+reply)
	answer, err := os.ReadFile(filepath.Join(a.folder, reply))
	if err != nil {
		t.Error(err)
	}
	return answer
}

func (a *Authority) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(a.folder, name), []byte(text), 0o600); err != nil {
		t.Error(err)
	}
}

func (a *Authority) openssl(t *testing.T, arguments string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "openssl", strings.Fields(arguments)...)
	command.Dir = a.folder
	if output, err := command.CombinedOutput(); err != nil {
		t.Errorf("openssl %s: %v\n%s", arguments, err, output)
	}
}
