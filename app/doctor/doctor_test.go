package doctor_test

import (
	"bytes"
	"strings"
	"testing"

	"equity/app/doctor"
	"equity/cmd/equity/redact"
)

func TestLittleSpaceIsReported(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		free, total uint64
		want        doctor.State
	}{
		{99 << 20, 1 << 40, doctor.Failure},
		{500 << 20, 1 << 40, doctor.Warning},
		{20 << 30, 1 << 40, doctor.Warning}, // 2 %
		{80 << 30, 1 << 40, doctor.OK},
		{3 << 30, 10 << 30, doctor.OK},
	} {
		if found := doctor.Space("/data", test.free, test.total); found.State != test.want {
			t.Errorf("%d of %d: %+v", test.free, test.total, found)
		}
	}
}

func TestSecretsAreReplacedInEachFinding(t *testing.T) {
	t.Parallel()
	report := doctor.NewReport(redact.New([]string{"ab", "hunter22", "hunter22-long"}).Text, []doctor.Finding{
		doctor.Good("one", "about"), doctor.Warn("two", "use hunter22-long", "the key\nhunter22"), doctor.Fail("three", "act", "x"),
	})
	var out bytes.Buffer
	if err := report.Print(&out); err != nil {
		t.Fatal(err)
	}
	want := "ok       one    about\nwarning  two    the key ********; repair: use ********\nfailure  three  x; repair: act\n"
	if out.String() != want || report.Status != doctor.Failure {
		t.Errorf("%s\n%s", report.Status, out.String())
	}
	out.Reset()
	if err := report.JSON(&out); err != nil || strings.Contains(out.String(), "hunter2") {
		t.Errorf("%v %s", err, out.String())
	}
}
