package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"syscall"

	"equity/fault"
	"equity/messages"
)

// spoolMemory is the size up to which the parts of an upload stay in memory.
const spoolMemory = 256 << 10

// spools holds the parts of an upload.
type spools struct {
	// directory is the folder of temporary files. They keep their names until the end of the request, so that a store in the
	// same folder links them instead of copying. Without a folder, the files are in that of the system and have no name.
	directory string
	large     bool // the upload does not fit in memory
	parts     []*spool
	memory    int64 // bytes of all parts in memory
}

// add begins a part. A file of a large upload goes to a temporary file from its first byte on, without a copy in memory.
func (s *spools) add(file bool) (*spool, error) {
	part := &spool{of: s}
	s.parts = append(s.parts, part)
	if file && s.large {
		return part, part.spill()
	}
	return part, nil
}

// Close releases all parts.
func (s *spools) Close() error {
	if s == nil {
		return nil
	}
	var err error
	for _, part := range s.parts {
		err = errors.Join(err, part.Close())
	}
	return err
}

// spool holds one part of an upload. It is a temporary file with the mode 0600 if the parts in memory would exceed spoolMemory.
type spool struct {
	of     *spools
	memory bytes.Buffer
	file   *os.File
	size   int64
}

// Write appends to the upload.
func (s *spool) Write(part []byte) (n int, err error) {
	if s.file == nil && s.of.memory+int64(len(part)) > spoolMemory {
		if err := s.spill(); err != nil {
			return 0, err
		}
	}
	if s.file != nil {
		n, err = s.file.Write(part)
	} else {
		n, err = s.memory.Write(part)
		s.of.memory += int64(n)
	}
	s.size += int64(n)
	return n, NotStored(err)
}

// NotStored converts the failure to store a file into a temporary error. It returns a fault.Error unchanged.
func NotStored(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return &fault.FailureError{
			Refusal: fault.Refuse(fault.Unavailable, "The server has no space for files at the moment. Try again later."), Cause: err,
		}
	}
	return messages.Unreachable("The storage of files", err)
}

// spill moves the part to a temporary file.
func (s *spool) spill() error { return NotStored(s.moveToFile()) }

func (s *spool) moveToFile() error {
	file, err := os.CreateTemp(s.of.directory, "equity-upload-*")
	if err != nil {
		return err
	}
	s.file = file
	if s.of.directory == "" {
		if err := os.Remove(file.Name()); err != nil {
			return err
		}
	}
	s.of.memory -= int64(s.memory.Len())
	_, err = s.memory.WriteTo(file)
	s.memory = bytes.Buffer{}
	return err
}

// receive appends the bytes and returns their hash, so that they need not be read again for it.
func (s *spool) receive(from io.Reader) (sum string, err error) {
	hash := sha256.New()
	if _, err := io.Copy(io.MultiWriter(s, hash), from); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// localFile reads a part that is a file of its own.
type localFile struct {
	*io.SectionReader
	file *os.File
}

// File returns the file with the content.
func (l localFile) File() *os.File { return l.file }

// content returns a reader of the whole part.
func (s *spool) content() *io.SectionReader { return io.NewSectionReader(s, 0, s.size) }

// ReadAt reads bytes of the part.
func (s *spool) ReadAt(into []byte, at int64) (int, error) {
	if s.file != nil {
		return s.file.ReadAt(into, at)
	}
	return bytes.NewReader(s.memory.Bytes()).ReadAt(into, at)
}

// Close releases the part and removes its temporary file.
func (s *spool) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if s.of.directory != "" {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}
