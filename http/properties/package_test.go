package properties_test

import (
	"archive/zip"
	"bytes"
	"io"
	"maps"
	"mime/multipart"
	"slices"
	"strings"
	"testing"
	"time"

	"equity/captable"
)

// export returns the package of the company as of the day, and the content of its files by
// name.
func (c *company) export(day captable.Date) (archive string, files map[string]string) {
	archive = c.get(c.home+"/captable", "format", "ocf", "asOf", day.String())
	read, err := zip.NewReader(strings.NewReader(archive), int64(len(archive)))
	if err != nil {
		failf("package: %v", err)
	}
	files = map[string]string{}
	for _, file := range read.File {
		from, err := file.Open()
		if err != nil {
			failf("package: %v", err)
		}
		content, err := io.ReadAll(from)
		if err != nil {
			failf("package: %v", err)
		}
		files[file.Name] = string(content)
	}
	return archive, files
}

// take imports a package.
func (c *company) take(archive string) {
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part, err := writer.CreateFormFile("file", "package.zip")
	if err == nil {
		_, err = io.WriteString(part, archive)
	}
	if err != nil || writer.Close() != nil {
		failf("form: %v", err)
	}
	got := c.owner.send(c.cached, "POST", c.home+"/import", writer.FormDataContentType(), form.String())
	c.holds(got.status == 201, "our own package is refused: %d %s", got.status, got.body)
}

// madeAt returns the generation time of a package, which is the time of the last entry.
func madeAt(manifest string) time.Time {
	of, _ := parsed(manifest).(map[string]any)
	at, err := time.Parse(time.RFC3339, text(of["generated_at"]))
	if err != nil {
		failf("manifest: %v", err)
	}
	return at
}

// An exported package that is imported and exported again is the same, file by file.
func TestExportsAreAFixedPoint(t *testing.T) {
	t.Parallel()
	everywhere(t, &property{kinds: all(), most: 40, histories: 3, check: func(w *world, steps []step) {
		c := w.found("company", 1, 1)
		for n, s := range steps {
			c.perform(n, s)
		}
		archive, files := c.export(c.today)
		again := w.bare("again")
		made := madeAt(files["Manifest.ocf.json"])
		if begin := c.today.Time(); made.Before(begin) { // the package has lapses up to today
			files["Manifest.ocf.json"] = strings.Replace(files["Manifest.ocf.json"], made.Format(time.RFC3339), begin.Format(time.RFC3339), 1)
			made = begin
		}
		w.clock.set(made)
		again.today = c.today
		again.take(archive)
		_, second := again.export(c.today)
		names := slices.Sorted(maps.Keys(files))
		c.holds(slices.Equal(names, slices.Sorted(maps.Keys(second))), "the files are %v, and were %v", slices.Sorted(maps.Keys(second)), names)
		for _, name := range names {
			c.holds(second[name] == files[name], "%s:\n%s\nwas\n%s\n%s", name, second[name], files[name], difference(second[name], files[name]))
		}
		c.sameTable(again)
	}})
}

// sameTable checks that two companies have the same figures by names of holders and classes.
func (c *company) sameTable(other *company) {
	read := func(of *company) string {
		table := of.object(of.home+"/captable", "asOf", of.today.String())
		for _, class := range list(table["securities"]) {
			delete(class, "id")
		}
		for _, holder := range list(table["holders"]) {
			delete(holder, "bySecurity")
			delete(holder, "entity")
			delete(holder, "invested")
		}
		totals, _ := table["totals"].(map[string]any)
		delete(totals, "invested")
		return written([]any{totals, table["securities"], table["holders"]})
	}
	got, want := read(other), read(c)
	c.holds(got == want, "the imported table:\n%s\nwas\n%s\n%s", got, want, difference(got, want))
}
