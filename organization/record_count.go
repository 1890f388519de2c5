package organization

// RecordCount returns the approximate number of records of a command: the rows of a file, the objects of a package, and 1 for every
// other command.
func RecordCount(command Command) int {
	switch c := command.(type) {
	case Intake:
		return len(c.Rows)
	case ImportPackage:
		return c.Package.Objects
	default:
		return 1
	}
}
