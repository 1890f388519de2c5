package account

// AbsentHash returns the hash that the password of an unknown account is compared with.
func AbsentHash() string { return absentHash(PasswordCost()) }
