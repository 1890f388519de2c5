package ocf_test

import (
	"io"
	"io/fs"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"equity/captable/ocf"
)

// bomb is a package with a file that unpacks to far more than its compressed size.
type bomb struct {
	fstest.MapFS

	begin, unit string
}

// unpacked is the file of a bomb: a prefix and many repetitions of a unit.
type unpacked struct {
	fs.File
	io.Reader
}

func (u unpacked) Read(p []byte) (int, error) { return u.Reader.Read(p) }

// repeated reads a text a given number of times.
type repeated struct {
	text  string
	from  int
	times int
}

func (r *repeated) Read(p []byte) (n int, err error) {
	for n < len(p) && r.times > 0 {
		copied := copy(p[n:], r.text[r.from:])
		n += copied
		if r.from += copied; r.from == len(r.text) {
			r.from, r.times = 0, r.times-1
		}
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (b bomb) Open(name string) (fs.File, error) {
	f, err := b.MapFS.Open(name)
	if err == nil && name == "Transactions.ocf.json" {
		const size = 300 << 20
		return unpacked{f, io.MultiReader(strings.NewReader(b.begin), &repeated{text: b.unit, times: size / len(b.unit)})}, nil
	}
	return f, err
}

// The ceiling applies to the total allocation, not to the peak heap size. The test runs
// alone, because the runtime counts the allocations of the whole process.
func TestRefusedPackageTakesNoMemory(t *testing.T) { //nolint:paralleltest // see above
	const begin, ceiling = `{"file_type":"OCF_TRANSACTIONS_FILE","items":[`, 4 << 20
	object := `{"id":"` + strings.Repeat("x", 2_000) + `"},`
	for claim, b := range map[string]bomb{ //nolint:paralleltest // the runtime counts allocations of the whole process
		"beyond its bytes":                 {begin: begin, unit: object},
		"beyond its objects":               {begin: begin, unit: `{},`},
		"beyond its elements":              {begin: begin, unit: `1,`},
		"beyond the length of an object":   {begin: begin + `"`, unit: "x"},
		"beyond the length between them":   {begin: begin, unit: " "},
		"beyond its depth":                 {begin: begin, unit: "["},
		"beyond its depth, as an object":   {begin: begin, unit: `{"a":`},
		"with fields of a file, not items": {begin: `{"file_type":"x"`, unit: `,"a":1`},
	} {
		t.Run(claim, func(t *testing.T) {
			b.MapFS = sound().files()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			p, findings := ocf.Read(b)
			runtime.ReadMemStats(&after)
			equal(t, "refused", findings.Refused(), true)
			equal(t, "objects", p.Objects, 0)
			if took := after.TotalAlloc - before.TotalAlloc; took > ceiling {
				t.Errorf("%d kB were allocated, at most %d are allowed", took>>10, ceiling>>10)
			}
		})
	}
}
