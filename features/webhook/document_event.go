package webhook

import (
	"equity/actors/consumer"
	"equity/organization"
	"equity/organization/document"
)

// roomOccasions reports one event for the item of an event of the data room. The file of a document is reported with its document.
func roomOccasions(eventType string, event organization.RoomEvent, row *consumer.Event) []occasion {
	if stored, is := event.Event.(document.FileStored); is && !stored.Record {
		return nil
	}
	records := event.Records(row.After)
	if len(records) == 0 {
		return nil
	}
	return []occasion{{eventType: eventType, record: records[0]}}
}
