package main

const description = `An equity management server: it keeps organizations' cap tables.

Start with 'equity serve --demo', which needs nothing else: records are kept in
one file under ./data, and the log prints the address to open. Every setting is
an environment variable; 'equity config' lists them with what they mean.`

// cli is the tree of commands. A command is a struct in a file of its own,
// with its flags as fields and a method Run; here stands one line for each.
type cli struct {
	Config string `help:"File of settings, a line NAME=value each. Without it, the one that EQUITY_CONFIG names." placeholder:"FILE" type:"path"`

	Serve    serveCommand    `cmd:"" help:"Start the server."`
	Demo     demoCommand     `cmd:"" help:"Make a demo company to look around in."`
	Migrate  migrateCommand  `cmd:"" help:"Bring the database's tables up to date."`
	Import   importCommand   `cmd:"" help:"Take in what another program wrote."`
	Export   exportCommand   `cmd:"" help:"Write an organization for others to read."`
	Verify   verifyCommand   `cmd:"" help:"Check that nothing was altered or lost."`
	Backup   backupCommand   `cmd:"" help:"Copy an SQLite store and its files while the server runs."`
	Restore  restoreCommand  `cmd:"" help:"Bring a backup back, and verify it."`
	Admin    adminCommand    `cmd:"" help:"Do what only the operator of the server may."`
	Calc     calcCommand     `cmd:"" help:"Calculate one case offline: vesting, rounds, interest, ownership."`
	Bench    benchCommand    `cmd:"" help:"Measure the server against plain ways of doing the same."`
	Settings settingsCommand `cmd:"" name:"config" help:"List every setting with its value and meaning."`
	Version  versionCommand  `cmd:"" help:"Print the version of the program."`
}
