package config

import (
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
)

// Files are the settings of stored files. Without a URL, files are stored below DATA_DIRECTORY.
type Files struct {
	URL       string // without trailing slash; "" for a folder
	AccessKey Secret
	SecretKey Secret
	Region    string
	Bucket    string
	// FileMegabytes and DocumentMegabytes are the maximum sizes of a file of a record and of a document.
	FileMegabytes, DocumentMegabytes int
	// OrganizationMegabytes bounds the files of an organization together; 0 is no limit.
	OrganizationMegabytes int
	// Extensions are in lower case without dots; nil permits all.
	Extensions []string
}

const (
	maxFileMegabytes         = 1024
	maxOrganizationMegabytes = 1 << 24
)

func fileSettings() []Setting {
	const group = "Files"
	return []Setting{
		define(group, "STORE_URL", "", webAddress(),
			func(c *Config) *string { return &c.Files.URL },
			"Address of an S3-compatible service for the bytes of documents and files. Default: the folder DATA_DIRECTORY/files."),
		define(group, "STORE_ACCESS_KEY", "", secretText(),
			func(c *Config) *Secret { return &c.Files.AccessKey },
			"Access key at the service."),
		define(group, "STORE_SECRET_KEY", "", secretText(),
			func(c *Config) *Secret { return &c.Files.SecretKey },
			"Secret key at the service."),
		define(group, "STORE_REGION", "us-east-1", text(),
			func(c *Config) *string { return &c.Files.Region },
			"Region of the bucket."),
		define(group, "STORE_BUCKET", "", text(),
			func(c *Config) *string { return &c.Files.Bucket },
			"Bucket of the files. It is created at start if it is missing. Nothing else may write to it."),
		define(group, "STORE_UPLOAD_SIZE_LIMIT_MB", "10", number(1, maxFileMegabytes),
			func(c *Config) *int { return &c.Files.FileMegabytes },
			"Maximum size in megabytes (1,048,576 bytes) of a file outside of the data room, such as a logo."),
		define(group, "DATA_ROOM_UPLOAD_SIZE_LIMIT_MB", "10", number(1, maxFileMegabytes),
			func(c *Config) *int { return &c.Files.DocumentMegabytes },
			"Maximum size in megabytes (1,048,576 bytes) of a document. An upload may have 20 documents."),
		define(group, "STORE_ORGANIZATION_LIMIT_MB", "20480", number(0, maxOrganizationMegabytes),
			func(c *Config) *int { return &c.Files.OrganizationMegabytes },
			"Maximum size in megabytes (1,048,576 bytes) of all files of an organization, with all versions and the trash. 0: no limit."),
		define(group, "STORE_FILE_EXTENSIONS", "", extensions(),
			func(c *Config) *[]string { return &c.Files.Extensions },
			"Permitted extensions of uploaded files, separated by commas, such as pdf,docx,xlsx. Default: all extensions."),
	}
}

// extensions is the kind of a list of extensions. A dot before an extension is removed.
func extensions() kind[[]string] {
	return kind[[]string]{
		expected: "extensions, separated by commas",
		parse: func(text string) ([]string, bool) {
			return list(text, func(one string) (string, bool) {
				one = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(one), "."))
				return one, one != "" && !strings.ContainsAny(one, "./\\ ")
			})
		},
	}
}

// fileProblems returns the problems of the settings of files.
func (c Config) fileProblems() (problems SettingsError) {
	required := []struct {
		name  string
		given bool
	}{
		{"STORE_ACCESS_KEY", c.Files.AccessKey != ""},
		{"STORE_SECRET_KEY", c.Files.SecretKey != ""},
		{"STORE_BUCKET", c.Files.Bucket != ""},
	}
	for _, one := range required {
		switch {
		case c.Files.URL != "" && !one.given:
			problems = append(problems, Problem{one.name, "is not set, but is required with STORE_URL"})
		case c.Files.URL == "" && one.given:
			problems = append(problems, Problem{"STORE_URL", "is not set, but is required with " + one.name})
		}
	}
	if c.Environment == Production && strings.HasPrefix(c.Files.URL, "http://") && !isLoopback(c.Files.URL) {
		problems = append(problems, Problem{"STORE_URL", "must start with https:// in production unless its host is this machine; otherwise documents would be readable on the network"})
	}
	return problems
}

// isLoopback reports whether the host of the address is this machine.
func isLoopback(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && ip.IsLoopback()
}

// StorageLimit returns the bytes that an organization may store; 0 is no limit.
func (c Config) StorageLimit() int64 { return int64(c.Files.OrganizationMegabytes) << 20 }

// FilesDirectory returns the folder of files without an S3-compatible service.
func (c Config) FilesDirectory() string { return filepath.Join(c.DataDirectory, "files") }
