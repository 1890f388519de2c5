package http

import (
	"encoding/base64"
	"encoding/json"
	"net/netip"
	"time"

	"equity/http/api"
	"equity/messages"
)

// identity is the JSON form of a caller between nodes.
type identity struct {
	User               [16]byte             `json:"user"`
	SiteAdmin          bool                 `json:"siteAdmin,omitempty"`
	MustChangePassword bool                 `json:"mustChangePassword,omitempty"`
	Session            string               `json:"session,omitempty"`
	Token              *messages.TokenGrant `json:"token,omitempty"`
	Address            netip.Addr           `json:"address"`
	SecondFactorAt     time.Time            `json:"secondFactorAt,omitzero"`
}

func headerOf(c api.Caller) (string, error) {
	text, err := json.Marshal(identity{c.User, c.SiteAdmin, c.MustChangePassword, c.Session, c.Token, c.Address, c.SecondFactorAt})
	return base64.StdEncoding.EncodeToString(text), err
}

func callerOf(header string) (c api.Caller, err error) {
	var i identity
	text, err := base64.StdEncoding.DecodeString(header)
	if err == nil {
		err = json.Unmarshal(text, &i)
	}
	return api.Caller{
		User: i.User, SiteAdmin: i.SiteAdmin, MustChangePassword: i.MustChangePassword, Session: i.Session, Token: i.Token,
		Address:        i.Address,
		SecondFactorAt: i.SecondFactorAt,
	}, err
}
