package config

import "strings"

// OfficeSuite are the settings of an office suite that stores documents of organizations in place of the data room.
type OfficeSuite struct {
	TenantID, ClientID string
	ClientSecret       Secret
	DriveID            string
	// URL and LoginURL are without trailing slash.
	URL, LoginURL string
}

func officeSettings() []Setting {
	const group = "Office suite"
	return []Setting{
		define(group, "OFFICE_SUITE_TENANT_ID", "", text(),
			func(c *Config) *string { return &c.OfficeSuite.TenantID },
			"Directory (tenant) ID of Microsoft Entra. Organizations with the storage officeSuite keep their documents in SharePoint."),
		define(group, "OFFICE_SUITE_CLIENT_ID", "", text(),
			func(c *Config) *string { return &c.OfficeSuite.ClientID },
			"Client ID of the registered application. It needs the permission Sites.Selected, with write access to one site."),
		define(group, "OFFICE_SUITE_CLIENT_SECRET", "", secretText(),
			func(c *Config) *Secret { return &c.OfficeSuite.ClientSecret },
			"Secret of the application."),
		define(group, "OFFICE_SUITE_DRIVE_ID", "", text(),
			func(c *Config) *string { return &c.OfficeSuite.DriveID },
			"ID of the document library (drive) of the site. The folder equity in it contains one folder for each organization."),
		define(group, "OFFICE_SUITE_URL", "https://graph.microsoft.com/v1.0", webAddress(),
			func(c *Config) *string { return &c.OfficeSuite.URL },
			"Address of the Microsoft Graph API, for national clouds and tests."),
		define(group, "OFFICE_SUITE_LOGIN_URL", "https://login.microsoftonline.com", webAddress(),
			func(c *Config) *string { return &c.OfficeSuite.LoginURL },
			"Address of the tokens, for national clouds and tests."),
	}
}

// HasOfficeSuite reports whether organizations can store documents in the office suite.
func (c Config) HasOfficeSuite() bool { return c.OfficeSuite.TenantID != "" }

// officeProblems returns the problems of the settings of the office suite.
func (c Config) officeProblems() (problems SettingsError) {
	for _, one := range []struct {
		name  string
		given bool
	}{
		{"OFFICE_SUITE_CLIENT_ID", c.OfficeSuite.ClientID != ""},
		{"OFFICE_SUITE_CLIENT_SECRET", c.OfficeSuite.ClientSecret != ""},
		{"OFFICE_SUITE_DRIVE_ID", c.OfficeSuite.DriveID != ""},
	} {
		switch {
		case c.HasOfficeSuite() && !one.given:
			problems = append(problems, Problem{one.name, "is not set, but is required with OFFICE_SUITE_TENANT_ID"})
		case !c.HasOfficeSuite() && one.given:
			problems = append(problems, Problem{"OFFICE_SUITE_TENANT_ID", "is not set, but is required with " + one.name})
		}
	}
	if c.Environment != Production {
		return problems
	}
	for _, one := range []struct{ name, address string }{
		{"OFFICE_SUITE_URL", c.OfficeSuite.URL}, {"OFFICE_SUITE_LOGIN_URL", c.OfficeSuite.LoginURL},
	} {
		if strings.HasPrefix(one.address, "http://") {
			problems = append(problems, Problem{one.name, "must start with https:// in production; otherwise documents and tokens would be readable on the network"})
		}
	}
	return problems
}
