package wallet

import "strings"

// bech32Digits are the 32 digits of BIP 173 in order of their values.
const bech32Digits = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"

// The checksum constants: BIP 173 for version 0, BIP 350 for later versions.
const (
	bech32Constant  = 1
	bech32mConstant = 0x2bc830a3
)

const (
	maxBech32Length = 90
	bech32Check     = 6
)

// bech32 splits a text of the form prefix, 1, digits, checksum. It returns the prefix in lower case, the values of the digits
// before the checksum, and the checksum of the whole text.
func bech32(text string) (prefix string, values []byte, sum uint32, ok bool) {
	lower := strings.ToLower(text)
	if len(text) > maxBech32Length || text != lower && text != strings.ToUpper(text) {
		return "", nil, 0, false
	}
	at := strings.LastIndexByte(lower, '1')
	if at < 1 || len(lower)-at-1 < bech32Check {
		return "", nil, 0, false
	}
	for i := at + 1; i < len(lower); i++ {
		value := strings.IndexByte(bech32Digits, lower[i])
		if value < 0 {
			return "", nil, 0, false
		}
		values = append(values, byte(value)) //nolint:gosec // below 32
	}
	return lower[:at], values[:len(values)-bech32Check], checksum(lower[:at], values), true
}

// checksum computes the BCH code of BIP 173 over the prefix and the values.
func checksum(prefix string, values []byte) uint32 {
	sum := uint32(1)
	for i := range len(prefix) {
		sum = step(sum, prefix[i]>>5)
	}
	sum = step(sum, 0)
	for i := range len(prefix) {
		sum = step(sum, prefix[i]&31)
	}
	for _, value := range values {
		sum = step(sum, value)
	}
	return sum
}

func step(sum uint32, value byte) uint32 {
	top := sum >> 25
	sum = (sum&0x1ffffff)<<5 ^ uint32(value)
	for i, generator := range [...]uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3} {
		if top>>i&1 == 1 {
			sum ^= generator
		}
	}
	return sum
}

// fromBase32 regroups values of five bits into bytes (BIP 173). The padding must be shorter than five bits and zero.
func fromBase32(values []byte) ([]byte, bool) {
	var all []byte
	bits, pending := uint32(0), 0
	for _, value := range values {
		bits = bits<<5 | uint32(value)
		pending += 5
		if pending >= 8 {
			pending -= 8
			all = append(all, byte(bits>>pending)) //nolint:gosec // the upper bits are cleared
			bits &= 1<<pending - 1
		}
	}
	return all, pending < 5 && bits == 0
}
