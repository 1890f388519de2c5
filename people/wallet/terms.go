package wallet

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"equity/captable"
)

// Terms are what people say of a wallet.
type Terms struct {
	// Address is kept as it was written; two spellings of one address are one address.
	Address string `json:"address"`
	// Network is a name such as ethereum, in any case. A name that is not known here is kept too.
	Network string `json:"network"`
	// Label is for people; it may be empty.
	Label string `json:"label"`
}

// longestUnknown is how many characters an address may have on a network whose form is not known.
const longestUnknown = 128

// Trimmed gives the terms without blanks around them.
func (t Terms) Trimmed() Terms {
	return Terms{strings.TrimSpace(t.Address), strings.TrimSpace(t.Network), strings.TrimSpace(t.Label)}
}

// Faults lists what is wrong with trimmed terms; none when nothing is.
func (t Terms) Faults() captable.Faults {
	var faults captable.Faults
	if t.Network == "" {
		faults.Add("/network", "required", "Name the network, such as ethereum.")
	}
	if t.Address == "" {
		faults.Add("/address", "required", "Write the address.")
		return faults
	}
	if fault := familyOf(t.Network).fault(t.Address); fault != "" {
		faults.Add("/address", "invalidAddress", fault)
	}
	return faults
}

// Canonical gives network and address in the one spelling that all spellings of them share.
func (t Terms) Canonical() (network, address string) {
	network = strings.ToLower(t.Network)
	return network, familyOf(t.Network).canonical(t.Address)
}

// family is how addresses are written on the networks that are alike.
type family struct {
	// fault says in a sentence what is wrong with an address; empty when nothing is.
	fault     func(address string) string
	canonical func(address string) string
}

// familyOf finds the family of a network by its name.
func familyOf(network string) family {
	switch strings.ToLower(network) {
	case "ethereum", "sepolia", "holesky", "polygon", "arbitrum", "optimism", "base", "avalanche", "bsc", "binance", "gnosis",
		"celo", "linea", "scroll", "zksync", "fantom":
		return family{ethereumFault, strings.ToLower}
	case "bitcoin":
		return family{bitcoinFault, bitcoinCanonical}
	case "solana":
		return family{solanaFault, asWritten}
	default:
		return family{unknownFault, asWritten}
	}
}

func asWritten(address string) string { return address }

func unknownFault(address string) string {
	if utf8.RuneCountInString(address) > longestUnknown {
		return "An address has at most 128 characters."
	}
	if strings.ContainsFunc(address, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }) {
		return "An address has no blanks in it."
	}
	return ""
}
