package main

const description = `An equity management server: it keeps the cap tables of organizations.

Start with 'equity serve --demo'. It needs no other service: records are stored in
one file under ./data, and the log contains the address to open. Every setting is
an environment variable; 'equity config' lists and describes them.`

// cli is the tree of commands. Each command is a struct in its own file,
// with its flags as fields and a method Run.
type cli struct {
	Config string `help:"Settings file with lines NAME=value. Default: the file named by EQUITY_CONFIG." placeholder:"FILE" type:"path"`

	Serve    serveCommand    `cmd:"" help:"Start the server."`
	Gateway  gatewayCommand  `cmd:"" help:"Receive inbound hooks in a process of its own."`
	Confined confinedCommand `cmd:"" hidden:"" help:"Parse a content in a child process of the server."`
	Demo     demoCommand     `cmd:"" help:"Create a demo company."`
	Migrate  migrateCommand  `cmd:"" help:"Migrate the database to the current schema."`
	Import   importCommand   `cmd:"" help:"Import data of other programs."`
	Export   exportCommand   `cmd:"" help:"Export an organization."`
	Verify   verifyCommand   `cmd:"" help:"Check the integrity of a store or a proof."`
	Audit    auditCommand    `cmd:"" help:"Export the changes of organizations for an audit."`
	Doctor   doctorCommand   `cmd:"" help:"Check the settings, stores and services of an installation."`
	Backup   backupCommand   `cmd:"" help:"Copy the store and its files while servers run."`
	Restore  restoreCommand  `cmd:"" help:"Restore and verify a backup."`
	Admin    adminCommand    `cmd:"" help:"Administrative tasks of the operator."`
	Cluster  clusterCommand  `cmd:"" help:"Administration of several servers on one database."`
	Calc     calcCommand     `cmd:"" help:"Calculate one case offline: vesting, rounds, interest, ownership."`
	Bench    benchCommand    `cmd:"" help:"Measure the server against simple reference implementations."`
	Settings settingsCommand `cmd:"" name:"config" help:"List every setting with its value and meaning."`
	Version  versionCommand  `cmd:"" help:"Print the version of the program."`
}
