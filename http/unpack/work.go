package unpack

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"time"

	"equity/captable/ocf"
	"equity/confine"
)

// maxIndex is the size of an answer beyond the contents of the files, in bytes.
const maxIndex = 16 << 20

// Work returns the work of a child: its request is a line with a [request] in JSON and the contents of the files, and its answer the
// form of [ocf.Unpack], or nothing if the file is no archive. Content is the maximum size of the unpacked files in bytes.
func Work(content int64) confine.Work {
	return confine.Work{
		Name: "package", Do: do,
		Limits: confine.Limits{Memory: 256 << 20, Processor: 30 * time.Second, Time: time.Minute, Output: content + maxIndex},
	}
}

type request struct {
	// Archive is set if the only file is an archive.
	Archive bool       `json:"archive"`
	Limits  ocf.Limits `json:"limits"`
	Files   []sent     `json:"files"`
}

// sent describes a file whose content follows.
type sent struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
}

func do(in io.Reader, out io.Writer) error {
	buffered := bufio.NewReader(in)
	header, err := buffered.ReadBytes('\n')
	if err != nil {
		return err
	}
	var asked request
	if err := json.Unmarshal(header, &asked); err != nil {
		return err
	}
	files := make(parts, len(asked.Files))
	var content []byte
	for _, f := range asked.Files {
		content = make([]byte, f.Size)
		if _, err := io.ReadFull(buffered, content); err != nil {
			return err
		}
		files[f.Name] = content
	}
	if !asked.Archive {
		return ocf.Unpack(files, asked.Limits, out)
	}
	archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
	if err == nil {
		return ocf.Unpack(archive, asked.Limits, out)
	}
	return nil
}
