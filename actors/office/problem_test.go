package office_test

import (
	"errors"
	"net/http"
	"testing"

	"equity/actors/office"
	"equity/actors/office/officetest"
	"equity/fault"
)

func TestRefusalsHaveTheirErrors(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		status int
		code   string
		want   error
	}{
		{http.StatusNotFound, "itemNotFound", office.ErrNotFound},
		{http.StatusGone, "", office.ErrNotFound},
		{http.StatusConflict, "nameAlreadyExists", office.ErrExists},
		{http.StatusConflict, "resourceModified", office.ErrChanged},
		{http.StatusPreconditionFailed, "", office.ErrChanged},
		{http.StatusRequestedRangeNotSatisfiable, "", office.ErrRange},
		{http.StatusLocked, "notAllowed", office.ErrLocked},
		{http.StatusConflict, "resourceLocked", office.ErrLocked},
		{http.StatusForbidden, "malwareDetected", office.ErrMalware},
		{http.StatusInsufficientStorage, "", office.ErrFull},
		{http.StatusForbidden, "quotaLimitReached", office.ErrFull},
		{http.StatusRequestEntityTooLarge, "", office.ErrTooLarge},
		{http.StatusBadRequest, "invalidRequest", office.ErrRefused},
		{http.StatusConflict, "", office.ErrRefused},
		{http.StatusUnsupportedMediaType, "", office.ErrRefused},
	} {
		b := setup(t)
		b.server.Break(officetest.Faults{Status: test.status, Code: test.code})
		err := b.call()
		if !errors.Is(err, test.want) || fault.Is(err, fault.Unavailable) {
			t.Errorf("%d %s: %v", test.status, test.code, err)
			continue
		}
		refusal, is := errors.AsType[*office.StatusError](err)
		if !is || refusal.Status != test.status || refusal.Code != test.code {
			t.Errorf("%d %s: %+v", test.status, test.code, refusal)
		}
		b.hasNoSecret(err)
	}
}

func TestRefusedAccessConcernsTheOperator(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden} {
		b := setup(t)
		b.server.Break(officetest.Faults{Status: status, Code: "accessDenied"})
		b.isUnavailable(b.call())
	}
}

func TestStrangeCodesAreInNoError(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.server.Break(officetest.Faults{Status: http.StatusInternalServerError, Code: "secret-0123"})
	err := b.call()
	b.isUnavailable(err)
	if refusal, is := errors.AsType[*office.StatusError](err); !is || refusal.Code != "" {
		t.Errorf("%+v", refusal)
	}
}

func TestFullDriveDoesNotStopOtherCalls(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.server.Break(officetest.Faults{Status: http.StatusInsufficientStorage, Times: 6})
	for range 6 {
		if err := b.call(); !errors.Is(err, office.ErrFull) {
			t.Fatal(err)
		}
	}
	if err := b.call(); err != nil {
		t.Error(err)
	}
}
