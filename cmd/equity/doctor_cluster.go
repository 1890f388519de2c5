package main

import (
	"context"
	"time"

	"equity/cmd/equity/doctor"
	"equity/http/relay"
)

// renewBefore is the time before the end of a certificate at which it should be replaced.
const renewBefore = 30 * 24 * time.Hour

// cluster checks the certificates of a member of a cluster.
func (e examination) cluster(context.Context) []doctor.Finding {
	if !e.c.HasCluster() {
		return nil
	}
	const check, repair = "cluster", "create the files with 'equity cluster certificate', and set CLUSTER_CA, CLUSTER_CERT and CLUSTER_KEY"
	own := e.c.Cluster
	credentials, err := relay.LoadCredentials(own.CA, own.Certificate, own.Key)
	if err != nil {
		return []doctor.Finding{doctor.Fail(check, repair, "%v", err)}
	}
	now := e.p.now()
	expires, err := credentials.Check(now)
	switch {
	case err != nil:
		return []doctor.Finding{doctor.Fail(check, repair, "other servers refuse the certificate: %v", err)}
	case expires.Sub(now) < renewBefore:
		return []doctor.Finding{doctor.Warn(check, repair, "the certificate ends on %s", expires.Format(time.DateOnly))}
	}
	return []doctor.Finding{doctor.Good(check, "%s is reached with a certificate until %s", own.Address, expires.Format(time.DateOnly))}
}
