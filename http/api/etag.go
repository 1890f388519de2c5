package api

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"maps"
	"slices"
	"strconv"
	"strings"

	"equity/captable"
	"equity/fault"
	"equity/organization"
)

// scope identifies the caller in an answer's cache key and ETag.
type scope struct {
	permissions organization.Permissions
	user        organization.UserID
	entity      captable.EntityID
	// roles differ for tokens of one user.
	roles string
}

func (c *Call) scope() scope {
	result := scope{permissions: c.Permissions, user: c.Caller.User}
	if c.Member != nil {
		result.entity, result.roles = c.Member.Entity, strings.Join(c.Member.Roles, "\x00")
	}
	return result
}

// inPath returns the path parameters in the order of their names.
func (c *Call) inPath() []string {
	values := make([]string, 0, len(c.path))
	for _, name := range slices.Sorted(maps.Keys(c.path)) {
		values = append(values, c.path[name])
	}
	return values
}

// parameters encodes every parameter of the path and the query, sorted by name. Lengths
// before the texts make the encoding unambiguous.
func (c *Call) parameters() string {
	var text strings.Builder
	for _, list := range []map[string]string{c.path, c.query} {
		for _, name := range slices.Sorted(maps.Keys(list)) {
			for _, part := range []string{name, list[name]} {
				text.WriteString(strconv.Itoa(len(part)) + ":" + part)
			}
		}
		text.WriteByte(';')
	}
	return text.String()
}

// answerKey holds everything that an answer depends on. Cached answers are found by the
// comparable struct itself, not by a hash of it.
type answerKey struct {
	organization organization.ID
	sequence     uint64
	operation    string
	parameters   string
	day          captable.Date // the present day or asOf
	scope        scope
	content      string // a digest, for an answer that depends only on its content
}

// answerKey returns the key of the call's answer.
func (c *Call) answerKey() answerKey {
	return answerKey{
		organization: c.Organization, sequence: c.View.Sequence, operation: c.Operation.ID, parameters: c.parameters(),
		day: c.AsOf(), scope: c.scope(),
	}
}

// Tag returns the ETag of the answer to a list, an export or a report: the organization's
// sequence, and a keyed hash of everything that the answer depends on.
func (c *Call) Tag() string { return c.tagOf(c.answerKey()) }

func (c *Call) tagOf(key answerKey) string {
	return `"` + strconv.FormatUint(key.sequence, 10) + "-" + c.keyed(key) + `"`
}

// keyed returns 128 bits of the key's HMAC-SHA-256. Without the secret, clients cannot compute ETags
// or search for two answers with one ETag.
func (c *Call) keyed(key answerKey) string {
	const length = 16
	hash := hmac.New(sha256.New, c.tagKey)
	_, _ = hash.Write(key.organization[:])
	_, _ = hash.Write(key.scope.user[:])
	_, _ = hash.Write(key.scope.entity[:])
	numbers := binary.BigEndian.AppendUint64(nil, key.sequence)
	numbers = binary.BigEndian.AppendUint64(numbers, uint64(key.scope.permissions))
	_, _ = hash.Write(numbers)
	for _, text := range []string{key.operation, key.parameters, key.day.String(), key.content, key.scope.roles} {
		_, _ = hash.Write(binary.BigEndian.AppendUint64(nil, uint64(len(text))))
		_, _ = hash.Write([]byte(text))
	}
	return base64.RawURLEncoding.EncodeToString(hash.Sum(nil)[:length])
}

// RecordTag returns the ETag of one record: its version, which If-Match compares; the organization's
// sequence, because the record may contain names from other records; and a keyed hash of the other
// inputs.
func (c *Call) RecordTag(version uint64) string { return c.recordTagAt(version, c.View.Sequence) }

func (c *Call) recordTagAt(version, sequence uint64) string {
	return c.RecordTagWith(version, sequence, nil)
}

// RecordTagWith returns the ETag of a record that depends on content beside the journal, such as particulars of people, which
// are erased without an event, or settings of the server.
func (c *Call) RecordTagWith(version, sequence uint64, content []byte) string {
	key := answerKey{
		organization: c.Organization, sequence: sequence, parameters: c.parameters(), day: c.AsOf(), scope: c.scope(),
		content: string(content),
	}
	return strings.TrimSuffix(VersionTag(version, sequence), `"`) + "-" + c.keyed(key) + `"`
}

// ContentTag returns the ETag of a record outside the journals: its version and a keyed
// hash of its content.
func (c *Call) ContentTag(version uint64, content string) string {
	return strings.TrimSuffix(VersionTag(version, 0), `"`) + "-" + c.keyed(answerKey{content: content}) + `"`
}

// VersionTag returns the ETag of the answer to a change.
func VersionTag(version, sequence uint64) string {
	return `"` + strconv.FormatUint(version, 10) + "." + strconv.FormatUint(sequence, 10) + `"`
}

// Unchanged reports whether If-None-Match contains the tag.
func (c *Call) Unchanged(tag string) bool {
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

// Expected returns the record version in If-Match; nil if any version is accepted. A tag of another form
// returns a version that never matches.
func (c *Call) Expected() (*uint64, error) {
	header := strings.TrimSpace(c.header("If-Match"))
	if header == "" || header == "*" || !c.Operation.Takes("If-Match") {
		return nil, nil //nolint:nilnil // nil means any version
	}
	tag := strings.TrimPrefix(header, "W/") // compressing proxies weaken ETags
	if len(tag) < 2 || tag[0] != '"' || tag[len(tag)-1] != '"' || strings.Contains(tag, ",") {
		return nil, &fault.Error{Code: fault.Invalid, Message: someFields, Fields: []fault.Field{
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
