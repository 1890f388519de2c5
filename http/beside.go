package http

import "maps"

// Beside holds the stores of data outside the journals of organizations.
type Beside struct {
	Wallets   Wallets
	Credit    Credit
	Referrals Referrals
	Waitlist  Waitlist
	Profiles  Profiles
	// Administration, Blocklist and Erasure manage accounts.
	Administration Administration
	Blocklist      Blocklist
	Erasure        Erasure
}

// besideHandlers maps operation ids to the handlers that use these stores.
func (s *Server) besideHandlers() map[string]Handler {
	all := s.walletHandlers()
	maps.Copy(all, s.creditHandlers())
	maps.Copy(all, s.referralHandlers())
	maps.Copy(all, s.profileHandlers())
	maps.Copy(all, s.administrationHandlers())
	maps.Copy(all, s.blocklistHandlers())
	maps.Copy(all, s.privacyHandlers())
	return all
}
