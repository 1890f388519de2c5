package organization

// Occasion is a public event for other systems, such as subscription.created, with the record that it concerns.
type Occasion struct {
	Type   string
	Record any
}

// Reporting is an event that decides by the states before and after it which occasions it causes. They are the same in each replay.
type Reporting interface {
	Occasions(before, after *State) []Occasion
}
