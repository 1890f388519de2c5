package http

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"fmt"
	"image/png"
	"net/url"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
)

// What authenticator apps expect when nothing else is said (RFC 6238): SHA-1, six digits,
// steps of half a minute.
const (
	totpIssuer = "Equity"
	totpSeed   = 20 // bytes, as RFC 4226 has it
	totpStep   = 30 // seconds
	totpSkew   = 1  // steps that a clock may be off, either way
	totpSide   = 240
)

// totpSecret is the seed as apps take it when it is typed.
func totpSecret(seed []byte) string {
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(seed)
}

// totpCode finds the step whose code was typed, near the moment; false when it is none
// of them. The comparison takes the same time wherever they differ.
func totpCode(typed string, seed []byte, at time.Time) (step int64, fits bool) {
	typed = strings.ReplaceAll(typed, " ", "")
	now := at.Unix() / totpStep
	for candidate := now - totpSkew; candidate <= now+totpSkew; candidate++ {
		same, err := hotp.ValidateCustom(typed, uint64(candidate), totpSecret(seed), hotp.ValidateOpts{ //nolint:gosec // no time before 1970
			Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1,
		})
		if err == nil && same {
			return candidate, true
		}
	}
	return 0, false
}

// totpAddress is what the QR code says: whose secret it is, and which.
func totpAddress(email string, seed []byte) string {
	query := url.Values{"secret": {totpSecret(seed)}, "issuer": {totpIssuer}}
	return "otpauth://totp/" + url.PathEscape(totpIssuer+":"+email) + "?" + query.Encode()
}

// totpImage is the QR code of an address as a data URL that an img takes.
func totpImage(address string) (string, error) {
	key, err := otp.NewKeyFromURL(address)
	if err != nil {
		return "", fmt.Errorf("draw QR code: %w", err)
	}
	drawn, err := key.Image(totpSide, totpSide)
	if err != nil {
		return "", fmt.Errorf("draw QR code: %w", err)
	}
	var encoded bytes.Buffer
	if err := png.Encode(&encoded, drawn); err != nil {
		return "", fmt.Errorf("draw QR code: %w", err)
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(encoded.Bytes()), nil
}
