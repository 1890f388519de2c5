package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"time"

	"equity/http/relay"
)

// clusterCommand is `equity cluster`.
type clusterCommand struct {
	Certificate clusterCertificateCommand `cmd:"" help:"Create certificates for the servers of a cluster."`
}

// clusterCertificateCommand is `equity cluster certificate`.
type clusterCertificateCommand struct {
	Folder string        `arg:"" help:"Folder of the files." type:"path"`
	Name   string        `help:"Name of the server, for the names of its files." default:"node"`
	Valid  time.Duration `help:"Lifetime of the certificate of the server." default:"17520h"`
}

// Help is shown by `equity cluster certificate --help`.
func (clusterCertificateCommand) Help() string {
	return `Creates NAME.pem and NAME.key, which CLUSTER_CERT and CLUSTER_KEY name. The authority
is created at the first call: ca.pem, which CLUSTER_CA names on all servers, and
ca.key, which signs certificates. Keep ca.key away from the servers. Existing files
are not replaced.`
}

// The files of the authority.
const (
	authorityFile    = "ca.pem"
	authorityKeyFile = "ca.key"
	authorityYears   = 10
	serialBits       = 120
	// clockTolerance is the time by which the clock of a server may be behind.
	clockTolerance = time.Hour
)

// Run writes the files.
func (c clusterCertificateCommand) Run(p program) error {
	if err := os.MkdirAll(c.Folder, 0o700); err != nil {
		return err
	}
	authority, err := c.authority(p)
	if err != nil {
		return err
	}
	key, serial, err := newClusterKey()
	if err != nil {
		return err
	}
	now := p.now()
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: c.Name}, DNSNames: []string{relay.ServerName},
		NotBefore: now.Add(-clockTolerance), NotAfter: now.Add(c.Valid), KeyUsage: x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, authority.Leaf, key.Public(), authority.PrivateKey)
	if err != nil {
		return err
	}
	certificate, keyFile := filepath.Join(c.Folder, c.Name+".pem"), filepath.Join(c.Folder, c.Name+".key")
	if err := writeClusterFiles(certificate, keyFile, signed, key); err != nil {
		return err
	}
	p.say("CLUSTER_CA=%s\nCLUSTER_CERT=%s\nCLUSTER_KEY=%s", filepath.Join(c.Folder, authorityFile), certificate, keyFile)
	return nil
}

// authority returns the authority of the folder, and creates it if it is missing.
func (c clusterCertificateCommand) authority(p program) (tls.Certificate, error) {
	certificate, keyFile := filepath.Join(c.Folder, authorityFile), filepath.Join(c.Folder, authorityKeyFile)
	if _, err := os.Stat(certificate); err == nil {
		return tls.LoadX509KeyPair(certificate, keyFile)
	}
	key, serial, err := newClusterKey()
	if err != nil {
		return tls.Certificate{}, err
	}
	now := p.now()
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "equity cluster"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: now.Add(-clockTolerance), NotAfter: now.AddDate(authorityYears, 0, 0), KeyUsage: x509.KeyUsageCertSign,
		MaxPathLenZero: true,
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, err
	}
	if err := writeClusterFiles(certificate, keyFile, signed, key); err != nil {
		return tls.Certificate{}, err
	}
	return tls.LoadX509KeyPair(certificate, keyFile)
}

func newClusterKey() (*ecdsa.PrivateKey, *big.Int, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), serialBits))
	return key, serial, err
}

// writeClusterFiles writes a certificate and its key to new files.
func writeClusterFiles(certificate, keyFile string, signed []byte, key *ecdsa.PrivateKey) error {
	plain, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	return errors.Join(
		writeNewFile(keyFile, &pem.Block{Type: "PRIVATE KEY", Bytes: plain}, 0o600),
		writeNewFile(certificate, &pem.Block{Type: "CERTIFICATE", Bytes: signed}, 0o644),
	)
}

func writeNewFile(path string, block *pem.Block, mode os.FileMode) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode) //nolint:gosec // named by the operator
	if err != nil {
		return fmt.Errorf("create certificate: %w", err)
	}
	return errors.Join(pem.Encode(file, block), file.Close())
}
