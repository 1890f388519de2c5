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

// spoolMemory is the size up to which an upload stays in memory.
const spoolMemory = 256 << 10

// spool holds the content of an upload. Beyond spoolMemory it is a temporary file that only this process can read: it has
// the mode 0600 and no name, so that it disappears with the process.
type spool struct {
	directory string // of the temporary file; empty for that of the system
	memory    bytes.Buffer
	file      *os.File
	size      int64
}

// Write appends to the upload.
func (s *spool) Write(part []byte) (n int, err error) {
	if s.file == nil && s.size+int64(len(part)) > spoolMemory {
		if err := s.spill(); err != nil {
			return 0, err
		}
	}
	if s.file != nil {
		n, err = s.file.Write(part)
	} else {
		n, err = s.memory.Write(part)
	}
	s.size += int64(n)
	return n, NotStored(err)
}

// NotStored converts the failure to store a file into a temporary error. It returns a fault.Error unchanged.
func NotStored(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return &fault.FailureError{Refusal: fault.Refuse(fault.Unavailable, "The server has no space for files at the moment. Try again later."), Cause: err}
	}
	return messages.Unreachable("The storage of files", err)
}

// spill moves the upload to a temporary file.
func (s *spool) spill() error { return NotStored(s.moveToFile()) }

func (s *spool) moveToFile() error {
	file, err := os.CreateTemp(s.directory, "equity-upload-*")
	if err != nil {
		return err
	}
	if err := os.Remove(file.Name()); err != nil {
		return errors.Join(err, file.Close())
	}
	s.file = file
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

// keptFile reads a part of an upload that is in a temporary file. The system copies it to another file by itself.
type keptFile struct {
	*io.SectionReader
	file        *os.File
	begin, size int64
}

// WriteTo writes the bytes after the present position. At most one call runs at a time, because it uses the position of the temporary file.
func (k *keptFile) WriteTo(w io.Writer) (int64, error) {
	to, is := w.(*os.File)
	if !is {
		return io.Copy(w, struct{ io.Reader }{k.SectionReader})
	}
	position, err := k.Seek(0, io.SeekCurrent)
	if err == nil {
		_, err = k.file.Seek(k.begin+position, io.SeekStart)
	}
	if err != nil {
		return 0, err
	}
	n, err := to.ReadFrom(io.LimitReader(k.file, k.size-position))
	if _, moved := k.Seek(n, io.SeekCurrent); err == nil {
		err = moved
	}
	return n, err
}

// section returns a part of the upload, which ends with the present end.
func (s *spool) section(begin int64) *io.SectionReader {
	return io.NewSectionReader(s, begin, s.size-begin)
}

// ReadAt reads a part of the upload.
func (s *spool) ReadAt(into []byte, at int64) (int, error) {
	if s.file != nil {
		return s.file.ReadAt(into, at)
	}
	return bytes.NewReader(s.memory.Bytes()).ReadAt(into, at)
}

// Close releases the upload.
func (s *spool) Close() error {
	if s == nil || s.file == nil {
		return nil
	}
	return s.file.Close()
}
