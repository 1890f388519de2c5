package document

// CommandOf is a command with a result of type R.
type CommandOf[R any] interface {
	Command
	// result returns the result: a part of the data room after the events of the command.
	result(events []Event, after *Tree) (R, bool)
}

// ResultOf returns the result of a decided command, or false if the data room does not contain it.
func ResultOf[R any](command CommandOf[R], events []Event, after *Tree) (R, bool) {
	return command.result(events, after)
}

func (c CreateFolder) result(events []Event, after *Tree) (*Item, bool) {
	for _, event := range events {
		if created, ok := event.(FolderCreated); ok {
			return after.Item(created.ID)
		}
	}
	return nil, false
}

// result returns the document of each file, in the order of the files.
func (c AddDocuments) result(events []Event, after *Tree) ([]*Item, bool) {
	items := make([]*Item, 0, len(c.Files))
	for _, event := range events {
		var id ItemID
		switch e := event.(type) {
		case Added:
			id = e.ID
		case Versioned:
			id = e.ID
		default:
			continue
		}
		item, ok := after.Item(id)
		if !ok {
			return nil, false
		}
		items = append(items, item)
	}
	return items, true
}

func (c Move) result(_ []Event, after *Tree) (*Item, bool)      { return after.Item(c.ID) }
func (c Delete) result(_ []Event, after *Tree) (*Item, bool)    { return after.Item(c.ID) }
func (c Restore) result(_ []Event, after *Tree) (*Item, bool)   { return after.Item(c.ID) }
func (c SetAccess) result(_ []Event, after *Tree) (*Item, bool) { return after.Item(c.ID) }

func (c StoreFile) result(events []Event, after *Tree) (*File, bool) {
	for _, event := range events {
		if stored, ok := event.(FileStored); ok {
			return after.File(stored.ID)
		}
	}
	return nil, false
}

func (c EraseFile) result(_ []Event, after *Tree) (*File, bool)    { return after.File(c.ID) }
func (c CreateShare) result(_ []Event, after *Tree) (*Share, bool) { return after.Share(c.ID) }
func (c RevokeShare) result(_ []Event, after *Tree) (*Share, bool) { return after.Share(c.ID) }
