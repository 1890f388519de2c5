package unpack

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"

	"equity/captable/ocf"
	"equity/confine"
	"equity/http/api"
)

// Runner runs the [Work].
type Runner interface {
	Stream(ctx context.Context, group string, request io.Reader, answer io.Writer) error
}

// Reader reads packages. It is safe for concurrent use.
type Reader struct {
	runner    Runner
	directory string
	limits    ocf.Limits
}

// NewReader returns a Reader with the runner of its [Work]. The directory is the folder of temporary files, which have no names; empty for
// that of the system.
func NewReader(runner Runner, directory string, limits ocf.Limits) *Reader {
	return &Reader{runner, directory, limits}
}

// Archive reads the package in an archive of the group.
func (r *Reader) Archive(ctx context.Context, group string, file api.File) (*ocf.Package, ocf.Findings, error) {
	return r.read(ctx, group, true, []api.File{file})
}

// Files reads the package of the files of the group, whose names differ.
func (r *Reader) Files(ctx context.Context, group string, files []api.File) (*ocf.Package, ocf.Findings, error) {
	return r.read(ctx, group, false, files)
}

func (r *Reader) read(ctx context.Context, group string, archive bool, files []api.File) (*ocf.Package, ocf.Findings, error) {
	asked := request{Archive: archive, Limits: r.limits}
	var contents []io.Reader
	for _, file := range files {
		asked.Files = append(asked.Files, sent{file.Name, file.Content.Size()})
		contents = append(contents, file.Open())
	}
	header, err := json.Marshal(asked)
	if err != nil {
		return nil, nil, err
	}
	unpacked, err := r.temporary()
	if err != nil {
		return nil, nil, api.NotStored(err)
	}
	defer func() { _ = unpacked.Close() }() // it has no name
	contents = append([]io.Reader{bytes.NewReader(append(header, '\n'))}, contents...)
	err = r.runner.Stream(ctx, group, io.MultiReader(contents...), unpacked)
	if refusal, hostile := errors.AsType[*confine.ContentError](err); hostile {
		return nil, nil, api.WrongField("/file", "unreadable", beyond(files, refusal.Reason))
	}
	if errors.Is(err, syscall.ENOSPC) {
		return nil, nil, api.NotStored(err)
	}
	if err != nil {
		return nil, nil, api.NotParsed(err)
	}
	size, err := unpacked.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, nil, api.NotStored(err)
	}
	if size == 0 {
		return nil, nil, api.WrongField("/file", "unreadable", "The file is not a valid zip archive.")
	}
	pack, findings, err := ocf.ReadUnpacked(io.NewSectionReader(unpacked, 0, size), r.limits)
	if err != nil {
		return nil, nil, api.NotStored(fmt.Errorf("unpacked package: %w", err))
	}
	return pack, findings, nil
}

// temporary returns a file without a name.
func (r *Reader) temporary() (*os.File, error) {
	file, err := os.CreateTemp(r.directory, "equity-package-*")
	if err != nil {
		return nil, err
	}
	return file, os.Remove(file.Name())
}

// beyond returns the refusal of a package that exceeds the limits of a child. It names the file if there is only one.
func beyond(files []api.File, reason confine.Reason) string {
	name := "The package"
	if len(files) == 1 && files[0].Name != "" {
		name = fmt.Sprintf("The file %q", files[0].Name)
	}
	return fmt.Sprintf("%s cannot be read within the limits of the server: %s.", name, reason)
}
