package ocf_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"reflect"
	"testing"

	"equity/captable/ocf"
)

// readBoth reads a package directly and through its unpacked form, and requires the same result.
func readBoth(tb testing.TB, files fs.FS, limits ocf.Limits) (*ocf.Package, ocf.Findings) {
	tb.Helper()
	want, wantFindings := ocf.ReadWithin(files, limits)
	var unpacked bytes.Buffer
	if err := ocf.Unpack(files, limits, &unpacked); err != nil {
		tb.Fatal(err)
	}
	got, gotFindings, err := ocf.ReadUnpacked(section(unpacked.Bytes()), limits)
	if err != nil {
		tb.Fatal(err)
	}
	if !reflect.DeepEqual(gotFindings, wantFindings) {
		tb.Errorf("got the findings %v, want %v", gotFindings, wantFindings)
	}
	if got.Objects != want.Objects || got.Version != want.Version || !reflect.DeepEqual(got.Issuer, want.Issuer) ||
		!reflect.DeepEqual(got.Stakeholders, want.Stakeholders) || !reflect.DeepEqual(got.Carried, want.Carried) {
		tb.Errorf("got %+v, want %+v", got, want)
	}
	return got, gotFindings
}

func section(content []byte) *io.SectionReader {
	return io.NewSectionReader(bytes.NewReader(content), 0, int64(len(content)))
}

func TestUnpackedPackageOfEveryKindOfObjectIsReadTheSame(t *testing.T) {
	t.Parallel()
	p, findings := readBoth(t, everything().files(), ocf.DefaultLimits())
	equal(t, "refused", findings.Refused(), false)
	equal(t, "it has objects", p.Objects > 0, true)
}

func TestPackageBeyondItsLimitsIsUnpackedToFindingsOnly(t *testing.T) {
	t.Parallel()
	var unpacked bytes.Buffer
	if err := ocf.Unpack(sound().files(), ocf.Limits{Bytes: 1_000, Files: 100, Objects: 100, ObjectBytes: 1_000, Depth: 32}, &unpacked); err != nil {
		t.Fatal(err)
	}
	equal(t, "bytes are few", unpacked.Len() < 500, true)
}

func TestDamagedUnpackedPackageIsAnError(t *testing.T) {
	t.Parallel()
	var unpacked bytes.Buffer
	if err := ocf.Unpack(sound().files(), ocf.DefaultLimits(), &unpacked); err != nil {
		t.Fatal(err)
	}
	whole := unpacked.Bytes()
	for claim, content := range map[string][]byte{
		"nothing": nil, "its end is missing": whole[:len(whole)-1], "its beginning is missing": whole[len(whole)-20:],
		"no index": append(bytes.Repeat([]byte("x"), 100), "00000050"...), "a negative size": []byte("{}-0000002"),
	} {
		t.Run(claim, func(t *testing.T) {
			t.Parallel()
			if _, _, err := ocf.ReadUnpacked(section(content), ocf.DefaultLimits()); !errors.Is(err, ocf.ErrUnpacked) {
				t.Errorf("%v", err)
			}
		})
	}
}

// full fails at the first byte.
type full struct{}

var errFull = errors.New("no space")

func (full) Write([]byte) (int, error) { return 0, errFull }

func TestUnpackReturnsTheErrorOfTheWriter(t *testing.T) {
	t.Parallel()
	if err := ocf.Unpack(sound().files(), ocf.DefaultLimits(), full{}); !errors.Is(err, errFull) {
		t.Errorf("%v", err)
	}
}
