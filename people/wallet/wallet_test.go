package wallet_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"equity/people/wallet"
)

// valid returns addresses from the examples of EIP-55, BIP 173 and BIP 350, and some well-known addresses.
func valid() map[string][]string {
	return map[string][]string{
		"ethereum": {
			"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
			"0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
			"0x52908400098527886E0F7030069857D2E4169EE7", "0xde709f2102306220921060314715629080e2fb77",
			"0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "0x0000000000000000000000000000000000000000",
		},
		"bitcoin": {
			"1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy", "1111111111111111111114oLvT2",
			"bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
			"bc1pw508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kt5nd6y", "BC1SW50QGDZ25J",
			"bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
		},
		"solana":  {"11111111111111111111111111111111", "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "So11111111111111111111111111111111111111112"},
		"near":    {"ada.near"},
		"Polygon": {"0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359"},
	}
}

func TestValidAddressesAreAccepted(t *testing.T) {
	t.Parallel()
	for network, addresses := range valid() {
		for _, address := range addresses {
			if faults := (wallet.Terms{Address: address, Network: network}).Faults(); faults != nil {
				t.Errorf("%s on %s: %v", address, network, faults)
			}
		}
	}
}

func TestInvalidAddressesAreRefused(t *testing.T) {
	t.Parallel()
	for network, addresses := range map[string][]string{
		"ethereum": {
			"5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD", "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeA",
			"0xFB6916095CA1DF60BB79CE92CE3EA74C37C5D359", "0X5aaeb6053f3e94c9b9a09f33669435e7ef1beaed",
			"0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaeg", "0x",
		},
		"bitcoin": {
			"1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", "1A1zP1eP5QGefi2DMPTfTL5SLmv7Divf0a", "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn", "1", "bc1",
			// BIP 173: an invalid version, length, case, padding or program.
			"bc1rw5uspcuh", "bc10w508d6qejxtdg4y5r3zarvary0c5xw7kw508d6qejxtdg4y5r3zarvary0c5xw7kw5rljs90", "BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P",
			"tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "bc1qW508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "bc1gmk9yu",
			"bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du",
			// BIP 350: the checksum of the other encoding, and a version above 16.
			"bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd", "BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL",
			"bc1p38j9r5y49hruaue7wxjce0updqjuyyx0kh56v8s25huc6995vvpql3jow4", "BC130XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ7ZWS8R",
			"bc1pw5dgrnzv", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7v8n0nx0muaewav253zgeav",
		},
		"solana": {"1111111111111111111111111111111", "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5Dl", strings.Repeat("2", 200)},
		"near":   {"ada near", strings.Repeat("é", 129), "a\x00b"},
	} {
		for _, address := range addresses {
			faults := (wallet.Terms{Address: address, Network: network}).Faults()
			if len(faults) != 1 || faults[0].Pointer != "/address" || faults[0].Code != "invalidAddress" {
				t.Errorf("%q on %s: %v", address, network, faults)
			}
		}
	}
}

func TestFaultsNameEveryInvalidField(t *testing.T) {
	t.Parallel()
	faults := (wallet.Terms{Address: " ", Network: "\t"}).Trimmed().Faults()
	if len(faults) != 2 || faults[0].Pointer != "/network" || faults[1].Pointer != "/address" {
		t.Errorf("%v", faults)
	}
}

func TestSpellingsShareOneCanonicalForm(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b wallet.Terms }{
		{wallet.Terms{Network: "Ethereum", Address: valid()["ethereum"][0]}, wallet.Terms{Network: "ethereum", Address: valid()["ethereum"][6]}},
		{wallet.Terms{Network: "bitcoin", Address: valid()["bitcoin"][3]}, wallet.Terms{Network: "BITCOIN", Address: valid()["bitcoin"][4]}},
	} {
		network, address := c.a.Canonical()
		sameNetwork, same := c.b.Canonical()
		if network != sameNetwork || address != same {
			t.Errorf("%s %s and %s %s", network, address, sameNetwork, same)
		}
	}
	for _, terms := range []wallet.Terms{{Network: "bitcoin", Address: valid()["bitcoin"][0]}, {Network: "solana", Address: valid()["solana"][1]}} {
		if _, address := terms.Canonical(); address != terms.Address {
			t.Errorf("the case of %s changed", terms.Address)
		}
	}
}

// One changed character is always detected in an address with a checksum.
func TestChecksumDetectsOneWrongCharacter(t *testing.T) {
	t.Parallel()
	addresses := valid()["bitcoin"]
	rapid.Check(t, func(t *rapid.T) {
		address := rapid.SampledFrom(addresses).Draw(t, "address")
		at := rapid.IntRange(3, len(address)-1).Draw(t, "at")
		replacement := rapid.SampledFrom([]byte("023456789acdefghjklmnpqrstuvwxyzABCDEFGHJKLMN")).Draw(t, "slip")
		if strings.EqualFold(string(replacement), address[at:at+1]) {
			return
		}
		wrong := address[:at] + string(replacement) + address[at+1:]
		if (wallet.Terms{Address: wrong, Network: "bitcoin"}).Faults() == nil {
			t.Errorf("%s is accepted", wrong)
		}
	})
}

func FuzzFaults(f *testing.F) {
	for network, addresses := range valid() {
		for _, address := range addresses {
			f.Add(network, address)
		}
	}
	f.Fuzz(func(t *testing.T, network, address string) {
		terms := wallet.Terms{Address: address, Network: network}.Trimmed()
		if terms.Faults() != nil {
			return
		}
		sameNetwork, same := terms.Canonical()
		if faults := (wallet.Terms{Address: same, Network: sameNetwork}).Faults(); faults != nil {
			t.Errorf("%q on %q is valid, but its canonical form is not: %v", address, network, faults)
		}
	})
}
