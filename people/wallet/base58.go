package wallet

import (
	"errors"

	"github.com/btcsuite/btcd/btcutil/base58"
)

// maxBase58Length bounds the work, which grows with the square of the length. Valid addresses are much shorter.
const maxBase58Length = 128

const solanaBytes = 32

// solanaFault checks a Solana address: a public key of 32 bytes in base 58, without a checksum.
func solanaFault(address string) string {
	if len(address) > maxBase58Length || len(base58.Decode(address)) != solanaBytes {
		return "A Solana address must be 32 bytes in base 58."
	}
	return ""
}

var errTooLong = errors.New("the text is too long")

// base58Check decodes base 58 with a version byte and a checksum.
func base58Check(text string) (payload []byte, version byte, err error) {
	if len(text) > maxBase58Length {
		return nil, 0, errTooLong
	}
	return base58.CheckDecode(text)
}
