package main

import (
	"maps"
	"path/filepath"
	"testing"
	"time"

	"equity/app/doctor"
	"equity/persistence/storetest"
)

func TestDoctorChecksTheCertificateOfTheCluster(t *testing.T) {
	t.Parallel()
	s := setupServices(t)
	s.useObjects(t)
	folder := t.TempDir()
	s.variables["CLUSTER_ADDRESS"] = "10.0.0.1:7443"
	s.variables["CLUSTER_CA"] = filepath.Join(folder, "ca.pem")
	s.variables["CLUSTER_CERT"], s.variables["CLUSTER_KEY"] = filepath.Join(folder, "one.pem"), filepath.Join(folder, "one.key")
	s.doctor(t).finds(t, "cluster", doctor.Failure, "CLUSTER_CA")
	s.run(t, "cluster", "certificate", folder, "--name", "one")
	s.doctor(t).finds(t, "cluster", doctor.OK, "10.0.0.1:7443")
	at := func(years int) string {
		t.Helper()
		var out, errors safeBuffer
		p := s.program("", &out, &errors)
		p.now = func() time.Time { return time.Now().AddDate(years, 0, -20) }
		p.run(t.Context(), []string{"doctor"})
		return out.String()
	}
	mustContain(t, at(2), "the certificate ends on")
	mustContain(t, at(3), "other servers refuse the certificate")
	other := t.TempDir()
	s.run(t, "cluster", "certificate", other, "--name", "one")
	s.variables["CLUSTER_CA"] = filepath.Join(other, "ca.pem")
	s.doctor(t).finds(t, "cluster", doctor.Failure, "unknown authority")
}

// TestDoctorAsksAllMembers runs one member. The test writes the rows of the others, which do not answer.
func TestDoctorAsksAllMembers(t *testing.T) {
	t.Parallel()
	const check = "cluster members"
	s := setupServices(t)
	s.useObjects(t)
	folder := t.TempDir()
	address := "127.0.0.1:" + storetest.FreePort(t)
	s.variables["CLUSTER_ADDRESS"], s.variables["CLUSTER_CA"] = address, filepath.Join(folder, "ca.pem")
	s.variables["CLUSTER_CERT"], s.variables["CLUSTER_KEY"] = filepath.Join(folder, "node.pem"), filepath.Join(folder, "node.key")
	s.run(t, "cluster", "certificate", folder)
	s.doctor(t).finds(t, check, doctor.OK, address+", does not run; 0 others")
	r := s.serve(t)
	d := s.doctor(t)
	d.finds(t, check, doctor.OK, address+" (")
	d.finds(t, check, doctor.OK, "is reached, and has the same stores")

	away := "127.0.0.1:" + storetest.FreePort(t)
	const clock = `(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::BIGINT`
	s.alter(t, `INSERT INTO node (id, address, name, seen_at) SELECT 'away', '`+away+`', 'the other', `+clock+` + 3600000000`)
	d = s.doctor(t)
	d.finds(t, check, doctor.Failure, away+" (the other) sent a heartbeat 0s ago")
	d.finds(t, check, doctor.Failure, "connection refused")
	d.finds(t, check, doctor.Failure, "CLUSTER_LISTEN")
	s.alter(t, `UPDATE node SET address = '`+address+`', seen_at = `+clock+` - 1500000 WHERE id = 'away'`)
	s.doctor(t).finds(t, check, doctor.Warning, "the others do not ask it")
	s.alter(t, `UPDATE node SET address = '', seen_at = `+clock+` + 3600000000 WHERE id = 'away'`)
	s.doctor(t).finds(t, check, doctor.Failure, "without CLUSTER_ADDRESS uses the database (the other)")
	s.alter(t, `DELETE FROM node WHERE id = 'away'`)

	other := shell{variables: maps.Clone(s.variables), directory: s.directory}
	other.variables["STORE_BUCKET"], other.variables["PUBLIC_URL"] = "another", "https://equity.example.com"
	other.doctor(t).finds(t, check, doctor.Warning, "other values of PUBLIC_URL, STORE_BUCKET")
	foreign := t.TempDir()
	other.run(t, "cluster", "certificate", foreign)
	other.variables["CLUSTER_CA"] = filepath.Join(foreign, "ca.pem")
	other.variables["CLUSTER_CERT"], other.variables["CLUSTER_KEY"] = filepath.Join(foreign, "node.pem"), filepath.Join(foreign, "node.key")
	other.doctor(t).finds(t, check, doctor.Failure, "certificate")
	r.end(t)
}
