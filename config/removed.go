package config

// removedSettings lists the settings of earlier versions. They are refused, because a server that ignored them
// would not work as its operator expects.
func removedSettings() []Setting {
	const several = `PostgreSQL alone decides between servers; see "Several servers" in docs/operations.md`
	return []Setting{
		removed("CLUSTER_PROVIDER", several),
		removed("CLUSTER_PROVIDER_URL", several),
		removed("CLUSTER_LEASE", several),
		removed("CLUSTER_EXPIRY", several),
		removed("CLUSTER_FOLLOW", several),
	}
}

// removed describes a setting without a valid value. The text may contain a secret. The replacement completes "must be removed:".
func removed(name, replacement string) Setting {
	return Setting{
		Name: name, Group: "Removed", Meaning: "This setting no longer exists: " + replacement + ".", Expected: "not set", Secret: true,
		replacement: replacement,
		set:         func(*Config, string) bool { return false },
		show:        func(string) string { return hidden },
	}
}
