package membership

// Columns returns the columns of a kind's template in order.
func Columns(kind string) []string {
	switch kind {
	case Members:
		return []string{
			"fullName", "email", "kind", "title", "relationship", "phone", "startDate",
			"street1", "street2", "city", "province", "postalCode", "country", "externalId",
		}
	case Options:
		return []string{
			"holder", "plan", "pool", "type", "quantity", "issueDate", "exercisePrice", "expirationDate", "vestingSchedule", "vestingStart",
			"earlyExercise", "marketValue", "boardApprovalDate", "block", "externalId",
		}
	default:
		return []string{
			"holder", "security", "shares", "issueDate", "certificate", "pricePerShare", "issuanceType", "vestingSchedule", "vestingStart",
			"boardApprovalDate", "rule144Date", "block", "externalId",
		}
	}
}

// ArgumentOf returns the field with the meaning of a column in the body of the operation that records a row. A field of an object has the
// name of the object and a slash before its name.
func ArgumentOf(column string) string {
	switch {
	case column == "holder":
		return "entity"
	case isAddress(column):
		return "address/" + column
	default:
		return column
	}
}

func requiredColumns(kind string) []string {
	switch kind {
	case Members:
		return []string{"fullName"}
	case Options:
		return []string{"holder", "plan", "type", "quantity", "issueDate"}
	default:
		return []string{"holder", "security", "shares", "issueDate"}
	}
}
