package api

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"equity/fault"
	"equity/messages"
)

// replacement names the operation that reads the record which an operation replaces.
type replacement struct {
	// read is the operation id. Empty for the GET operation of the same path.
	read string
	// path are the sources of the parameters of the path with another name: a parameter of the own path, or a field of the body with a
	// leading slash.
	path map[string]string
}

// replacementOf returns the declared x-replaces of an operation with the method; nil for operations that replace no record.
func replacementOf(method string, item *openapi3.PathItem, declared *openapi3.Operation) *replacement {
	if method != "PUT" {
		return nil
	}
	made := &replacement{path: map[string]string{}}
	if named, is := declared.Extensions["x-replaces"].(map[string]any); is {
		for name, value := range named {
			text, _ := value.(string)
			if name == "operation" {
				made.read = text
			} else {
				made.path[name] = text
			}
		}
		return made
	}
	if item.Get == nil {
		return nil
	}
	made.read = item.Get.OperationID
	return made
}

// readOnly refuses a field that only the server sets.
func readOnly(faults *fault.Fields, pointer string) {
	faults.Add(pointer, "readOnly", "The field is read-only. Leave it out, or send its present value.")
}

// readback is a request that replaces a record.
type readback struct {
	kernel  *Kernel
	call    *Call
	request *Request
}

// accept accepts a body that a client read as a record and sends back, and returns the remaining faults of the body. Fields that the body of
// the operation does not have are removed if they equal those of the record, and refused otherwise. If the body is the whole record,
// nothing is changed: the answer is the record.
func (b readback) accept(ctx context.Context, faults fault.Fields) (*Answer, fault.Fields, error) {
	c := b.call
	var sent map[string]any
	if decodeExactly(c.Body, &sent) != nil {
		return nil, faults, nil //nolint:nilerr // the faults report the syntax
	}
	answer, record, err := b.present(ctx, sent)
	if err != nil || record == nil {
		return nil, faults, err
	}
	if reflect.DeepEqual(sent, record) && b.expects(record) {
		return answer, nil, nil
	}
	if len(faults) == 0 {
		return nil, nil, nil
	}
	c.replaced = record
	refused, err := b.strip(ctx, record, sent, faults)
	if err != nil {
		return nil, nil, err
	}
	// A record names its holder twice, a body once.
	if _, entity := sent["entity"]; entity && sent["member"] != nil && reflect.DeepEqual(sent["member"], record["member"]) &&
		reflect.DeepEqual(sent["entity"], record["entity"]) {
		delete(sent, "member")
	}
	reduced, err := json.Marshal(sent)
	if err != nil {
		return nil, nil, fmt.Errorf("write body: %w", err)
	}
	if c.asSent == nil { // its amounts may have been rewritten before
		c.asSent = c.Body
	}
	c.Body = reduced
	for _, one := range c.Operation.body.json.Check(reduced) {
		if one.Code != "unknownField" {
			refused = append(refused, one)
		}
	}
	slices.SortStableFunc(refused, func(a, b fault.Field) int { return strings.Compare(a.Pointer, b.Pointer) })
	return nil, refused, nil
}

// strip removes the read-only fields from the body and returns the faults of the others. A repetition of a request that was executed is not
// compared with the record, because the request itself has changed the record.
func (b readback) strip(ctx context.Context, record, sent map[string]any, faults fault.Fields) (refused fault.Fields, err error) {
	var changed fault.Fields
	var fields []compared
	for _, one := range faults {
		if one.Code != "unknownField" {
			continue
		}
		field, known := at(record, sent, one.Pointer)
		switch {
		case !known:
			refused = append(refused, one)
			continue
		case !reflect.DeepEqual(field.present, field.sent):
			readOnly(&changed, one.Pointer)
		}
		fields = append(fields, field)
	}
	if len(changed) > 0 {
		switch repeats, err := b.repeats(ctx); {
		case err != nil:
			return nil, err
		case repeats:
			b.call.replaced = maps.Clone(sent)
		default:
			refused = append(refused, changed...)
		}
	}
	for _, field := range fields {
		delete(field.in, field.name)
	}
	return refused, nil
}

// repeats reports whether the organization has recorded an earlier attempt of the request.
func (b readback) repeats(ctx context.Context) (bool, error) {
	if !b.request.Repeated || b.call.Organization.IsZero() {
		return false, nil
	}
	command, err := b.call.Command(nil, nil)
	if err != nil || command.IdempotencyKey == "" {
		return false, nil //nolint:nilerr // the header is checked beside the body
	}
	_, err = b.kernel.Do(ctx, b.call, command)
	if errors.Is(err, messages.ErrNotRecorded) {
		return false, nil
	}
	return err == nil, err
}

// expects reports whether the request accepts the version of the record.
func (b readback) expects(record map[string]any) bool {
	expected, err := b.call.Expected()
	if expected == nil {
		return err == nil
	}
	version, _ := record["version"].(json.Number)
	return version.String() == strconv.FormatUint(*expected, 10)
}

// isAsRead reports whether the field of the body has the value of the record that the operation replaces.
func isAsRead(c *Call, name string, value json.RawMessage) bool {
	var sent any
	present, known := c.replaced[name]
	return known && decodeExactly(value, &sent) == nil && reflect.DeepEqual(sent, present)
}

// decodeExactly decodes JSON with numbers as they are written.
func decodeExactly(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode(into)
}

// present returns the record that the operation replaces, as the caller reads it; nil if the caller reads none.
func (b readback) present(ctx context.Context, sent map[string]any) (*Answer, map[string]any, error) {
	r, of := b.request, b.call.Operation.replaces
	read, path := b.kernel.operations[of.read], map[string]string{}
	if read == nil {
		return nil, nil, nil
	}
	for i := range read.inPath {
		name := read.inPath[i].name
		source := of.path[name]
		switch field, inBody := strings.CutPrefix(source, "/"); {
		case inBody:
			path[name], _ = sent[field].(string)
		default:
			path[name] = b.call.path[cmp.Or(source, name)]
		}
		if path[name] == "" { // a new record
			return nil, nil, nil
		}
	}
	answer, err := b.kernel.Run(ctx, &Request{
		Operation: of.read, Caller: r.Caller, ID: r.ID, At: r.At, Path: path, Header: onlyJSON, Within: r.Within, Forwarded: true,
		Route: r.Route,
	})
	if err != nil { // the caller may not read the record: the faults of the body stay
		return nil, nil, ctx.Err()
	}
	text := answer.Rendered
	if text == nil {
		if text, err = RenderJSON(answer.Record); err != nil {
			return nil, nil, err
		}
	}
	var record map[string]any
	if decodeExactly(text, &record) != nil {
		return nil, nil, nil //nolint:nilerr // the answer is no record
	}
	return &answer, record, nil
}

// compared is a field of a body with its value in the record.
type compared struct {
	present, sent any
	in            map[string]any
	name          string
}

// at returns the field of the body at the pointer with the value in the record; false if the record does not have it. Items of lists with an
// id are compared by id.
func at(record, sent any, pointer string) (found compared, known bool) {
	names := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, name := range names {
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
		switch body := sent.(type) {
		case map[string]any:
			fields, is := record.(map[string]any)
			if !is {
				return compared{}, false
			}
			record, known = fields[name]
			if sent = body[name]; i == len(names)-1 {
				return compared{record, sent, body, name}, known
			}
		case []any:
			index, err := strconv.Atoi(name)
			items, is := record.([]any)
			if err != nil || !is || index >= len(body) {
				return compared{}, false
			}
			sent = body[index]
			record = itemLike(items, sent, index)
		default:
			return compared{}, false
		}
	}
	return compared{}, false
}

// itemLike returns the item with the id of the sent one, or that of the same index if the sent one has none.
func itemLike(items []any, sent any, index int) any {
	if fields, is := sent.(map[string]any); is && fields["id"] != nil {
		for _, item := range items {
			if of, is := item.(map[string]any); is && of["id"] == fields["id"] {
				return item
			}
		}
		return nil
	}
	if index < len(items) {
		return items[index]
	}
	return nil
}
