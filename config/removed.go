package config

// removedSettings lists the settings of earlier versions. They have no valid value, because a server that ignored them would not work as its
// operator expects. Their text may contain a secret. The replacement completes "must be removed:".
func removedSettings() []Setting {
	const several = `PostgreSQL alone decides between servers; see "Several servers" in docs/operations.md`
	var settings []Setting
	for _, name := range []string{"CLUSTER_PROVIDER", "CLUSTER_PROVIDER_URL", "CLUSTER_LEASE", "CLUSTER_EXPIRY", "CLUSTER_FOLLOW"} {
		settings = append(settings, Setting{
			Name: name, Group: "Removed", Meaning: "This setting no longer exists: " + several + ".", Expected: "not set", Secret: true,
			replacement: several,
			set:         func(*Config, string) bool { return false },
			show:        func(string) string { return hidden },
		})
	}
	return settings
}
