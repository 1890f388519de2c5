package main

import "go.yaml.in/yaml/v3"

func methods() []string { return []string{"get", "put", "post", "patch", "delete"} }

// complete adds the derived responses to the operations of a path.
func (d *document) complete(item *yaml.Node) {
	for _, method := range methods() {
		if operation := get(item, method); operation != nil {
			d.completeOperation(item, operation, method)
		}
	}
}

// errorAnswer is an error response, and whether it applies to an operation.
type errorAnswer struct {
	status, component string
	applies           bool
}

// completeOperation adds the responses that follow from the parameters, body and permission of an operation,
// unless the operation declares them itself.
func (d *document) completeOperation(item, operation *yaml.Node, method string) {
	responses := ensure(operation, "responses")
	permission := get(operation, "x-permission")
	public := permission != nil && permission.Value == "public"
	gateway := permission != nil && permission.Value == "gateway"
	signedIn := permission != nil && !public && !gateway
	parameters := d.parameters(item, operation)
	body := get(operation, "requestBody") != nil
	// Invalid bearer tokens are limited wherever a session is required.
	limited := public && method != "get" || d.answersFiles(responses) || signedIn
	d.completeSuccess(responses, parameters)
	for _, answer := range []errorAnswer{
		{"304", "NotModified", parameters["If-None-Match"]},
		{"400", "BadRequest", true}, // unknown query parameters are refused everywhere
		{"401", "Unauthorized", permission != nil && permission.Value != "public"},
		{"403", "Forbidden", signedIn || method != "get"}, // a token lacks a scope; pages of other sites may only read
		{"404", "NotFound", hasPathParameter(d, item) || get(operation, "x-organization") != nil || get(operation, "x-feature") != nil},
		{"409", "Conflict", parameters["Idempotency-Key"] || get(operation, "x-agent") != nil && parameters["dryRun"]},
		{"412", "Stale", parameters["If-Match"]},
		{"413", "TooLarge", body},
		{"415", "UnsupportedMediaType", body},
		{"429", "TooManyAttempts", limited},
		{"500", "Internal", true},
		{"503", "Unavailable", true},
	} {
		if answer.applies && get(responses, answer.status) == nil {
			set(responses, answer.status, reference("responses", answer.component))
		}
	}
	sortStatuses(responses)
	if public {
		set(operation, "security", newSequence())
	}
}

// answersFiles reports whether a response may be a file. The server limits the number of simultaneous files.
func (d *document) answersFiles(responses *yaml.Node) bool {
	ok := get(responses, "200")
	if ok == nil {
		return false
	}
	found := false
	each(get(d.resolve(ok), "content"), func(kind string, _ *yaml.Node) { found = found || kind != "application/json" })
	return found
}

// completeSuccess adds the headers of successful answers and the preview of a dry run.
func (d *document) completeSuccess(responses *yaml.Node, parameters map[string]bool) {
	each(responses, func(status string, response *yaml.Node) {
		if status[0] != '2' || get(response, "$ref") != nil {
			return
		}
		if status == "201" {
			set(ensure(response, "headers"), "Location", reference("headers", "Location"))
		}
		if parameters["If-None-Match"] || parameters["If-Match"] && get(response, "content") != nil {
			set(ensure(response, "headers"), "ETag", reference("headers", "ETag"))
		}
	})
	if !parameters["dryRun"] {
		return
	}
	preview := reference("schemas", "Preview")
	ok := get(responses, "200")
	if ok == nil {
		set(responses, "200", reference("responses", "Preview"))
		return
	}
	media := get(get(ok, "content"), "application/json")
	record := get(media, "schema")
	if named(record) == "ImportReport" { // states itself that it is a dry run
		return
	}
	either := newMapping()
	set(either, "oneOf", newSequence(record, preview))
	if get(media, "example") == nil {
		set(media, "x-example-of", record)
	}
	set(media, "schema", either)
}

// parameters returns the set of the operation's parameter names.
func (d *document) parameters(item, operation *yaml.Node) map[string]bool {
	names := map[string]bool{}
	for _, list := range []*yaml.Node{get(item, "parameters"), get(operation, "parameters")} {
		if list == nil {
			continue
		}
		for _, parameter := range list.Content {
			names[textAt(d.resolve(parameter), "name")] = true
		}
	}
	return names
}

func hasPathParameter(d *document, item *yaml.Node) bool {
	list := get(item, "parameters")
	if list == nil {
		return false
	}
	for _, parameter := range list.Content {
		if textAt(d.resolve(parameter), "in") == "path" {
			return true
		}
	}
	return false
}

// resolve follows a reference to its component.
func (d *document) resolve(node *yaml.Node) *yaml.Node {
	name := named(node)
	if name == "" {
		return node
	}
	var found *yaml.Node
	each(d.components, func(section string, entries *yaml.Node) {
		if get(node, "$ref").Value == "#/components/"+section+"/"+name {
			found = get(entries, name)
		}
	})
	if found == nil {
		return newMapping()
	}
	return found
}

// sortStatuses sorts responses by status, successes first.
func sortStatuses(responses *yaml.Node) {
	content := responses.Content
	for i := 2; i < len(content); i += 2 {
		for j := i; j > 0 && content[j].Value < content[j-2].Value; j -= 2 {
			content[j], content[j-2] = content[j-2], content[j]
			content[j+1], content[j-1] = content[j-1], content[j+1]
		}
	}
	for i := 0; i < len(content); i += 2 {
		content[i] = quoted(content[i].Value)
	}
}
