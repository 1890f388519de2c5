package api

import (
	"context"
	"iter"

	"equity/captable"
	"equity/organization"
)

// Noun declares how the records of one type are found and shown. Its methods are, or return, the handlers of the
// operations that all kinds of records have in common.
type Noun[T any] struct {
	Kernel *Kernel
	// Parameter is the path parameter with the id of a record.
	Parameter string
	// Key returns the id and the version of a record.
	Key func(record *T) (captable.ID[T], uint64)
	// All returns the records that the caller may see and has requested, in the order of their ids.
	All func(c *Call) iter.Seq[*T]
	// One returns the record with the id if the caller may see it.
	One func(c *Call, id captable.ID[T]) (*T, bool)
	// Show returns the JSON form of a record.
	Show func(c *Call, record *T) any
	// Location returns the path of a new record.
	Location func(c *Call, record *T) string
}

// InBody decodes the command of the cap table in the body.
func InBody[C captable.CommandOf[R], R any](c *Call) (organization.CommandOf[R], error) {
	command, err := Decode[C](c)
	return organization.TableCommand(command), err
}

// InBodyFor decodes the command of the cap table in the body. setID stores the id of the path parameter in it.
func InBodyFor[C captable.CommandOf[R], T, R any](
	parameter string, setID func(command *C, id captable.ID[T]),
) func(c *Call) (organization.CommandOf[R], error) {
	return func(c *Call) (organization.CommandOf[R], error) {
		command, err := Decode[C](c)
		setID(&command, PathID[T](c, parameter))
		return organization.TableCommand(command), err
	}
}

// List returns a page of the records.
func (n Noun[T]) List(_ context.Context, c *Call) (Answer, error) {
	return n.Kernel.RenderRecord(c, func() (any, error) {
		id := func(record *T) [16]byte { id, _ := n.Key(record); return id }
		return ShownPage(Paged(c, id, n.All(c)), func(record *T) any { return n.Show(c, record) }), nil
	})
}

// Get returns the record in the path.
func (n Noun[T]) Get(_ context.Context, c *Call) (Answer, error) {
	record, ok := n.One(c, PathID[T](c, n.Parameter))
	if !ok {
		return Answer{}, NotFound()
	}
	_, version := n.Key(record)
	return c.Read(n.Show(c, record), version), nil
}

// Create returns the handler that carries out the command of the request and returns the new record.
func (n Noun[T]) Create(command func(c *Call) (organization.CommandOf[*T], error)) Handler {
	return n.changing(command, func(*Call) any { return nil }, n.Location)
}

// Replace returns the handler that carries out the command of the request for the record in the path.
func (n Noun[T]) Replace(command func(c *Call) (organization.CommandOf[*T], error)) Handler {
	id := func(c *Call) any { return PathID[T](c, n.Parameter) }
	return n.changing(command, id, func(*Call, *T) string { return "" })
}

// Supersede returns the handler that carries out the command of the request for the record in the path, and returns its
// successor.
func (n Noun[T]) Supersede(command func(c *Call) (organization.CommandOf[*T], error)) Handler {
	return n.changing(command, func(c *Call) any { return PathID[T](c, n.Parameter) }, n.Location)
}

// changing returns the handler that carries out a command. If-Match applies to the record with the id.
func (n Noun[T]) changing(
	command func(c *Call) (organization.CommandOf[*T], error), id func(c *Call) any, location func(c *Call, record *T) string,
) Handler {
	return func(ctx context.Context, c *Call) (Answer, error) {
		requested, err := command(c)
		if err != nil {
			return Answer{}, err
		}
		return ChangeOrganization(ctx, n.Kernel, c, requested, id(c), func(record *T) Result {
			_, version := n.Key(record)
			return Result{n.Show(c, record), version, location(c, record)}
		})
	}
}

// Remove returns the handler that deletes the record in the path.
func (n Noun[T]) Remove(command func(c *Call, id captable.ID[T]) organization.Command) Handler {
	return func(ctx context.Context, c *Call) (Answer, error) {
		id := PathID[T](c, n.Parameter)
		return n.Kernel.remove(ctx, c, command(c, id), id)
	}
}

// Read returns one record of the call's view, or 304 if the caller has the current version. The tag depends on the day
// too, because figures of a record can change without an event.
func (c *Call) Read(record any, version uint64) Answer {
	return c.ReadTagged(record, c.RecordTag(version))
}

// ReadTagged returns a record with the tag, or 304 if the caller has it.
func (c *Call) ReadTagged(record any, tag string) Answer {
	if c.Unchanged(tag) {
		return NotModified(tag)
	}
	return Answered(record, tag)
}

// ReadContent answers with a record that has parts beside the journal. Its ETag covers the content; the version is 0 for lists.
func ReadContent(c *Call, record any, version uint64) (Answer, error) {
	content, err := RenderJSON(record)
	if err != nil {
		return Answer{}, err
	}
	return c.ReadTagged(record, c.ContentTag(version, string(content))), nil
}

// ShownPage converts every record of a page with show.
func ShownPage[R, S any](found Page[R], show func(R) S) Page[S] {
	result := Listed(found.Data, show)
	result.NextCursor = found.NextCursor
	return result
}
