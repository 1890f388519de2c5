package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strconv"
	"time"

	"equity/app/doctor"
	"equity/cmd/equity/redact"
	"equity/config"
)

// doctorCommand is `equity doctor`.
type doctorCommand struct {
	JSON  bool `name:"json" help:"Print the findings as one JSON object."`
	Ready bool `help:"Only check that the server on this machine is ready, as a container does periodically."`
}

// Help is shown by `equity doctor --help`.
func (doctorCommand) Help() string {
	return `One line for each check: ok, warning or failure, with the repair. It may run before the
first start and while a server runs. It creates no records, sends no mail, and
prints no secrets. At the object store it writes and deletes one object below
doctor/. The exit status is 1 if a check failed; warnings alone do not change it.`
}

// doctorWithin is the time limit of one check.
const doctorWithin = 15 * time.Second

var errUnhealthy = errors.New("a check failed")

// Run executes all checks and prints the report.
func (d doctorCommand) Run(ctx context.Context, p program) error {
	examine := p.examine
	if d.Ready {
		examine = p.readiness
	}
	report, err := examine(ctx)
	if err != nil {
		return err
	}
	write := report.Print
	if d.JSON {
		write = report.JSON
	}
	if err := write(p.out); err != nil {
		return err
	}
	if report.Status == doctor.Failure {
		return errUnhealthy
	}
	return nil
}

// examine returns the report. With invalid settings it contains the problems of the settings only.
func (p program) examine(ctx context.Context) (doctor.Report, error) {
	const check, repair = "settings", "correct the setting; 'equity config' describes it"
	values, err := p.source(nil).Values()
	if err != nil {
		return doctor.NewReport(redact.New(nil).Text, []doctor.Finding{doctor.Fail(check, repair, "%v", err)}), nil
	}
	var secrets []string
	for _, v := range values {
		secrets = append(secrets, v.Hidden()...)
	}
	hide := redact.New(secrets).Text
	c, err := config.New(values)
	if problems, are := errors.AsType[config.SettingsError](err); are {
		var found []doctor.Finding
		for _, problem := range problems {
			found = append(found, doctor.Fail(check, repair, "%s", problem))
		}
		return doctor.NewReport(hide, found), nil
	}
	if err != nil {
		return doctor.Report{}, err
	}
	e := examination{p: p, c: c}
	checks := []doctor.Check{
		func(context.Context) []doctor.Finding {
			return []doctor.Finding{doctor.Good(check, "%d settings are valid, the environment is %s", len(values), c.Environment)}
		},
		e.folders, e.database, e.cluster, e.redis, e.objects, e.mail, e.provider, e.billing, e.office,
	}
	checks = append(checks, e.rooms()...)
	return doctor.Run(ctx, doctorWithin, hide, append(checks, e.model, e.hooks, e.address)...), nil
}

// readyTime is the time limit of --ready.
const readyTime = 4 * time.Second

// readiness returns a report with the answer of the server at METRICS_LISTEN.
func (p program) readiness(ctx context.Context) (doctor.Report, error) {
	c, err := p.settings(nil)
	if err != nil {
		return doctor.Report{}, err
	}
	return doctor.Run(ctx, readyTime, redact.New(nil).Text, func(ctx context.Context) []doctor.Finding {
		const check, repair = "server", "start the server, and read its log"
		host, port, err := net.SplitHostPort(c.MetricsListen)
		if ip := net.ParseIP(host); host == "" || ip.IsUnspecified() {
			host = "localhost"
		}
		address := "http://" + net.JoinHostPort(host, port) + "/readyz"
		request, failed := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err := errors.Join(err, failed); err != nil {
			return []doctor.Finding{doctor.Fail(check, repair, "%v", err)}
		}
		status, err := statusOf(request)
		switch {
		case err != nil:
			return []doctor.Finding{doctor.Fail(check, repair, "%v", err)}
		case status != http.StatusOK:
			return []doctor.Finding{doctor.Fail(check, repair, "%s answers with the status %d", address, status)}
		}
		return []doctor.Finding{doctor.Good(check, "it is ready")}
	}), nil
}

// examination contains the checks of one run.
type examination struct {
	p program
	c config.Config
}

// folders checks the folders of the server and their disks.
func (e examination) folders(context.Context) []doctor.Finding {
	found := []doctor.Finding{
		doctor.Folder("data folder", "DATA_DIRECTORY", e.c.DataDirectory), doctor.Disk(e.c.DataDirectory),
	}
	temporary := e.p.temporary()
	found = append(found, doctor.Folder("temporary folder", "TMPDIR", temporary), doctor.Disk(temporary))
	if path, embedded := e.c.SQLitePath(); embedded && !below(path, e.c.DataDirectory) {
		found = append(found, doctor.Disk(path))
	}
	return found
}

// mail checks the mail server, or the folder of mail.
func (e examination) mail(ctx context.Context) []doctor.Finding {
	const check = "mail"
	if e.c.SMTPHost == "" {
		found := doctor.Folder(check, "MAIL_DIRECTORY", e.c.MailDirectory)
		if found.State == doctor.OK && e.c.Environment == config.Production {
			found = doctor.Warn(check, "set SMTP_HOST", "mail is written to files in %s and not sent", e.c.MailDirectory)
		}
		return []doctor.Finding{found}
	}
	address := net.JoinHostPort(e.c.SMTPHost, strconv.Itoa(e.c.SMTPPort))
	if err := smtpOf(e.c).Ping(ctx); err != nil {
		return []doctor.Finding{
			doctor.Fail(check, "check SMTP_HOST, SMTP_PORT, SMTP_SECURITY, SMTP_USERNAME and SMTP_PASSWORD", "%s: %v", address, err),
		}
	}
	return []doctor.Finding{doctor.Good(check, "%s accepts mail (%s)", address, e.c.SMTPSecurity)}
}
