package persistence

import (
	"context"
	"strconv"
	"time"

	"equity/captable"
	"equity/fault"
	"equity/messages"
	"equity/organization/document"
)

// ProfileFiles stores the records of the files of profiles.
type ProfileFiles struct{ db *Database }

// NewProfileFiles returns the ProfileFiles of db.
func NewProfileFiles(db *Database) *ProfileFiles { return &ProfileFiles{db: db} }

// maxProfileFiles is the maximum number of files per profile.
const maxProfileFiles = 100

const profileFileColumns = `id, entity, name, media_type, size, sha256, scan, created_by, created_at`

// Add stores the record of a file whose bytes are durable, and makes it the photo of the profile on request. It returns an error with
// code conflict if the profile has too many files.
func (f *ProfileFiles) Add(
	ctx context.Context, o Once, file messages.ProfileFile, photo bool,
) (stored messages.ProfileFile, replayed bool, err error) {
	return once(ctx, f.db, o, func(ctx context.Context) (messages.ProfileFile, []change, error) {
		if err := f.admits(ctx, file.Entity); err != nil {
			return file, nil, err
		}
		added := change{"add file of a profile", `INSERT INTO profile_file (` + profileFileColumns + `) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`, []any{
			file.ID[:], file.Entity[:], file.Name, file.MediaType, file.Size, file.SHA256, string(file.Scan), file.CreatedBy,
			Micros(file.CreatedAt.Time()),
		}, nil}
		if !photo {
			return file, []change{added}, nil
		}
		amended, err := f.photo(ctx, file.Entity, file.ID.String(), file.CreatedAt.Time())
		return file, []change{added, amended}, err
	})
}

// Admits refuses a file of a profile that has too many, before its bytes are stored. A repetition of an answered request is admitted.
func (f *ProfileFiles) Admits(ctx context.Context, o Once, entity captable.EntityID) error {
	if o.Key != "" {
		answered, err := exists(ctx, f.db.reader, `SELECT 1 FROM answered WHERE key_hash = $1`, hashed(o.Key))
		if err != nil || answered {
			return err
		}
	}
	return f.admits(ctx, entity)
}

// admits refuses another file of a profile that has the maximum number.
func (f *ProfileFiles) admits(ctx context.Context, entity captable.EntityID) error {
	number, err := one(ctx, f.db.reader, nil, "count files of a profile", Value[int], `SELECT COUNT(*) FROM profile_file WHERE entity = $1`, entity[:])
	if err != nil {
		return err
	}
	if number >= maxProfileFiles {
		limit := strconv.Itoa(maxProfileFiles)
		return fault.Refuse(fault.Conflict, "A profile has at most "+limit+" files. Delete one first.").With("limit", limit)
	}
	return nil
}

// photo returns the change of the photo of a profile.
func (f *ProfileFiles) photo(ctx context.Context, entity captable.EntityID, photo string, now time.Time) (change, error) {
	known, err := NewProfiles(f.db).ByEntity(ctx, entity)
	if err != nil {
		return change{}, err
	}
	known.Particulars.Photo = photo
	return amendProfile(known, now)
}

// ByID returns the record of a file, or an error with code resourceNotFound.
func (f *ProfileFiles) ByID(ctx context.Context, id document.FileID) (messages.ProfileFile, error) {
	return one(ctx, f.db.reader, errNoProfileFile(), "read file of a profile", scanProfileFile,
		`SELECT `+profileFileColumns+` FROM profile_file WHERE id = $1`, id[:])
}

// EntityOf returns the entity of the profile with the file, or an error with code resourceNotFound.
func (f *ProfileFiles) EntityOf(ctx context.Context, file [16]byte) (captable.EntityID, error) {
	found, err := f.ByID(ctx, document.FileID(file))
	return found.Entity, err
}

// Of returns the records of the files of a profile, oldest first.
func (f *ProfileFiles) Of(ctx context.Context, entity captable.EntityID) ([]messages.ProfileFile, error) {
	return f.list(ctx, `WHERE entity = $1 ORDER BY created_at, id`, entity[:])
}

// All returns the records of all files in the order of their profiles.
func (f *ProfileFiles) All(ctx context.Context) ([]messages.ProfileFile, error) {
	return f.list(ctx, `ORDER BY entity, created_at, id`)
}

func (f *ProfileFiles) list(ctx context.Context, where string, arguments ...any) ([]messages.ProfileFile, error) {
	return Collect(ctx, f.db.reader, "list files of profiles", scanProfileFile, `SELECT `+profileFileColumns+` FROM profile_file `+where, arguments...)
}

// Names reports whether a file of the profile has the bytes with the hash.
func (f *ProfileFiles) Names(ctx context.Context, entity captable.EntityID, sha256 string) (bool, error) {
	return exists(ctx, f.db.reader, `SELECT 1 FROM profile_file WHERE entity = $1 AND sha256 = $2`, entity[:], sha256)
}

// IsPhoto reports whether the file is the photo of its profile.
func (f *ProfileFiles) IsPhoto(ctx context.Context, file messages.ProfileFile) (bool, error) {
	known, err := NewProfiles(f.db).ByEntity(ctx, file.Entity)
	return known.Particulars.Photo == file.ID.String(), err
}

// Remove deletes the record of a file. A photo with the file is removed from the profile.
func (f *ProfileFiles) Remove(ctx context.Context, file messages.ProfileFile, now time.Time) error {
	return f.db.decided(ctx, func(ctx context.Context) ([]change, error) {
		removed := change{
			"remove file of a profile", `DELETE FROM profile_file WHERE id = $1`,
			[]any{file.ID[:]},
			errNoProfileFile(),
		}
		isPhoto, err := f.IsPhoto(ctx, file)
		if err != nil || !isPhoto {
			return []change{removed}, err
		}
		amended, err := f.photo(ctx, file.Entity, "", now)
		return []change{removed, amended}, err
	})
}

func errNoProfileFile() error { return fault.Refuse(fault.NotFound, "The file does not exist.") }

func scanProfileFile(row Row) (file messages.ProfileFile, err error) {
	var created time.Time
	err = row.Scan(IntoBytes(file.ID[:]), IntoBytes(file.Entity[:]), &file.Name, &file.MediaType, &file.Size, &file.SHA256, &file.Scan,
		&file.CreatedBy, IntoTime(&created))
	file.CreatedAt = captable.InstantOf(created)
	file.UpdatedAt = file.CreatedAt
	return file, err
}
