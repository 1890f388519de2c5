// Command client signs in, creates a company and reads its holders with the client that oapi-codegen generates from the contract. The tests
// generate the client beside this file: go tool oapi-codegen -generate types,client -package main -o client.gen.go openapi.yaml.
package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"os"
)

func main() {
	if err := run(context.Background(), os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, server, email, password string) error {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return err
	}
	client, err := NewClientWithResponses(server+"/v1", WithHTTPClient(&http.Client{Jar: jar}))
	if err != nil {
		return err
	}
	user, err := client.LoginWithResponse(ctx, Login{Email: email, Password: password})
	if err != nil || user.JSON200 == nil {
		return fmt.Errorf("sign in: %w %s", err, user.Body)
	}
	created, err := client.CreateOrganizationWithResponse(ctx, nil, CreateOrganization{Name: "Generated in Go", Currency: "USD"})
	if err != nil || created.JSON201 == nil {
		return fmt.Errorf("create: %w %s", err, created.Body)
	}
	found, err := client.ListShareholdingsWithResponse(ctx, created.JSON201.Id, nil)
	if err != nil || found.JSON200 == nil {
		return fmt.Errorf("list: %w %s", err, found.Body)
	}
	fmt.Println(created.JSON201.Name, len(found.JSON200.Data))
	return nil
}
