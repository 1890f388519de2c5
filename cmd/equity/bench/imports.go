package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"equity/captable"
	"equity/captable/exact"
	"equity/captable/ocf"
	"equity/messages"
	"equity/organization"
)

// Sizes of the measured imports.
const (
	importedRows     = 10_000
	holdersOfPackage = 5_000
	readersBeside    = 4 // callers of another organization
	exportersBeside  = 2
)

// folded is a journal that folds the events into a package.
type folded struct {
	exporter *organization.Exporter
	schema   *organization.Schema
}

// Append adds the rows to the package.
func (f folded) Append(batch messages.Append, done func(error)) {
	for _, row := range batch.Rows {
		event, err := f.schema.Decode(row.Type, row.Payload)
		if err != nil {
			done(err)
			return
		}
		f.exporter.Apply(event, captable.Stamp{Sequence: row.Sequence, At: captable.InstantOf(row.RecordedAt), By: row.By})
	}
	done(nil)
}

// packageOf returns the package of a company with so many shareholdings.
func packageOf(shareholdings uint64) ([]byte, error) {
	f := folded{organization.NewExporter(), organization.NewSchema()}
	s := newSeeder(f, f.schema)
	security, holders, err := s.company(organization.Founder{User: newID(), Entity: newID(), Name: "Bench"}, "Imported", holdersOfPackage)
	if err == nil {
		err = s.issue(security, holders, s.last+shareholdings)
	}
	if err != nil {
		return nil, err
	}
	now := time.Now().UTC()
	archive, err := f.exporter.Package(ocf.Cover{AsOf: exact.DateOf(now), GeneratedAt: now})
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	err = archive.WriteZip(&packed)
	return packed.Bytes(), err
}

// imports measures large imports, the other writes of their organization, and the reads of another organization during
// exports.
func (p pair) imports(ctx context.Context, a *api, process int, shareholdings uint64) ([]row, error) {
	packed, err := packageOf(shareholdings)
	if err != nil {
		return nil, err
	}
	large, err := a.newCompany(ctx, 1)
	if err != nil {
		return nil, err
	}
	before := residentMegabytes(process)
	seconds, peak, err := p.imported(ctx, a, large, process, upload{"", "application/zip", packed})
	if err != nil {
		return nil, err
	}
	rows := []row{
		{
			what: "package of " + number(float64(shareholdings)) + " shareholdings, imported during writes", ours: seconds.whole, unit: "s",
			reach: "nothing",
		},
		{what: "longest wait of another write of its organization", ours: seconds.longest, unit: "ms", reach: "≤ 1000"},
		{what: "growth of the memory during the import", ours: peak - before, unit: "MB", reach: "nothing"},
	}
	more, err := p.importedRows(ctx, a, process)
	if err != nil {
		return nil, err
	}
	exported, err := p.exports(ctx, a, large)
	if err != nil {
		return nil, err
	}
	beside, err := p.besideExports(ctx, a, large)
	return append(append(append(rows, more...), exported), beside...), err
}

// upload is a file to import.
type upload struct {
	kind, contentType string
	content           []byte
}

// import sends the file.
func (a *api) imports(ctx context.Context, c company, u upload) error {
	path := "/v1/organization/" + c.id + "/import"
	if u.kind != "" {
		path += "?kind=" + u.kind
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, a.base+path, bytes.NewReader(u.content))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", u.contentType)
	return a.drain(request, http.StatusCreated)
}

// drain sends the request and reads the answer to its end.
func (a *api) drain(request *http.Request, status int) error {
	response, err := a.client.Do(request)
	if err != nil {
		return err
	}
	defer func() { _ = response.Body.Close() }()
	if response.StatusCode != status {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 300)) //nolint:mnd // enough of a message
		return fmt.Errorf("%s: %w %d: %s", request.URL.Path, errStatus, response.StatusCode, text)
	}
	_, err = io.Copy(io.Discard, response.Body)
	return err
}

// waits are the time of an import in seconds and the longest wait of another write in milliseconds.
type waits struct{ whole, longest float64 }

// imported imports the file while another caller writes to the organization without a pause. It returns the largest
// memory of the process too.
func (p pair) imported(ctx context.Context, a *api, c company, process int, u upload) (waits, float64, error) {
	var found waits
	_, used, err := sampled(process, func() (any, error) {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		var group sync.WaitGroup
		var failed error
		group.Go(func() {
			taken, err := p.timed(
				ctx, newRequest("POST", "/v1/organization/"+c.id+"/shareholding", p.addresses.Server, p.cookie(1), c.issueBody(0, 1)), 201,
			)
			failed = err
			found.longest = milliseconds(taken.percentile(100), 1) //nolint:mnd // per cent
		})
		begin := time.Now()
		err := a.imports(ctx, c, u)
		found.whole = time.Since(begin).Seconds()
		stop()
		group.Wait()
		if err == nil {
			err = failed
		}
		return nil, err
	})
	return found, used.memory, err
}

// timed repeats a request over one connection until the context ends.
func (p pair) timed(ctx context.Context, r request, status int) (arrivals, error) {
	var taken arrivals
	connection, err := dial(context.WithoutCancel(ctx), p.addresses.Server)
	if err != nil {
		return taken, err
	}
	defer connection.close()
	for ctx.Err() == nil {
		begin := time.Now()
		if err := connection.exchange(r, status); err != nil {
			return taken, err
		}
		taken.accepted = append(taken.accepted, time.Since(begin))
	}
	return taken, nil
}

// importedRows imports members, shareholdings and options from spreadsheets.
func (p pair) importedRows(ctx context.Context, a *api, process int) ([]row, error) {
	c, err := a.newCompany(ctx, 1)
	if err != nil {
		return nil, err
	}
	var plan struct{}
	err = a.post(ctx, "/v1/organization/"+c.id+"/plan", map[string]any{
		"name": "Plan", "pools": []any{map[string]any{"name": "Pool", "security": c.security, "totalShares": "1000000000"}},
	}, &plan)
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, table := range []struct{ kind, heading, row string }{
		{"members", "fullName", "Member %d"},
		{"shareholdings", "holder,security,shares,issueDate", "Member %d,Common Stock,1,2024-03-15"},
		{"options", "holder,plan,type,quantity,issueDate,exercisePrice", "Member %d,Plan,nso,1,2026-03-15,1"},
	} {
		var file strings.Builder
		file.WriteString(table.heading + "\n")
		for i := range importedRows {
			fmt.Fprintf(&file, table.row+"\n", i)
		}
		took, _, err := p.imported(ctx, a, c, process, upload{table.kind, "text/csv", []byte(file.String())})
		if err != nil {
			return nil, err
		}
		what := fmt.Sprintf("%d rows of %s", importedRows, table.kind)
		rows = append(rows,
			row{what: what + ", imported during writes", ours: took.whole, unit: "s", reach: "nothing"},
			row{what: what + ", longest wait of another write", ours: took.longest, unit: "ms", reach: "≤ 1000"})
	}
	return rows, nil
}

// exports compares the times of the package and of the CSV of the cap table. A write before each of them makes earlier answers stale.
func (p pair) exports(ctx context.Context, a *api, large company) (row, error) {
	var packages, tables []float64
	for range p.rounds {
		for _, file := range []struct {
			format string
			took   *[]float64
		}{{"ocf", &packages}, {"csv", &tables}} {
			var issued struct{}
			if err := a.post(
				ctx, "/v1/organization/"+large.id+"/shareholding", json.RawMessage(large.issueBody(0, 1)), &issued,
			); err != nil {
				return row{}, err
			}
			request, err := http.NewRequestWithContext(
				ctx, http.MethodGet, a.base+"/v1/organization/"+large.id+"/captable?format="+file.format, nil,
			)
			if err != nil {
				return row{}, err
			}
			begin := time.Now()
			if err := a.drain(request, http.StatusOK); err != nil {
				return row{}, err
			}
			*file.took = append(*file.took, milliseconds(time.Since(begin), 1))
		}
	}
	return ratio("package of all shareholdings, exported, and the CSV of the cap table", "ms", "≤ 20×", packages, tables), nil
}

// besideExports measures the reads of another organization with and without exports of the large one.
func (p pair) besideExports(ctx context.Context, a *api, large company) ([]row, error) {
	other, err := a.newCompany(ctx, 1)
	if err != nil {
		return nil, err
	}
	read := newRequest("GET", "/v1/organization/"+other.id, p.addresses.Server, p.cookie(2), nil)
	var during, without []float64
	for range p.rounds {
		for _, side := range []struct {
			exporters int
			figures   *[]float64
		}{{exportersBeside, &during}, {0, &without}} {
			slowest, err := p.slowestReads(ctx, a, read, large, side.exporters)
			if err != nil {
				return nil, err
			}
			*side.figures = append(*side.figures, slowest)
		}
	}
	return []row{ratio("reads of other organizations during exports, p99", "ms", "≤ 2×", during, without)}, nil
}

// slowestReads returns the p99 of the reads in milliseconds.
func (p pair) slowestReads(ctx context.Context, a *api, read request, large company, exporters int) (float64, error) {
	ctx, stop := context.WithTimeout(ctx, p.duration)
	defer stop()
	var group sync.WaitGroup
	var mutex sync.Mutex
	var all arrivals
	var failed error
	for range readersBeside {
		group.Go(func() {
			taken, err := p.timed(ctx, read, http.StatusOK)
			mutex.Lock()
			defer mutex.Unlock()
			all.add(taken)
			failed = firstError(failed, err)
		})
	}
	for range exporters {
		group.Go(func() {
			for ctx.Err() == nil {
				request, err := http.NewRequestWithContext(
					ctx, http.MethodGet, a.base+"/v1/organization/"+large.id+"/captable?format=ocf", nil,
				)
				if err == nil {
					err = a.drain(request, http.StatusOK)
				}
				if err != nil && ctx.Err() == nil {
					mutex.Lock()
					failed = firstError(failed, err)
					mutex.Unlock()
					return
				}
			}
		})
	}
	group.Wait()
	return milliseconds(all.percentile(99), 1), failed //nolint:mnd // per cent
}

func firstError(first, next error) error {
	if first != nil {
		return first
	}
	return next
}
