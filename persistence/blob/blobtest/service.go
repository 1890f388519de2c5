// Package blobtest opens object stores for tests.
package blobtest

import (
	"crypto/rand"
	"net/url"
	"os"
	"strings"
	"testing"

	"equity/persistence/blob"
)

// Service returns a new bucket at TEST_STORE_URL, an address with the access key and the secret key.
func Service(tb testing.TB, changes ...func(*blob.S3Options)) *blob.S3 {
	tb.Helper()
	address, err := url.Parse(os.Getenv("TEST_STORE_URL"))
	if err != nil || address.Host == "" {
		tb.Fatal("TEST_STORE_URL is not set: this test needs a real S3 server, which 'make test' starts")
	}
	secret, _ := address.User.Password()
	options := blob.S3Options{
		URL: address.Scheme + "://" + address.Host, AccessKey: address.User.Username(), SecretKey: secret, Region: "us-east-1",
		Bucket: strings.ToLower(rand.Text()),
	}
	for _, change := range changes {
		change(&options)
	}
	store, err := blob.OpenS3(options)
	if err != nil {
		tb.Fatal(err)
	}
	if err := store.Prepare(tb.Context(), "us-east-1"); err != nil {
		tb.Fatal(err)
	}
	return store
}

// Folder returns a store in a new folder.
func Folder(tb testing.TB) *blob.Folder {
	tb.Helper()
	store, err := blob.OpenFolder(tb.TempDir())
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = store.Close() })
	return store
}
