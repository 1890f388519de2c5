package api_test

import (
	"testing"

	"equity/http/api"
	"equity/organization"
)

func TestOneOrganizationLeavesASlotOfImportsToOthers(t *testing.T) {
	t.Parallel()
	imports := api.NewImports(3)
	for _, c := range []struct {
		home    string
		user    byte
		entered bool
	}{{"hostile", 1, true}, {"hostile", 2, true}, {"hostile", 3, false}, {"other", 1, false}, {"other", 4, true}} {
		err := imports.Enter(t.Context(), c.home, organization.UserID{c.user})
		if (err == nil) != c.entered {
			t.Errorf("user %d of %s: %v", c.user, c.home, err)
		}
	}
}
