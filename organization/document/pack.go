package document

import "equity/captable"

// Pack writes the data room to a snapshot, or reads it.
func (t *Tree) Pack(p *captable.Packer) {
	pack(p, t.files, func(f *File) FileID { return f.ID }, t.setFile)
	pack(p, t.items, func(i *Item) ItemID { return i.ID }, t.setItem)
	pack(p, t.shares, func(s *Share) ShareID { return s.ID }, func(s *Share) { t.shares.Set(s.ID, s) })
}

// pack packs the records of a kind. Each record that is read is added with set, which updates the indexes.
func pack[R any](p *captable.Packer, records captable.Records[R, R], id func(*R) captable.ID[R], set func(*R)) {
	if !p.Reading() {
		captable.PackFew(p, records, id)
		return
	}
	read := captable.NewRecords[R, R]()
	captable.PackFew(p, read, id)
	for record := range read.All() {
		set(record)
	}
}
