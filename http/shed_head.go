package http

import (
	"bytes"
	"strconv"

	"equity/http/api"
)

// plainHead is the part of a request that the decision about its refusal needs. The slices refer to the data.
type plainHead struct {
	size         int // bytes of the request with its body
	cookie       []byte
	bearer       []byte // the Authorization header with a bearer token
	requestID    []byte
	organization []byte // the segment of the path; nil if absent
}

// parseHead reads a request whose head is complete in the data. Plain reports whether it is complete, the body is small, and the request is
// of a kind that may be refused without further checks.
func parseHead(data []byte) (h plainHead, plain bool) {
	line, rest, found := bytes.Cut(data, []byte("\r\n"))
	if !found || !h.target(line) {
		return h, false
	}
	body := 0
	var origin, sameOrigin bool
	for {
		if line, rest, found = bytes.Cut(rest, []byte("\r\n")); !found {
			return h, false
		}
		if len(line) == 0 {
			break
		}
		name, value, colon := bytes.Cut(line, []byte(":"))
		if !colon {
			return h, false
		}
		value = bytes.Trim(value, " \t")
		switch {
		case is(name, "content-length"):
			length, err := strconv.Atoi(string(value))
			if err != nil || length < 0 {
				return h, false
			}
			body = length
		case is(name, "cookie"):
			if h.cookie == nil { // the first one counts
				h.cookie = value
			}
		case is(name, "authorization"):
			if h.bearer == nil && isBearer(string(value)) {
				h.bearer = value
			}
		case is(name, "x-request-id"):
			if safeID(string(value)) {
				h.requestID = value
			}
		case is(name, "origin"):
			origin = true
		case is(name, "sec-fetch-site"):
			if sameOrigin = string(value) == "same-origin"; !sameOrigin {
				return h, false
			}
		case is(name, "transfer-encoding"), is(name, "expect"), is(name, "upgrade"),
			is(name, "connection") && !bytes.EqualFold(value, []byte("keep-alive")):
			return h, false
		}
	}
	h.size = len(data) - len(rest) + body
	return h, body <= api.SmallBody && (sameOrigin || !origin)
}

// target reads the request line, and reports whether the path is one of the API's in plain characters.
func (h *plainHead) target(line []byte) bool {
	method, line, _ := bytes.Cut(line, []byte(" "))
	path, protocol, _ := bytes.Cut(line, []byte(" "))
	switch string(method) {
	case "GET", "POST", "PUT", "PATCH", "DELETE":
	default:
		return false
	}
	if string(protocol) != "HTTP/1.1" || bytes.IndexByte(path, '%') >= 0 {
		return false
	}
	path, _, _ = bytes.Cut(path, []byte("?"))
	path = bytes.TrimPrefix(path, []byte(api.AppPrefix))
	path, found := bytes.CutPrefix(path, []byte(api.Prefix+"/"))
	if !found || string(path) == "openapi.yaml" || string(path) == "openapi.json" {
		return false
	}
	first, path, _ := bytes.Cut(path, []byte("/"))
	if string(first) == "organization" || string(first) == "captable" {
		h.organization, _, _ = bytes.Cut(path, []byte("/"))
	}
	return true
}

// is compares the name of a header with a lower-case one.
func is(name []byte, lower string) bool {
	return len(name) == len(lower) && bytes.EqualFold(name, []byte(lower))
}

// credential returns the header that identifies the caller, as [credential] does.
func (h *plainHead) credential() []byte {
	if h.bearer != nil {
		return h.bearer
	}
	return h.cookie
}
