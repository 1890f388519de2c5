package account_test

import (
	"testing"

	"github.com/alexedwards/argon2id"

	"equity/account"
)

func TestPasswordsOfUnknownAccountsAreComparedAtTheFullCost(t *testing.T) {
	t.Parallel()
	cost, _, _, err := argon2id.DecodeHash(account.AbsentHash())
	if err != nil || *cost != account.PasswordCost() {
		t.Errorf("%+v %v", cost, err)
	}
}
