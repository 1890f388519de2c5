package stamp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/pdfcpu/pdfcpu/pkg/api"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"equity/confine"
)

// Work returns the work of a child: its request is a line with the reader in JSON and the bytes of a PDF.
func Work() confine.Work {
	return confine.Work{
		Name: "stamp", Do: do,
		Limits: confine.Limits{Memory: 256 << 20, Processor: 15 * time.Second, Time: 20 * time.Second, Output: 128 << 20},
	}
}

var errNoPages = errors.New("the content has no pages")

func do(in io.Reader, out io.Writer) error {
	buffered := bufio.NewReader(in)
	header, err := buffered.ReadBytes('\n')
	if err != nil {
		return err
	}
	var reader Reader
	if err := json.Unmarshal(header, &reader); err != nil {
		return err
	}
	content, err := io.ReadAll(buffered)
	if err != nil {
		return err
	}
	disableFolder()
	return write(bytes.NewReader(content), out, reader)
}

// disableFolder turns off the configuration folder of the library, which is in the home folder of the user. It changes a variable of the
// library once.
var disableFolder = sync.OnceFunc(api.DisableConfigDir) //nolint:gochecknoglobals // state of the library

// The looks of the stamps: a line at the lower edge, which is easy to read, and a pale one across the page, which is hard to cut off.
const (
	edge   = "font:Helvetica, points:8, scale:1 abs, pos:bc, off:0 6, rot:0, fillc:#555555, op:0.9"
	across = "font:Helvetica, scale:0.8 rel, pos:c, diagonal:1, fillc:#888888, op:0.15"
)

func write(content io.ReadSeeker, to io.Writer, reader Reader) error {
	conf := model.NewDefaultConfiguration()
	conf.Cmd = model.ADDWATERMARKS
	conf.OptimizeDuplicateContentStreams = false
	conf.Offline = true
	read, err := api.ReadValidateAndOptimize(content, conf)
	if err != nil {
		return err
	}
	if err := read.EnsurePageCount(); err != nil {
		return err
	}
	if read.PageCount == 0 {
		return errNoPages
	}
	who := strings.TrimSpace(printable(reader.Name) + " " + printable(reader.Email))
	for look, text := range map[string]string{edge: who + " " + reader.At.UTC().Format("2006-01-02 15:04:05 UTC"), across: who} {
		mark, err := api.TextWatermark(text, look, true, false, types.POINTS)
		if err != nil {
			return err
		}
		if err := api.WatermarkContext(read, nil, mark); err != nil {
			return err
		}
	}
	return api.WriteContext(read, to)
}

// printable returns the text in the characters of the standard fonts. Others become question marks; the address identifies the reader.
func printable(text string) string {
	const lastLatin = 0xff
	return strings.Map(func(r rune) rune {
		switch {
		case r < ' ' || r == 0x7f:
			return ' '
		case r == '%': // begins a placeholder of the library
			return '?'
		case r > lastLatin || r > 0x7e && r < 0xa0:
			return '?'
		}
		return r
	}, text)
}
