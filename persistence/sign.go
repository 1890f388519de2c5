package persistence

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A signedTable is a table whose rows make a caller somebody: the rows carry an HMAC over their table and columns. The first columns
// identify the row.
type signedTable struct {
	name    string
	columns []string
	ids     int // number of columns that identify a row
}

func signed(name string, ids int, columns ...string) signedTable {
	return signedTable{name, columns, ids}
}

// The signed tables. Other columns are no part of the authority of a row, such as the time of its last use.
func signedUser() signedTable {
	return signed("users", 1, "id", "entity", "email_canonical", "password_hash", "site_admin", "email_verified_at", "disabled_at")
}

func signedIdentity() signedTable { return signed("identity", 2, "issuer", "subject", "user_id") }

func signedVerification() signedTable {
	return signed("email_verification", 1, "user_id", "code_hash", "expires_at")
}

func signedTemporary() signedTable {
	return signed("temporary_password", 1, "user_id", "password_hash", "expires_at")
}

func signedLink() signedTable { return signed("magic_link", 1, "token_hash", "user_id", "expires_at") }

func signedRecovery() signedTable { return signed("recovery_code", 2, "user_id", "code_hash") }

func signedToken() signedTable {
	return signed(
		"api_token", 1, "id", "token_hash", "user_id", "scopes", "organization", "created_at", "expires_at", "client_id", "rights",
	)
}

func signedOAuthCode() signedTable {
	return signed("oauth_code", 1, "code_hash", "grant_id", "client_id", "redirect_uri", "challenge", "expires_at")
}

func signedOAuthToken() signedTable {
	return signed("oauth_token", 1, "token_hash", "grant_id", "refresh", "expires_at")
}

func signedShareCode() signedTable {
	return signed("share_code", 1, "share_id", "code_hash", "expires_at")
}

func signedShareVisit() signedTable {
	return signed("share_visit", 1, "token_hash", "share_id", "expires_at")
}

func signedHookToken() signedTable { return signed("hook_token", 1, "hash", "organization", "id") }

func signedTables() []signedTable {
	return []signedTable{
		signedUser(), signedIdentity(), signedVerification(), signedTemporary(), signedLink(), signedRecovery(), signedToken(),
		signedOAuthCode(), signedOAuthToken(), signedShareCode(), signedShareVisit(), signedHookToken(),
	}
}

// of returns the columns of the table and its HMAC for a SELECT, with the alias of the table.
func (t signedTable) of(alias string) string {
	return alias + "." + strings.Join(t.columns, ", "+alias+".") + ", " + alias + ".mac"
}

// all returns the same columns for a statement with one table.
func (t signedTable) all() string { return strings.Join(t.columns, ", ") + ", mac" }

// row returns a row to scan the columns of [signedTable.of] into.
func (t signedTable) row() *signedRow {
	return &signedRow{table: t, values: make([]any, len(t.columns)+1)}
}

// signedRow is a row of a signed table as it was read.
type signedRow struct {
	table  signedTable
	values []any // the last one is the HMAC
}

// into returns the targets of a Scan of the row and of further columns.
func (r *signedRow) into(more ...any) []any {
	targets := make([]any, len(r.values), len(r.values)+len(more))
	for i := range r.values {
		targets[i] = &r.values[i]
	}
	return append(targets, more...)
}

// bytes returns the bytes of a column; nil for NULL.
func (r *signedRow) bytes(column string) []byte {
	found, _ := r.values[slices.Index(r.table.columns, column)].([]byte)
	return found
}

// A signer signs the rows of signed tables with the present key of the store.
type signer struct {
	key func() []byte // nil until the secrets are open
}

// find returns the row that a query selects with the columns of [signedTable.all], and whether there is one that is authentic.
func (s signer) find(ctx context.Context, in querier, t signedTable, query string, arguments ...any) (*signedRow, bool, error) {
	row := t.row()
	found, err := scanRow(in.QueryRowContext(ctx, query, arguments...), "read row of "+t.name, row.into()...)
	return row, found && s.authentic(row), err
}

// authentic reports whether the row was signed by a server of this store.
func (s signer) authentic(r *signedRow) bool {
	last := len(r.values) - 1
	stored, _ := r.values[last].([]byte)
	made, err := s.mac(r.table, r.values[:last]...)
	return err == nil && hmac.Equal(stored, made)
}

var errUnsignable = errors.New("a column of this type cannot be signed")

// mac returns the HMAC of the values of a row, which are those of a statement or of a query. A store whose secrets are not open has an empty
// key, which no server accepts: programs that change accounts open the secrets first.
func (s signer) mac(t signedTable, values ...any) ([]byte, error) {
	message := bytes.NewBufferString(t.name)
	for i, value := range values {
		if err := appendValue(message, value); err != nil {
			return nil, fmt.Errorf("sign %s of %s: %w", t.columns[i], t.name, err)
		}
	}
	made := hmac.New(sha256.New, s.key())
	made.Write(message.Bytes())
	return made.Sum(nil), nil
}

// appendValue appends a value with its kind and length. The engines return booleans and texts in different types.
func appendValue(message *bytes.Buffer, value any) error {
	if valuer, is := value.(driver.Valuer); is {
		var err error
		if value, err = valuer.Value(); err != nil {
			return err
		}
	}
	text, kind := []byte(nil), byte('t')
	switch value := value.(type) {
	case nil:
		kind = 'n'
	case []byte:
		if text = value; value == nil {
			kind = 'n'
		}
	case string:
		text = []byte(value)
	case int64:
		text, kind = strconv.AppendInt(nil, value, 10), 'i'
	case bool:
		text, kind = []byte("0"), 'i'
		if value {
			text[0] = '1'
		}
	default:
		return fmt.Errorf("%w: %T", errUnsignable, value)
	}
	message.WriteByte(kind)
	message.Write(binary.BigEndian.AppendUint32(nil, uint32(len(text)))) //nolint:gosec // a column is shorter than 4 GiB
	message.Write(text)
	return nil
}

// errAltered refuses a row that another program has changed.
var errAltered = errors.New("the row was changed outside of the program")

// resign runs a change of a row and signs the row again. A row that was altered before is refused, so that its alteration is not signed. The
// statement that reads the row locks it.
func (s signer) resign(ctx context.Context, tx *sql.Tx, t signedTable, id []byte, change func() error) error {
	row := t.row()
	lock := `UPDATE ` + t.name + ` SET mac = mac WHERE ` + t.columns[0] + ` = $1 RETURNING ` + t.all()
	if err := tx.QueryRowContext(ctx, lock, id).Scan(row.into()...); err != nil {
		return fmt.Errorf("lock row of %s: %w", t.name, err)
	}
	if !s.authentic(row) {
		return fmt.Errorf("%s %x: %w", t.name, id, errAltered)
	}
	if err := change(); err != nil {
		return err
	}
	return s.signRow(ctx, tx, t, id)
}

// signRow signs the row with the ids.
func (s signer) signRow(ctx context.Context, tx *sql.Tx, t signedTable, ids ...any) error {
	where := make([]string, t.ids)
	for i := range where {
		where[i] = t.columns[i] + " = $" + strconv.Itoa(i+1)
	}
	condition, row := strings.Join(where, " AND "), t.row()
	err := tx.QueryRowContext(ctx, `SELECT `+t.all()+` FROM `+t.name+` WHERE `+condition, ids...).Scan(row.into()...)
	if err != nil {
		return fmt.Errorf("sign row of %s: %w", t.name, err)
	}
	made, err := s.mac(t, row.values[:len(t.columns)]...)
	if err != nil {
		return err
	}
	return Execute(ctx, tx, "sign row of "+t.name, `UPDATE `+t.name+` SET mac = $`+strconv.Itoa(t.ids+1)+` WHERE `+condition, append(ids, made)...)
}

// signAll signs all rows of the table.
func (s signer) signAll(ctx context.Context, tx *sql.Tx, t signedTable) error {
	all, err := t.identifiers(ctx, tx)
	if err != nil {
		return fmt.Errorf("sign %s: %w", t.name, err)
	}
	for _, ids := range all {
		if err := s.signRow(ctx, tx, t, ids...); err != nil {
			return err
		}
	}
	return nil
}

// identifiers returns the ids of all rows of the table.
func (t signedTable) identifiers(ctx context.Context, tx *sql.Tx) ([][]any, error) {
	return Collect(ctx, tx, "list rows", func(row Row) ([]any, error) {
		ids, targets := make([]any, t.ids), make([]any, t.ids)
		for i := range ids {
			targets[i] = &ids[i]
		}
		return ids, row.Scan(targets...)
	}, `SELECT `+strings.Join(t.columns[:t.ids], ", ")+` FROM `+t.name)
}
