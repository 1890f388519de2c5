package member

import (
	"cmp"

	"equity/captable/ocf"
	"equity/http/api"
	"equity/sheet"
)

// ImportSettings bound uploaded files. A limit that is 0 has its default.
type ImportSettings struct {
	// Parallel is the number of imports that run at a time; 3 by default. Each may hold a file of FileBytes and a package
	// of PackageBytes in memory.
	Parallel int
	// Directory is the folder of temporary files of uploads; empty for that of the system.
	Directory string
	// LimitMemory is called at the beginning of a package's import, and its result once other commands wait for the import
	// or it has ended. It may tune the garbage collector; nil does nothing.
	LimitMemory func() (end func())
	// FileBytes limits the body of an upload; 20 MiB by default.
	FileBytes int64
	// Rows limits the rows of a spreadsheet; 10,000 by default.
	Rows int
	// PackageBytes and PackageObjects limit an unpacked package; the limits of [ocf.DefaultLimits] by default.
	PackageBytes   int64
	PackageObjects int
}

// WithDefaults returns the settings with the defaults in place of zeros.
func (i ImportSettings) WithDefaults() ImportSettings {
	packages := ocf.DefaultLimits()
	return ImportSettings{
		Directory: i.Directory, LimitMemory: i.LimitMemory, Parallel: cmp.Or(i.Parallel, api.ImportsAtOnce),
		FileBytes: cmp.Or(i.FileBytes, api.FileLimit), Rows: cmp.Or(i.Rows, sheet.MaxRows),
		PackageBytes: cmp.Or(i.PackageBytes, packages.Bytes), PackageObjects: cmp.Or(i.PackageObjects, packages.Objects),
	}
}

// PackageLimits returns the limits of a package.
func (i ImportSettings) PackageLimits() ocf.Limits {
	limits := ocf.DefaultLimits()
	limits.Bytes, limits.Objects = i.PackageBytes, i.PackageObjects
	return limits
}
