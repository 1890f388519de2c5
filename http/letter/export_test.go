package letter

// WriteLetter fills in the templates of a mail.
func WriteLetter(occasion, subject, from string, facts any) (text, page string, err error) {
	read, err := New(from, nil)
	if err != nil {
		return "", "", err
	}
	return read.write(occasion, subject, from, facts)
}

// Occasions lists the kinds of mail.
var Occasions = occasions
