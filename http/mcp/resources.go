package mcp

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// kind is a kind of resources: a reading of an organization.
type kind struct{ name, title, operation string }

func kinds() []kind {
	return []kind{
		{"captable", "Cap table", "exportCapTable"},
		{"journal", "Journal, newest events first", "listJournal"},
		{"document", "Documents", "listDocuments"},
	}
}

const (
	resourcePrefix = "equity://organization/"
	mediaJSON      = "application/json"
)

// resources returns the resources of the organizations of the caller.
func (c caller) resources(ctx context.Context) (sdk.Result, error) {
	companies, err := c.tools.Companies(ctx)
	if err != nil {
		return nil, err
	}
	made := &sdk.ListResourcesResult{Cacheable: sdk.Cacheable{CacheScope: private}, Resources: []*sdk.Resource{}}
	for _, company := range companies {
		for _, one := range kinds() {
			listed := &sdk.Resource{
				URI: resourcePrefix + company.ID.String() + "/" + one.name, Name: company.Name + " " + one.name,
				Title:    one.title + " of " + company.Name,
				MIMEType: mediaJSON,
			}
			const names = 60 // bytes of the names of the fields
			if !c.size.add(len(listed.URI) + len(listed.Name) + len(listed.Title) + names) {
				return nil, errProtocol(errTooLarge())
			}
			made.Resources = append(made.Resources, listed)
		}
	}
	return made, nil
}

// templates returns the templates of the addresses of resources.
func templates() *sdk.ListResourceTemplatesResult {
	made := &sdk.ListResourceTemplatesResult{Cacheable: sdk.Cacheable{CacheScope: private}}
	for _, one := range kinds() {
		made.ResourceTemplates = append(made.ResourceTemplates, &sdk.ResourceTemplate{
			URITemplate: resourcePrefix + "{id}/" + one.name, Name: one.name, Title: one.title + " of an organization", MIMEType: mediaJSON,
		})
	}
	return made
}

// read returns the content of a resource. It runs the operation of its kind as a tool, within the same limits.
func (c caller) read(ctx context.Context, address string) (sdk.Result, error) {
	id, name, _ := strings.Cut(strings.TrimPrefix(address, resourcePrefix), "/")
	for _, one := range kinds() {
		if one.name != name || !strings.HasPrefix(address, resourcePrefix) {
			continue
		}
		arguments, err := json.Marshal(map[string]string{"organization": id})
		if err != nil {
			return nil, err
		}
		outcome, err := c.tools.Run(ctx, one.operation, arguments)
		switch {
		case err == nil && outcome.Result.Succeeded() && !c.size.addResult(outcome.Result.Body),
			err == nil && outcome.Result.Status == http.StatusRequestEntityTooLarge:
			return nil, errProtocol(errTooLarge())
		case err != nil || !outcome.Result.Succeeded():
			return nil, sdk.ResourceNotFoundError(address)
		}
		return &sdk.ReadResourceResult{
			Cacheable: sdk.Cacheable{CacheScope: private},
			Contents:  []*sdk.ResourceContents{{URI: address, MIMEType: mediaJSON, Text: string(outcome.Result.Body)}},
		}, nil
	}
	return nil, sdk.ResourceNotFoundError(address)
}
