package wallet

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"equity/fault"
)

// Terms are the user-supplied fields of a wallet.
type Terms struct {
	// Address keeps its original spelling. Compare addresses by their canonical form.
	Address string `json:"address"`
	// Network is a name such as ethereum, in any case. Unknown names are accepted.
	Network string `json:"network"`
	// Label is a display name. It may be empty.
	Label string `json:"label"`
}

// maxUnknownLength is the maximum length, in characters, of an address on an unknown network.
const maxUnknownLength = 128

// Trimmed returns the terms without surrounding white space.
func (t Terms) Trimmed() Terms {
	return Terms{strings.TrimSpace(t.Address), strings.TrimSpace(t.Network), strings.TrimSpace(t.Label)}
}

// Faults lists the invalid fields of trimmed terms.
func (t Terms) Faults() fault.Fields {
	var faults fault.Fields
	if t.Network == "" {
		faults.Add("/network", "required", "The network is required, for example ethereum.")
	}
	if t.Address == "" {
		faults.Add("/address", "required", "The address is required.")
		return faults
	}
	if problem := familyOf(t.Network).fault(t.Address); problem != "" {
		faults.Add("/address", "invalidAddress", problem)
	}
	return faults
}

// Canonical returns network and address in a form that is equal for all spellings of the same address.
func (t Terms) Canonical() (network, address string) {
	network = strings.ToLower(t.Network)
	return network, familyOf(t.Network).canonical(t.Address)
}

// family is a group of networks with the same address format.
type family struct {
	// fault returns a sentence that describes an invalid address, or "" for a valid one.
	fault     func(address string) string
	canonical func(address string) string
}

// familyOf returns the family of a network. The case of the name is ignored.
func familyOf(network string) family {
	switch strings.ToLower(network) {
	case "ethereum", "sepolia", "holesky", "polygon", "arbitrum", "optimism", "base", "avalanche", "bsc", "binance", "gnosis",
		"celo", "linea", "scroll", "zksync", "fantom":
		return family{ethereumFault, strings.ToLower}
	case "bitcoin":
		return family{bitcoinFault, bitcoinCanonical}
	case "solana":
		return family{solanaFault, identity}
	default:
		return family{unknownFault, identity}
	}
}

func identity(address string) string { return address }

func unknownFault(address string) string {
	if utf8.RuneCountInString(address) > maxUnknownLength {
		return "The address must have at most 128 characters."
	}
	if strings.ContainsFunc(address, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }) {
		return "The address must not contain white space or control characters."
	}
	return ""
}
