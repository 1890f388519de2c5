package account

import (
	"encoding/base32"
	"net/url"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
)

// The defaults of authenticator apps (RFC 6238): SHA-1, six digits, steps of 30 seconds.
const (
	totpIssuer = "Equity"
	totpSeed   = 20 // bytes, as in RFC 4226
	totpStep   = 30 // seconds
	totpSkew   = 1  // accepted clock error in steps, in both directions
)

// totpSecret returns the seed in the form in which users type it into apps.
func totpSecret(seed []byte) string {
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(seed)
}

// totpCode returns the step of the code near the given time; false if the code is invalid. The
// comparison runs in constant time.
func totpCode(typed string, seed []byte, at time.Time) (step int64, fits bool) {
	typed = strings.ReplaceAll(typed, " ", "")
	now := at.Unix() / totpStep
	for candidate := now - totpSkew; candidate <= now+totpSkew; candidate++ {
		same, err := hotp.ValidateCustom(typed, uint64(candidate), totpSecret(seed), hotp.ValidateOpts{ //nolint:gosec // times before 1970 do not occur
			Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1,
		})
		if err == nil && same {
			return candidate, true
		}
	}
	return 0, false
}

// totpAddress returns the otpauth URL of the QR code.
func totpAddress(email string, seed []byte) string {
	query := url.Values{"secret": {totpSecret(seed)}, "issuer": {totpIssuer}}
	return "otpauth://totp/" + url.PathEscape(totpIssuer+":"+email) + "?" + query.Encode()
}
