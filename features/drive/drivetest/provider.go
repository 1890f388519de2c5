package drivetest

// Provider returns the start of a drive with the folders Board, which has two files, and Marketing, for the journeys of the browser app. It
// gets the public address of the server, and returns the settings of the server and the end of the drive.
func Provider() func(server string) (settings map[string]string, end func()) {
	return func(server string) (map[string]string, func()) {
		drive, end := Start()
		board := drive.Folder(Root, "Board")
		drive.Put(board, "Budget.txt", "text/plain", "the budget")
		drive.Put(board, "Minutes.txt", "text/plain", "the minutes")
		drive.Folder(Root, "Marketing")
		app := drive.App()
		return map[string]string{
			"DRIVE_ENABLED": "true", "DRIVE_CLIENT_ID": app.ClientID, "DRIVE_CLIENT_SECRET": app.ClientSecret,
			"DRIVE_REDIRECT_URI": server + "/drive",
			"DRIVE_URL":          app.URL, "DRIVE_LOGIN_URL": app.LoginURL, "DRIVE_TOKEN_URL": app.TokenURL,
		}, end
	}
}
