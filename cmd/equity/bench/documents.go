package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"
)

// Sizes of the measured transfers and listings.
const (
	fileBytes       = 10 << 20 // the largest permitted by default
	filesOfTransfer = 100      // 1 GB
	transferCallers = 16
	transferWithin  = 10 * time.Minute
	listedDocuments = 10_000
	filesOfUpload   = 20 // the most that one upload may have
	listCallers     = 16
)

// documents measures transfers through the data room and the listing of a large folder.
func (p pair) documents(ctx context.Context, a *api, process int) ([]row, error) {
	rows, err := p.transfers(ctx, a, process)
	if err != nil {
		return nil, err
	}
	listed, err := p.listing(ctx, a)
	return append(rows, listed...), err
}

// form is a body with files. Their names and contents are numbered in place, because an encoding of each body would cost the load client
// more than its sending.
type form struct {
	body    []byte
	numbers []int // the places of the numbers: a name and a content in turn
}

const (
	formBoundary = "boundary-of-the-form"
	digits       = 5
)

// newForm returns a form with so many files of a size.
func newForm(files, size int) *form {
	f := &form{}
	content := bytes.Repeat([]byte("0123456789abcdef"), size/16) //nolint:mnd // the length of the text
	for range files {
		f.body = append(f.body, "--"+formBoundary+"\r\nContent-Disposition: form-data; name=\"file\"; filename=\""...)
		f.numbers = append(f.numbers, len(f.body))
		f.body = append(f.body, "00000.bin\"\r\n\r\n"...)
		f.numbers = append(f.numbers, len(f.body))
		f.body = append(f.body, content...)
		f.body = append(f.body, "\r\n"...)
	}
	f.body = append(f.body, "--"+formBoundary+"--\r\n"...)
	return f
}

// number numbers the files from first on.
func (f *form) number(first int) {
	for i, at := range f.numbers {
		copy(f.body[at:at+digits], fmt.Sprintf("%05d", first+i/2)) //nolint:mnd // two numbers of each file
	}
}

// send uploads the form and returns the answer.
func (f *form) send(c *connection, path, host, cookie string) ([]byte, error) {
	head := newRequest(http.MethodPost, path, host, cookie, nil,
		"Content-Type: multipart/form-data; boundary="+formBoundary, fmt.Sprintf("Content-Length: %d", len(f.body)))
	for _, part := range [][]byte{head, f.body} {
		if _, err := c.Write(part); err != nil {
			return nil, fmt.Errorf("send: %w", err)
		}
	}
	_, answer, err := c.read(http.StatusCreated, true)
	return answer, err
}

// transfers uploads and downloads files through the data room and through a plain handler in turn, and samples the memory of the server.
func (p pair) transfers(ctx context.Context, a *api, process int) ([]row, error) {
	idle := p.settledMemory(ctx, process)
	var up, plainUp, down, plainDown []float64
	var growth float64
	for round := range p.rounds {
		c, err := a.newCompany(ctx, 0)
		if err != nil {
			return nil, err
		}
		room := "/v1/organization/" + c.id + "/document"
		rates, used, err := sampled(process, func() (transferred, error) {
			return p.transfer(ctx, p.addresses.Server, func(int) string { return room }, func(_ int, answer []byte) (string, error) {
				id, err := addedDocument(answer)
				return room + "/" + id + "/content", err
			})
		})
		if err != nil {
			return nil, fmt.Errorf("transfer through the data room: %w", err)
		}
		up, down, growth = append(up, rates.up), append(down, rates.down), max(growth, used.memory-idle)
		plain := func(file int) string { return fmt.Sprintf("/%d-%d", round, file) }
		rates, err = p.transfer(ctx, p.addresses.Plain, plain, func(file int, _ []byte) (string, error) { return plain(file), nil })
		if err != nil {
			return nil, fmt.Errorf("transfer through the plain handler: %w", err)
		}
		plainUp, plainDown = append(plainUp, rates.up), append(plainDown, rates.down)
	}
	what := fmt.Sprintf("1 GB in files of 10 MB, %d callers, ", transferCallers)
	return []row{
		ratio(what+"uploaded", "MB/s", "≥ 0.7×", up, plainUp),
		ratio(what+"downloaded", "MB/s", "≥ 0.7×", down, plainDown),
		{what: what + "growth of the memory", ours: growth, unit: "MB", reach: "≤ 64"},
	}, nil
}

// addedDocument returns the id of the document in the answer to an upload.
func addedDocument(answer []byte) (string, error) {
	var added struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.Unmarshal(answer, &added); err != nil {
		return "", err
	}
	if len(added.Data) != 1 {
		return "", fmt.Errorf("%w: %.300s", errAnswer, answer)
	}
	return added.Data[0].ID, nil
}

// transferred are the rates of a transfer in MB per second.
type transferred struct{ up, down float64 }

// transfer uploads all files, and then downloads them. To returns the path of an upload, and stored that of its content.
func (p pair) transfer(
	ctx context.Context, address string, to func(file int) string, stored func(file int, answer []byte) (string, error),
) (rates transferred, err error) {
	forms := make([]*form, transferCallers)
	for i := range forms {
		forms[i] = newForm(1, fileBytes)
	}
	paths := make([]string, filesOfTransfer)
	rates.up, err = p.eachFile(ctx, address, func(c *connection, caller, file int) error {
		forms[caller].number(file)
		answer, err := forms[caller].send(c, to(file), address, p.cookie(caller))
		if err != nil {
			return err
		}
		paths[file], err = stored(file, answer)
		return err
	})
	if err != nil {
		return rates, err
	}
	rates.down, err = p.eachFile(ctx, address, func(c *connection, caller, file int) error {
		return c.exchange(newRequest(http.MethodGet, paths[file], address, p.cookie(caller), nil), http.StatusOK)
	})
	return rates, err
}

// eachFile calls move for each file, by concurrent callers, and returns the rate in MB per second.
func (p pair) eachFile(ctx context.Context, address string, move func(c *connection, caller, file int) error) (float64, error) {
	ctx, cancel := context.WithTimeout(ctx, transferWithin)
	defer cancel()
	var next atomic.Int64
	var callers errgroup.Group
	used, begin := processorTime(), time.Now()
	for caller := range transferCallers {
		callers.Go(func() error {
			c, err := dial(ctx, address)
			if err != nil {
				return err
			}
			defer c.close()
			for {
				file := int(next.Add(1)) - 1
				if file >= filesOfTransfer {
					return nil
				}
				if err := move(c, caller, file); err != nil {
					return err
				}
			}
		})
	}
	if err := callers.Wait(); err != nil {
		return 0, err
	}
	elapsed := time.Since(begin)
	p.share.used += processorTime() - used
	p.share.elapsed += elapsed
	const megabyte = 1 << 20
	return filesOfTransfer * fileBytes / megabyte / elapsed.Seconds(), nil
}

// listing measures the listing of a folder against a handler that writes the same bytes, and the first listing after a change.
func (p pair) listing(ctx context.Context, a *api) ([]row, error) {
	c, err := a.newCompany(ctx, 0)
	if err != nil {
		return nil, err
	}
	if err := p.fillRoom(ctx, c); err != nil {
		return nil, err
	}
	path := "/v1/organization/" + c.id + "/document?parentFolder=root"
	list := func(host string, caller int) request {
		return newRequest(http.MethodGet, path, host, p.cookie(caller), nil)
	}
	begin := time.Now()
	_, size, err := p.tag(ctx, path)
	if err != nil {
		return nil, err
	}
	first := milliseconds(time.Since(begin), 1)
	if err := p.prepare(ctx, list); err != nil {
		return nil, err
	}
	ours, theirs, err := p.run(ctx, "folder", listCallers, http.StatusOK, list)
	if err != nil {
		return nil, err
	}
	what := fmt.Sprintf("folder of %d documents, listed", listedDocuments)
	rows := []row{
		ratio(what, "requests/s", "≥ 0.5×", ours, theirs), {what: what + " after a change", ours: first, unit: "ms", reach: "nothing"},
	}
	rows[0].note = fmt.Sprintf("%d bytes", size)
	return rows, nil
}

// prepare lets the baseline prepare its answer before the measurement.
func (p pair) prepare(ctx context.Context, list func(host string, caller int) request) error {
	connection, err := dial(ctx, p.addresses.Baseline)
	if err != nil {
		return err
	}
	defer connection.close()
	return connection.exchange(list(p.addresses.Baseline, 0), http.StatusOK)
}

// fillRoom uploads the documents of the measured folder.
func (p pair) fillRoom(ctx context.Context, c company) error {
	connection, err := dial(ctx, p.addresses.Server)
	if err != nil {
		return err
	}
	defer connection.close()
	sent := newForm(filesOfUpload, 16) //nolint:mnd // bytes of each file; a list contains no bytes
	for first := 0; first < listedDocuments; first += filesOfUpload {
		sent.number(first)
		if _, err := sent.send(connection, "/v1/organization/"+c.id+"/document", p.addresses.Server, p.cookie(0)); err != nil {
			return fmt.Errorf("upload to the measured folder: %w", err)
		}
	}
	return nil
}
