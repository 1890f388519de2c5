package organization

import (
	"slices"

	"equity/captable"
	"equity/organization/document"
)

// Viewer returns the reader of the data room.
func (r Reader) Viewer() document.Viewer {
	if r.Member == nil {
		return document.Viewer{}
	}
	return document.Viewer{
		Member: r.Member.ID, Roles: r.Member.Roles, Owner: r.Member.Owns(), ViewDocuments: r.Permissions.Has(ViewDocuments),
	}
}

// can reports whether the reader has one of the permissions.
func (r Reader) can(one ...Permission) bool { return r.Permissions&NewPermissions(one...) != 0 }

// owns reports whether the reader is an Owner, who reads every document.
func (r Reader) owns() bool { return r.Member != nil && r.Member.Owns() }

// uploaded reports whether the reader stored the file.
func (r Reader) uploaded(file *document.File) bool {
	return r.Member != nil && !r.Member.User.IsZero() && file.CreatedBy == r.Member.User.String()
}

// Files decides which files a reader may read. It is for one request, because it keeps what it has computed.
type Files struct {
	state  *State
	reader Reader
	// inRoom holds the files of documents; nil before the first use.
	inRoom map[string]roomFile
}

// roomFile is a file of documents for a reader.
type roomFile struct {
	// seen reports that the reader sees one of the documents, which may be in the trash; open that readers of a record that names the file
	// may read it.
	seen, open bool
}

// FilesFor returns the files for a reader.
func (s *State) FilesFor(reader Reader) *Files { return &Files{state: s, reader: reader} }

// OpenFile is a file that may be read.
type OpenFile struct {
	*document.File
	// Document permits the access; nil for a file outside of the data room.
	Document *document.Item
	Access   document.Access
}

// Open returns the file if the reader may read it: a file of documents if one of them may be read, another file with viewDocuments and
// for its uploader. A record that names the file permits its readers, unless the file belongs to restricted documents only.
func (f *Files) Open(id document.FileID) (open OpenFile, ok bool) {
	tree, viewer := f.state.documents, f.reader.Viewer()
	stored, ok := tree.File(id)
	if !ok {
		return OpenFile{}, false
	}
	open = OpenFile{File: stored, Access: document.Access{Mode: document.Inherit, Download: true}}
	holders := tree.Holders(id)
	if len(holders) == 0 {
		return open, viewer.Owner || viewer.ViewDocuments || f.reader.uploaded(stored) || f.named(id)
	}
	for _, holder := range holders {
		access := tree.Access(holder)
		switch {
		case access.Sees(viewer) && (holder.Deletion == nil || viewer.Owner):
			return OpenFile{stored, holder, access}, true
		case open.Document == nil && holder.Deletion == nil && access.Mode != document.Restricted:
			open.Document, open.Access = holder, access
		}
	}
	return open, open.Document != nil && f.named(id)
}

// opens reports whether the reader may read the file.
func (f *Files) opens(id document.FileID) bool {
	_, ok := f.Open(id)
	return ok
}

// named reports whether the reader may read a record that names the file.
func (f *Files) named(id document.FileID) bool {
	name := id.String()
	for use := range f.state.FileUses() {
		if use.File == name && f.readsUse(&use) {
			return true
		}
	}
	return false
}

// readsUse reports whether the reader may read the field of the record.
func (f *Files) readsUse(use *FileUse) bool {
	table, reader := f.state.table, f.reader
	if reader.Member == nil {
		return false
	}
	switch use.Kind {
	case UsedAsLogo:
		return reader.Permissions != 0
	case UsedByValuation:
		return reader.can(ViewCapTable)
	case UsedAsOperatingAgreement:
		return reader.can(ViewGoverningDocuments)
	case UsedByGrant:
		grant, ok := table.Grant(use.Grant)
		return reader.can(ViewIncentivePlan, ViewCapTable) || ok && f.holds(grant)
	case UsedByPlan:
		if reader.can(ViewIncentivePlan, ViewCapTable) {
			return true
		}
		for grant := range table.GrantsOf(reader.Member.Entity) {
			if grant.Plan == use.Plan && f.holds(grant) {
				return true
			}
		}
	}
	return false
}

// holds reports whether the grant belongs to the reader.
func (f *Files) holds(grant *captable.Grant) bool {
	return f.reader.can(ViewSelf) && grant.Entity == f.reader.Member.Entity
}

// Shows reports whether a reader of the record may read the file that the record names. Records omit other files.
func (f *Files) Shows(file string) bool {
	if file == "" || f.reader.owns() {
		return true
	}
	found, inRoom := f.ofDocuments()[file]
	return found.open || !inRoom
}

// sees reports whether the reader may know the file: one of its documents is visible or, without documents, with viewDocuments.
func (f *Files) sees(file string) bool {
	found, inRoom := f.ofDocuments()[file]
	return found.seen || !inRoom && f.reader.can(ViewDocuments)
}

// ofDocuments returns the files of all documents.
func (f *Files) ofDocuments() map[string]roomFile {
	if f.inRoom != nil {
		return f.inRoom
	}
	tree, viewer := f.state.documents, f.reader.Viewer()
	f.inRoom = map[string]roomFile{}
	for item := range tree.All() {
		if len(item.Versions) == 0 {
			continue
		}
		access := tree.Access(item)
		seen := access.Sees(viewer)
		open := item.Deletion == nil && (seen || access.Mode != document.Restricted)
		for _, version := range item.Versions {
			name := version.File.String()
			known := f.inRoom[name]
			f.inRoom[name] = roomFile{seen: known.seen || seen, open: known.open || open}
		}
	}
	return f.inRoom
}

// ShowsAgreement is [Files.Shows] for the file of the operating agreement, which requires viewGoverningDocuments.
func (f *Files) ShowsAgreement(file string) bool {
	if file == "" || f.reader.owns() || f.reader.can(ViewGoverningDocuments) {
		return f.Shows(file)
	}
	id, err := captable.ParseID[document.File](file)
	return err == nil && f.opens(id)
}

// ShownPlanDocuments returns the documents of a plan whose files are shown.
func (f *Files) ShownPlanDocuments(documents []captable.PlanDocument) []captable.PlanDocument {
	hidden := func(d captable.PlanDocument) bool { return !f.Shows(d.File) }
	if !slices.ContainsFunc(documents, hidden) {
		return documents
	}
	return slices.DeleteFunc(slices.Clone(documents), hidden)
}

// ShownConfiguration returns the configuration without the files of operating agreements that are not shown.
func (f *Files) ShownConfiguration(c captable.Configuration) captable.Configuration {
	if c.OperatingAgreement == nil {
		return c
	}
	agreement := *c.OperatingAgreement
	for _, file := range []*string{&agreement.File, &agreement.Previous} {
		if !f.ShowsAgreement(*file) {
			*file = ""
		}
	}
	c.OperatingAgreement = &agreement
	return c
}
