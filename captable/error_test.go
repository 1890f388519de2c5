package captable_test

import (
	"testing"

	"equity/fault"
)

func TestError(t *testing.T) {
	t.Parallel()
	t.Run("the text of a refusal has its message and the faults of its fields", func(t *testing.T) {
		t.Parallel()
		equal(t, "plain", fault.Refuse(fault.Conflict, "It has ended.").Error(), "It has ended.")
		var faults fault.Fields
		faults.Add("/shares", "notPositive", "Too few.")
		faults.Add("", "oneOf", "Neither nor.")
		equal(t, "fields", faults.Err().Error(), "Some fields are not valid.: /shares: Too few.; Neither nor.")
	})
	t.Run("a list without faults is no error", func(t *testing.T) {
		t.Parallel()
		var faults fault.Fields
		if err := faults.Err(); err != nil {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a detail is added to a copy of a refusal, not to a shared one", func(t *testing.T) {
		t.Parallel()
		shared := fault.Refuse(fault.Conflict, "No.").With("a", "1")
		other := shared.With("b", "2")
		equal(t, "figures of the shared one", len(shared.Details), 1)
		equal(t, "figures of the other", other.Details["a"]+other.Details["b"], "12")
	})
}

func TestFaultsBesideOthers(t *testing.T) {
	t.Parallel()
	named := fault.Fields{{Pointer: "/to/member", Code: "invalidId"}, {Pointer: "/kind", Code: "enum"}, {Pointer: "/rates/0", Code: "required"}}
	for pointer, want := range map[string]bool{
		"/amount": true, "/rates/1": true, "/too": true, "/kinds": true,
		"/to": false, "/to/entity": false, "/rates": false, "/rates/0/rate": false, "": false,
	} {
		if all := named.WithIndependent(fault.Fields{{Pointer: pointer, Code: "required"}}); len(all) > len(named) != want {
			t.Errorf("%s beside: %v", pointer, all)
		}
	}
	if all := named.WithIndependent(fault.Fields{{Pointer: "/price", Code: "notOfThisKind"}}); len(all) > len(named) {
		t.Errorf("of which kind nobody knows: %v", all)
	}
}
