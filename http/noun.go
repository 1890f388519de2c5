package http

import (
	"context"
	"iter"

	"equity/captable"
	"equity/organization"
)

// noun declares how the records of one type are found and shown. Its methods are, or return, the handlers of the
// operations that all kinds of records have in common.
type noun[T any] struct {
	server *Server
	// parameter is the path parameter with the id of a record.
	parameter string
	// key returns the id and the version of a record.
	key func(record *T) (captable.ID[T], uint64)
	// all returns the records that the caller may see and has requested, in the order of their ids.
	all func(c *Call) iter.Seq[*T]
	// one returns the record with the id if the caller may see it.
	one func(c *Call, id captable.ID[T]) (*T, bool)
	// show returns the JSON form of a record.
	show func(c *Call, record *T) any
	// location returns the path of a new record.
	location func(c *Call, record *T) string
}

// inBody decodes the command of the cap table in the body.
func inBody[C captable.CommandOf[R], R any](c *Call) (organization.CommandOf[R], error) {
	command, err := decode[C](c)
	return organization.InTable(command), err
}

// inBodyFor decodes the command of the cap table in the body. setID stores the id of the path parameter in it.
func inBodyFor[C captable.CommandOf[R], T, R any](
	parameter string, setID func(command *C, id captable.ID[T]),
) func(c *Call) (organization.CommandOf[R], error) {
	return func(c *Call) (organization.CommandOf[R], error) {
		command, err := decode[C](c)
		setID(&command, pathID[T](c, parameter))
		return organization.InTable(command), err
	}
}

// list returns a page of the records.
func (n noun[T]) list(_ context.Context, c *Call) (Answer, error) {
	return n.server.renderRecord(c, func() (any, error) {
		id := func(record *T) [16]byte { id, _ := n.key(record); return id }
		return shownPage(paged(c, id, n.all(c)), func(record *T) any { return n.show(c, record) }), nil
	})
}

// get returns the record in the path.
func (n noun[T]) get(_ context.Context, c *Call) (Answer, error) {
	record, ok := n.one(c, pathID[T](c, n.parameter))
	if !ok {
		return Answer{}, errNotFound()
	}
	_, version := n.key(record)
	return c.read(n.show(c, record), version), nil
}

// create returns the handler that carries out the command of the request and returns the new record.
func (n noun[T]) create(command func(c *Call) (organization.CommandOf[*T], error)) Handler {
	return n.changing(command, func(*Call) any { return nil }, n.location)
}

// replace returns the handler that carries out the command of the request for the record in the path.
func (n noun[T]) replace(command func(c *Call) (organization.CommandOf[*T], error)) Handler {
	id := func(c *Call) any { return pathID[T](c, n.parameter) }
	return n.changing(command, id, func(*Call, *T) string { return "" })
}

// supersede returns the handler that carries out the command of the request for the record in the path, and returns its
// successor.
func (n noun[T]) supersede(command func(c *Call) (organization.CommandOf[*T], error)) Handler {
	return n.changing(command, func(c *Call) any { return pathID[T](c, n.parameter) }, n.location)
}

// changing returns the handler that carries out a command. If-Match applies to the record with the id.
func (n noun[T]) changing(
	command func(c *Call) (organization.CommandOf[*T], error), id func(c *Call) any, location func(c *Call, record *T) string,
) Handler {
	return func(ctx context.Context, c *Call) (Answer, error) {
		requested, err := command(c)
		if err != nil {
			return Answer{}, err
		}
		return change(ctx, n.server, c, requested, id(c), func(record *T) shown {
			_, version := n.key(record)
			return shown{n.show(c, record), version, location(c, record)}
		})
	}
}

// remove returns the handler that deletes the record in the path.
func (n noun[T]) remove(command func(c *Call, id captable.ID[T]) organization.Command) Handler {
	return func(ctx context.Context, c *Call) (Answer, error) {
		id := pathID[T](c, n.parameter)
		return n.server.remove(ctx, c, command(c, id), id)
	}
}

// read returns one record of the call's view, or 304 if the caller has the current version. The tag depends on the day
// too, because figures of a record can change without an event.
func (c *Call) read(record any, version uint64) Answer {
	return c.readTagged(record, c.recordTag(version))
}

func (c *Call) readTagged(record any, tag string) Answer {
	if c.unchanged(tag) {
		return notModified(tag)
	}
	return answered(record, tag)
}

// shownPage converts every record of a page with show.
func shownPage[R any](found page[R], show func(R) any) page[any] {
	result := page[any]{Data: make([]any, 0, len(found.Data)), NextCursor: found.NextCursor}
	for _, record := range found.Data {
		result.Data = append(result.Data, show(record))
	}
	return result
}
