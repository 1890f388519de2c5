package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"equity/app/doctor"
	"equity/http/relay"
	"equity/messages"
	"equity/persistence"
)

// silentMember is the time without a heartbeat after which others do not ask a server any more.
const silentMember = time.Second

// renewBefore is the time before the end of a certificate at which it should be replaced.
const renewBefore = 30 * 24 * time.Hour

// The checks of a cluster.
const (
	clusterCheck = "cluster"
	membersCheck = "cluster members"
)

// cluster checks the certificates of a member of a cluster, and asks all members.
func (e examination) cluster(ctx context.Context) []doctor.Finding {
	if !e.c.HasCluster() {
		return nil
	}
	const repair = "create the files with 'equity cluster certificate', and set CLUSTER_CA, CLUSTER_CERT and CLUSTER_KEY"
	own := e.c.Cluster
	credentials, err := relay.LoadCredentials(own.CA, own.Certificate, own.Key)
	if err != nil {
		return []doctor.Finding{doctor.Fail(clusterCheck, repair, "%v", err)}
	}
	now := e.p.now()
	expires, err := credentials.Check(now)
	if err != nil {
		return []doctor.Finding{doctor.Fail(clusterCheck, repair, "other servers refuse the certificate: %v", err)}
	}
	found := doctor.Good(clusterCheck, "%s has a certificate until %s", own.Address, expires.Format(time.DateOnly))
	if expires.Sub(now) < renewBefore {
		found = doctor.Warn(clusterCheck, repair, "the certificate ends on %s", expires.Format(time.DateOnly))
	}
	return append([]doctor.Finding{found}, e.members(ctx, credentials)...)
}

// members checks the heartbeat of each member of the cluster, and asks each one over its private address.
func (e examination) members(ctx context.Context, credentials relay.Credentials) []doctor.Finding {
	list, err := e.listMembers(ctx)
	if err != nil {
		return []doctor.Finding{doctor.Fail(membersCheck, "repair the database first", "their list was not read: %v", err)}
	}
	links := relay.NewClient(credentials)
	defer links.Close()
	asked := make([]doctor.Finding, len(list))
	var asking sync.WaitGroup
	for i, member := range list {
		asking.Go(func() { asked[i] = e.member(ctx, links, member) })
	}
	asking.Wait()
	if !slices.ContainsFunc(list, func(member messages.Node) bool { return member.Address == e.c.Cluster.Address }) {
		return append([]doctor.Finding{
			doctor.Good(membersCheck, "this server, %s, does not run; %d others are listed", e.c.Cluster.Address, len(list)),
		}, asked...)
	}
	return asked
}

// listMembers reads the list of members.
func (e examination) listMembers(ctx context.Context) (_ []messages.Node, err error) {
	db, err := openDatabase(ctx, e.c)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return persistence.ListNodes(ctx, db)
}

// member checks one member.
func (e examination) member(ctx context.Context, links *relay.Client, member messages.Node) doctor.Finding {
	if member.Address == "" {
		return doctor.Fail(
			membersCheck, "stop it, and start it again with CLUSTER_ADDRESS", "a server without CLUSTER_ADDRESS uses the database (%s)",
			member.Name,
		)
	}
	text := fmt.Sprintf("%s (%s) sent a heartbeat %s ago", member.Address, member.Name, member.Silent.Round(time.Millisecond))
	different, err := links.Compare(ctx, member, e.c.Fingerprints())
	switch {
	case err != nil && !errors.Is(err, relay.ErrNotCompared):
		return doctor.Fail(membersCheck, "check the process, the network and the firewall between both servers, CLUSTER_LISTEN there, and that CLUSTER_CA is the same file",
			"%s, but is not reached: %v", text, err)
	case member.Silent > silentMember:
		return doctor.Warn(
			membersCheck, "check its log, its processor and its connection to the database", "%s; the others do not ask it", text,
		)
	case err != nil:
		return doctor.Warn(
			membersCheck, "replace it with this build, and repeat the check", "%s and is reached, but its settings were not compared: %v",
			text, err,
		)
	case len(different) > 0:
		return doctor.Warn(
			membersCheck, "set them to the same values on all servers", "%s and is reached, but has other values of %s", text,
			strings.Join(different, ", "),
		)
	}
	return doctor.Good(membersCheck, "%s, is reached, and has the same stores", text)
}
