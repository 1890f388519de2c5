package scan_test

import (
	"testing"

	"equity/config"
	"equity/features/scan"
)

func TestAddressOfTheScannerIsChecked(t *testing.T) {
	t.Parallel()
	for address, valid := range map[string]bool{
		"tcp://127.0.0.1:3310": true, "unix:///run/clamd.ctl": true, "": true, "127.0.0.1:3310": false, "tcp://127.0.0.1": false,
		"http://127.0.0.1:3310": false, "unix://clamd": false,
	} {
		_, err := config.Load(config.Source{Rooms: scan.Room().Settings, Flags: map[string]string{"SCAN_URL": address}})
		if (err == nil) != valid {
			t.Errorf("%q: %v", address, err)
		}
	}
}
