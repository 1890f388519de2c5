package organization

// Size returns about how many records a command asks for: the rows of a file, the objects of a package, and 1 for every
// other command.
func Size(command Command) int {
	switch c := command.(type) {
	case Intake:
		return len(c.Rows)
	case ImportPackage:
		return c.Package.Objects
	default:
		return 1
	}
}
