package webhook

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The form of a secret: a prefix and the base64 of 32 random bytes.
const (
	secretPrefix = "whsec_"
	secretBytes  = 32
)

// NewSecret returns a new secret.
func NewSecret(random io.Reader) (string, error) {
	key := make([]byte, secretBytes)
	if _, err := io.ReadFull(random, key); err != nil {
		return "", fmt.Errorf("draw secret: %w", err)
	}
	return secretPrefix + base64.StdEncoding.EncodeToString(key), nil
}

// The headers of a delivery. Both forms of the signature are present, with one value for each secret.
const (
	headerService   = "Service-Signature"
	headerID        = "Webhook-Id"
	headerTimestamp = "Webhook-Timestamp"
	headerSignature = "Webhook-Signature"
)

// Sign adds both forms of the signature with each secret. Service-Signature is the HMAC-SHA256 of "t.body" with the whole text
// of the secret as its key, in hexadecimal form. Webhook-Signature is that of "id.t.body" with the decoded secret, in base64
// (Standard Webhooks).
func Sign(header http.Header, secrets []string, id string, at time.Time, body []byte) error {
	seconds := strconv.FormatInt(at.Unix(), 10)
	service, standard := []string{"t=" + seconds}, make([]string, 0, len(secrets))
	for _, secret := range secrets {
		text, prefixed := strings.CutPrefix(secret, secretPrefix)
		key, err := base64.StdEncoding.DecodeString(text)
		if !prefixed || err != nil {
			return errSecret
		}
		service = append(service, "v1="+hex.EncodeToString(digest([]byte(secret), seconds, ".", string(body))))
		standard = append(standard, "v1,"+base64.StdEncoding.EncodeToString(digest(key, id, ".", seconds, ".", string(body))))
	}
	header.Set(headerService, strings.Join(service, ","))
	header.Set(headerID, id)
	header.Set(headerTimestamp, seconds)
	header.Set(headerSignature, strings.Join(standard, " "))
	return nil
}

func digest(key []byte, parts ...string) []byte {
	sum := hmac.New(sha256.New, key)
	for _, part := range parts {
		_, _ = io.WriteString(sum, part) // never fails
	}
	return sum.Sum(nil)
}
