package http

import (
	"encoding/base64"
	"encoding/binary"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"

	"equity/captable"
	"equity/organization"
)

// scope is what an answer about an organization depends on besides its state and
// the question: what the caller may see and, where that is only their own, who they
// are.
func (c *Call) scope() string {
	scope := strconv.FormatUint(uint64(c.Permissions), 36)
	seesAll := c.Can(organization.ViewCapTable) && c.Can(organization.ViewMembers)
	if c.Member != nil && !seesAll {
		scope += "." + c.Member.Entity.String()
	}
	return scope
}

// inPath is what the path names, in the order of its parameters' names.
func (c *Call) inPath() []string {
	values := make([]string, 0, len(c.path))
	for _, name := range slices.Sorted(maps.Keys(c.path)) {
		values = append(values, c.path[name])
	}
	return values
}

// tag names the answer to a list, an export or a report: the organization's sequence,
// and a digest of the scope, the question, and whatever else it depends on. Everything that
// the path names is part of the question: by this name the answer is kept, too.
func (c *Call) tag(also ...string) string {
	hash := fnv.New64a()
	also = append(also, c.operation.id, c.scope(), c.rawQuery, c.AsOf().String())
	for _, part := range append(also, c.inPath()...) {
		_, _ = hash.Write([]byte(part))
		_, _ = hash.Write([]byte{0})
	}
	digest := base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint64(nil, hash.Sum64()))
	return `"` + strconv.FormatUint(c.View.Sequence, 10) + "-" + digest + `"`
}

// recordTag names the answer of one record: its version, which If-Match compares, and
// the organization's sequence, as names of others may be in it. What else the answer
// depends on follows behind.
func (c *Call) recordTag(version uint64, also ...string) string {
	return recordTag(version, c.View.Sequence, append(also, c.rawQuery)...)
}

func recordTag(version, sequence uint64, also ...string) string {
	text := `"` + strconv.FormatUint(version, 10) + "." + strconv.FormatUint(sequence, 10)
	if rest := strings.Join(also, ""); rest != "" {
		hash := fnv.New32a()
		_, _ = hash.Write([]byte(rest))
		text += "-" + strconv.FormatUint(uint64(hash.Sum32()), 36)
	}
	return text + `"`
}

// unchanged reports whether the caller has the answer with this tag already.
func (c *Call) unchanged(tag string) bool {
	header := c.header("If-None-Match")
	if header == "" {
		return false
	}
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimPrefix(strings.TrimSpace(candidate), "W/")
		if candidate == tag || candidate == "*" {
			return true
		}
	}
	return false
}

// expected reads If-Match: the version of the record that the caller has seen; nil
// when any will do. A tag that is none of ours is of no version, which is stale.
func (c *Call) expected() (*uint64, error) {
	header := strings.TrimSpace(c.header("If-Match"))
	if header == "" || header == "*" || !c.operation.takes("If-Match") {
		return nil, nil //nolint:nilnil // no expectation is a value of its own here
	}
	tag := strings.TrimPrefix(header, "W/") // proxies that compress weaken tags
	if len(tag) < 2 || tag[0] != '"' || tag[len(tag)-1] != '"' || strings.Contains(tag, ",") {
		return nil, &captable.Error{Code: captable.CodeInvalid, Message: someFields, Fields: []captable.FieldError{
			{Pointer: "/header/If-Match", Code: "format", Message: `Send one ETag as it was read, such as "42.57", with its quotes.`},
		}}
	}
	digits, _, _ := strings.Cut(tag[1:len(tag)-1], ".")
	version, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		version = 0
	}
	return &version, nil
}
