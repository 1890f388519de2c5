package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// S3 stores objects in a bucket of an S3-compatible service.
type S3 struct {
	client   *minio.Client
	bucket   string
	now      func() time.Time
	callTime time.Duration
}

// The default limit of a call, and the limit of an upload.
const (
	defaultCallTime = 10 * time.Second
	uploadTime      = time.Minute
)

// renewAge is the age from which an object that exists is written again, so that its age begins again.
const renewAge = EraseAge / 2

// S3Options are the settings of the service.
type S3Options struct {
	// URL is the address of the service. The access is encrypted for https.
	URL string
	// Now is the clock; nil for the one of the system.
	Now                          func() time.Time
	AccessKey, SecretKey, Region string
	Bucket                       string
	// CallTime limits a call without contents; 10 s by default.
	CallTime time.Duration
	// Through wraps the transport of the requests; nil for the plain one.
	Through func(http.RoundTripper) http.RoundTripper
}

// partSize is the size of the parts of an upload of unknown length. The default of the library is hundreds of megabytes.
const partSize = 5 << 20

// OpenS3 returns a store in the bucket. It does not connect: an unreachable service fails at its first use.
func OpenS3(options S3Options) (*S3, error) {
	address, err := url.Parse(options.URL)
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return nil, fmt.Errorf("the address of the object store %q is not an http or https URL", options.URL)
	}
	secure := address.Scheme == "https"
	var transport http.RoundTripper
	if transport, err = minio.DefaultTransport(secure); err != nil {
		return nil, fmt.Errorf("open the object store: %w", err)
	}
	if options.Through != nil {
		transport = options.Through(transport)
	}
	client, err := minio.New(address.Host, &minio.Options{
		Creds:  credentials.NewStaticV4(options.AccessKey, options.SecretKey, ""),
		Secure: secure, Region: options.Region, BucketLookup: minio.BucketLookupPath, MaxRetries: 1, Transport: transport,
	})
	if err != nil {
		return nil, fmt.Errorf("open the object store: %w", err)
	}
	if options.Now == nil {
		options.Now = time.Now
	}
	if options.CallTime == 0 {
		options.CallTime = defaultCallTime
	}
	return &S3{client, options.Bucket, options.Now, options.CallTime}, nil
}

// Prepare creates the bucket if it does not exist.
func (s *S3) Prepare(ctx context.Context, region string) error {
	exists, err := s.client.BucketExists(ctx, s.bucket)
	if err == nil && !exists {
		err = s.client.MakeBucket(ctx, s.bucket, minio.MakeBucketOptions{Region: region})
	}
	if err != nil {
		return fmt.Errorf("prepare the bucket %s: %w", s.bucket, err)
	}
	return nil
}

// Exists reports whether the bucket exists.
func (s *S3) Exists(ctx context.Context) (bool, error) {
	exists, err := s.client.BucketExists(ctx, s.bucket)
	if err != nil {
		return false, fmt.Errorf("find the bucket %s: %w", s.bucket, err)
	}
	return exists, nil
}

// Put uploads the bytes unless the key exists.
func (s *S3) Put(ctx context.Context, key string, content io.Reader, size int64) error {
	if err := checkKey(key); err != nil {
		return err
	}
	options := minio.PutObjectOptions{PartSize: partSize, SendContentMd5: true}
	ctx, cancel := context.WithTimeout(ctx, uploadTime)
	defer cancel()
	found, err := s.Stat(ctx, key)
	switch {
	case errors.Is(err, ErrNotFound):
		options.SetMatchETagExcept("*")
	case err != nil:
		return err
	case s.now().Sub(found.ModifiedAt) < renewAge:
		return nil
	}
	_, err = s.client.PutObject(ctx, s.bucket, key, content, size, options)
	if minio.ToErrorResponse(err).StatusCode == http.StatusPreconditionFailed {
		return nil
	}
	if err != nil {
		return fmt.Errorf("write object: %w", err)
	}
	return nil
}

// Open downloads a part of the object. The call ends when the download begins; its bytes may take longer.
func (s *S3) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	if err := checkKey(key); err != nil {
		return nil, err
	}
	if length == 0 {
		_, err := s.Stat(ctx, key)
		return http.NoBody, err
	}
	options := minio.GetObjectOptions{}
	last := int64(0) // the end of the object
	if length > 0 {
		last = offset + length - 1
	}
	if offset > 0 || length > 0 {
		if err := options.SetRange(offset, last); err != nil {
			return nil, fmt.Errorf("read object: %w", err)
		}
	}
	core := minio.Core{Client: s.client}
	ctx, cancel := context.WithCancelCause(ctx)
	late := time.AfterFunc(s.callTime, func() { cancel(context.DeadlineExceeded) })
	content, _, _, err := core.GetObject(ctx, s.bucket, key, options)
	if !late.Stop() && err == nil {
		err = errors.Join(context.Cause(ctx), content.Close())
	}
	if err != nil {
		cancel(err)
		return nil, knownToS3(err)
	}
	return &download{content, cancel}, nil
}

// download is the content of an object.
type download struct {
	io.ReadCloser

	cancel context.CancelCauseFunc
}

// Close ends the download.
func (d *download) Close() error {
	defer d.cancel(nil)
	return d.ReadCloser.Close()
}

// Stat describes the object.
func (s *S3) Stat(ctx context.Context, key string) (Object, error) {
	if err := checkKey(key); err != nil {
		return Object{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.callTime)
	defer cancel()
	info, err := s.client.StatObject(ctx, s.bucket, key, minio.StatObjectOptions{})
	if err != nil {
		return Object{}, knownToS3(err)
	}
	return Object{key, info.Size, info.LastModified}, nil
}

// Delete removes the object.
func (s *S3) Delete(ctx context.Context, key string) error {
	if err := checkKey(key); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.callTime)
	defer cancel()
	if err := knownToS3(
		s.client.RemoveObject(ctx, s.bucket, key, minio.RemoveObjectOptions{}),
	); err != nil && !errors.Is(err, ErrNotFound) {
		return err
	}
	return nil
}

// List visits the objects with the prefix.
func (s *S3) List(ctx context.Context, prefix string, visit func(Object) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the listing
	for info := range s.client.ListObjectsIter(ctx, s.bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
		if info.Err != nil {
			return fmt.Errorf("list objects: %w", info.Err)
		}
		if err := visit(Object{info.Key, info.Size, info.LastModified}); err != nil {
			return fmt.Errorf("list objects: %w", err)
		}
	}
	return nil
}

// knownToS3 returns ErrNotFound for a missing object.
func knownToS3(err error) error {
	switch {
	case err == nil:
		return nil
	case minio.ToErrorResponse(err).StatusCode == http.StatusNotFound:
		return ErrNotFound
	default:
		return fmt.Errorf("use the object store: %w", err)
	}
}
