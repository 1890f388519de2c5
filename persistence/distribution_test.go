package persistence_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"equity/persistence"
	"equity/persistence/storetest"
)

// The places of tables if Citus divides the database among several PostgreSQL servers. Other places are distribution columns.
const (
	// byOrganization are tables that create_distributed_table divides by the organization, beside the journal.
	byOrganization = "organization"
	// central are tables without an organization, which stay on the coordinator.
	central = "central"
	// ownKeys are tables of organizations with a key of their own, or of another service, that is unique among all organizations. They stay on the
	// coordinator, beside the accounts that their foreign keys refer to.
	ownKeys = "ownKeys"
)

// places has the place of each table of the schema. Directories, which find the organization of an id, are divided by that id.
func places() map[string]string {
	found := map[string]string{"resource": "id", "membership": "user_id", "stake": "entity", "person": "entity"}
	for place, tables := range map[string]string{
		byOrganization: `agent_usage alarm billing_push call_log consumer_cursor consumer_skip document_view hook_heartbeat hook_repetition
			journal journal_anchor journal_head journal_pack particulars sealed_value snapshot webhook_delivery`,
		ownKeys: `agent_conversation agent_step api_token billing_customer billing_inbox chat_team drive_account drive_file drive_request drive_run
			drive_sync hook_event hook_run hook_token office_item onboarding outbox`,
		central: `agent_account_usage agent_message answered blocked_domain blocked_email chat_user clock_reading credit_account credit_booking
			email_verification goose_db_version identity invitation job known_device magic_link node oauth_client oauth_code oauth_token
			onboarding_file profile profile_file recovery_code referral referral_code referral_company registration_count reward_card secret
			session share_code share_visit temporary_password throttle two_factor users wallet welcomed_user`,
	} {
		for table := range strings.FieldsSeq(tables) {
			found[table] = place
		}
	}
	return found
}

// column returns the distribution column of a place, and false if the table is not distributed.
func column(place string) (name string, distributed bool) {
	return place, place != central && place != ownKeys && place != ""
}

// ofSchema selects the tables of the schema without partitions.
const ofSchema = ` t.relnamespace = current_schema()::regnamespace AND t.relkind IN ('r', 'p') AND NOT t.relispartition`

// fieldsOf returns the rows of a query, whose columns are texts.
func fieldsOf(ctx context.Context, t *testing.T, db *persistence.Database, query string) (found [][4]string) {
	t.Helper()
	rows, err := db.Reader().QueryContext(ctx, query)
	must(t, err)
	defer func() { must(t, rows.Close()) }()
	for rows.Next() {
		var row [4]string
		must(t, rows.Scan(&row[0], &row[1], &row[2], &row[3]))
		found = append(found, row)
	}
	must(t, rows.Err())
	return found
}

// brokenRules returns the violations of the rules of Citus for distributed tables
// (https://docs.citusdata.com/en/stable/develop/api_udf.html#create-distributed-table,
// https://docs.citusdata.com/en/stable/develop/reference_ddl.html#creating-and-distributing-schemas-table-colocation-and-constraints,
// https://docs.citusdata.com/en/stable/develop/reference_workarounds.html): a unique key contains the distribution column, a foreign key joins
// distribution columns, and no trigger, rule or policy exists. Stricter, a key begins with the column, so that its index serves each query, and no
// default is a sequence, which would be shared by all servers.
func brokenRules(ctx context.Context, t *testing.T, db *persistence.Database, places map[string]string) (broken []string) {
	t.Helper()
	report := func(format string, arguments ...any) { broken = append(broken, fmt.Sprintf(format, arguments...)) }
	found := map[string]string{} // the types of the columns called organization, by table
	for _, row := range fieldsOf(ctx, t, db, `SELECT t.relname, COALESCE(format_type(a.atttypid, -1), ''), t.relpersistence::text,
		COALESCE(pg_get_partkeydef(t.oid), '') FROM pg_class t
		LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attname = 'organization' AND NOT a.attisdropped WHERE`+ofSchema) {
		table, place := row[0], places[row[0]]
		found[table] = row[1]
		_, distributed := column(place)
		switch {
		case place == "":
			report("%s has no place", table)
		case place == byOrganization && row[1] != "bytea":
			report("the organization of %s has the type %q", table, row[1])
		case place == central && row[1] != "":
			report("%s has an organization and is central", table)
		case place == ownKeys && row[1] == "":
			report("%s has no organization", table)
		}
		if distributed && (row[2] != "p" || row[3] != "" && row[3] != "HASH (organization)") {
			report("%s is not a permanent table, or has partitions by %s", table, row[3])
		}
	}
	for table := range places {
		if _, exists := found[table]; !exists {
			report("%s does not exist", table)
		}
	}
	broken = append(broken, brokenKeys(ctx, t, db, places)...)
	for _, row := range fieldsOf(ctx, t, db, `SELECT t.relname, 'trigger ' || tgname, '', '' FROM pg_trigger JOIN pg_class t ON t.oid = tgrelid
			WHERE NOT tgisinternal AND`+ofSchema+`
		UNION ALL SELECT t.relname, 'rule ' || rulename, '', '' FROM pg_rewrite JOIN pg_class t ON t.oid = ev_class WHERE`+ofSchema+`
		UNION ALL SELECT t.relname, 'row security', '', '' FROM pg_class t WHERE t.relrowsecurity AND`+ofSchema+`
		UNION ALL SELECT t.relname, 'parent', '', '' FROM pg_inherits JOIN pg_class t ON t.oid = inhrelid WHERE`+ofSchema+`
		UNION ALL SELECT t.relname, 'default of ' || attname, '', '' FROM pg_attribute JOIN pg_class t ON t.oid = attrelid
			LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
			WHERE (attidentity <> '' OR pg_get_expr(adbin, adrelid) LIKE 'nextval(%') AND`+ofSchema) {
		if _, distributed := column(places[row[0]]); distributed {
			report("%s has the %s", row[0], row[1])
		}
	}
	slices.Sort(broken)
	return broken
}

// brokenKeys returns the unique and foreign keys that break a rule.
func brokenKeys(ctx context.Context, t *testing.T, db *persistence.Database, places map[string]string) (broken []string) {
	t.Helper()
	report := func(format string, arguments ...any) { broken = append(broken, fmt.Sprintf(format, arguments...)) }
	shared := map[string]bool{} // tables with a key that does not begin with the organization
	for _, row := range fieldsOf(ctx, t, db, `SELECT t.relname, i.relname, COALESCE(a.attname, ''), COALESCE(a.attnotnull, FALSE)::text FROM pg_index x
		JOIN pg_class t ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
		LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = x.indkey[0] WHERE (x.indisunique OR x.indisexclusion) AND`+ofSchema) {
		shared[row[0]] = shared[row[0]] || row[2] != byOrganization
		if name, distributed := column(places[row[0]]); distributed && (row[2] != name || row[3] != "true") {
			report("the key %s of %s begins with %q instead of %s, or with NULL", row[1], row[0], row[2], name)
		}
	}
	for table, place := range places {
		if place == ownKeys && !shared[table] {
			report("each key of %s begins with the organization: it can be distributed", table)
		}
	}
	for _, row := range fieldsOf(ctx, t, db, `SELECT t.relname, r.relname, c.conname, (SELECT string_agg(a.attname || ' ' || b.attname, ',')
		FROM unnest(c.conkey, c.confkey) AS pair (own, other)
		JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = own JOIN pg_attribute b ON b.attrelid = r.oid AND b.attnum = other)
		FROM pg_constraint c JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class r ON r.oid = c.confrelid WHERE c.contype = 'f' AND`+ofSchema) {
		own, from := column(places[row[0]])
		other, to := column(places[row[1]])
		if (from || to) && (own != byOrganization || other != byOrganization || !slices.Contains(strings.Split(row[3], ","), own+" "+other)) {
			report("the foreign key %s from %s to %s leaves the organization", row[2], row[0], row[1])
		}
	}
	return broken
}

func TestSchemaFollowsTheRulesOfCitus(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	for _, rule := range brokenRules(t.Context(), t, db, places()) {
		t.Error(rule)
	}
}

// TestPlantedViolationsOfTheRulesOfCitusAreFound adds one violation of each rule to the schema.
func TestPlantedViolationsOfTheRulesOfCitusAreFound(t *testing.T) {
	t.Parallel()
	db := storetest.Open(t, storetest.PostgreSQL(t))
	for _, statement := range []string{
		`CREATE TABLE unplaced (id BYTEA PRIMARY KEY)`,
		`CREATE TABLE planted (organization BYTEA NOT NULL, id BYTEA NOT NULL UNIQUE, n BIGSERIAL, PRIMARY KEY (organization, id))`,
		`CREATE TABLE nullable (organization BYTEA, id BYTEA, UNIQUE (organization, id))`,
		`CREATE UNLOGGED TABLE unlogged (organization BYTEA PRIMARY KEY REFERENCES journal_anchor (organization))`,
		`CREATE TABLE text_organization (organization TEXT PRIMARY KEY)`,
		`CREATE TABLE ranged (organization BYTEA NOT NULL, n BIGINT NOT NULL) PARTITION BY RANGE (n)`,
		`CREATE TABLE child (PRIMARY KEY (organization)) INHERITS (journal_anchor)`,
		`ALTER TABLE alarm ADD COLUMN user_id BYTEA REFERENCES users (id)`,
		`ALTER TABLE alarm ADD COLUMN other BYTEA REFERENCES journal_anchor (organization)`,
		`ALTER TABLE users ADD COLUMN organization BYTEA`,
		`CREATE RULE planted_rule AS ON DELETE TO alarm DO ALSO NOTHING`,
		`CREATE TRIGGER planted_trigger BEFORE UPDATE ON alarm FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
		`ALTER TABLE alarm ENABLE ROW LEVEL SECURITY`,
		`ALTER TABLE hook_token DROP CONSTRAINT hook_token_pkey`,
	} {
		_, err := db.Writer().ExecContext(t.Context(), statement)
		must(t, err)
	}
	all := places()
	maps.Copy(all, map[string]string{
		"planted": byOrganization, "nullable": byOrganization, "unlogged": byOrganization, "text_organization": byOrganization,
		"ranged": byOrganization,
		"child":  byOrganization, "absent": central, "job": ownKeys,
	})
	expected := []string{
		`absent does not exist`,
		`alarm has the row security`,
		`alarm has the rule planted_rule`,
		`alarm has the trigger planted_trigger`,
		`child has the parent`,
		`each key of hook_token begins with the organization: it can be distributed`,
		`job has no organization`,
		`planted has the default of n`,
		`ranged is not a permanent table, or has partitions by RANGE (n)`,
		`the foreign key alarm_other_fkey from alarm to journal_anchor leaves the organization`,
		`the foreign key alarm_user_id_fkey from alarm to users leaves the organization`,
		`the key nullable_organization_id_key of nullable begins with "organization" instead of organization, or with NULL`,
		`the key planted_id_key of planted begins with "id" instead of organization, or with NULL`,
		`the organization of text_organization has the type "text"`,
		`unlogged is not a permanent table, or has partitions by `,
		`unplaced has no place`,
		`users has an organization and is central`,
	}
	if found := brokenRules(t.Context(), t, db, all); !slices.Equal(found, expected) {
		t.Errorf("found:\n%s\nexpected:\n%s", strings.Join(found, "\n"), strings.Join(expected, "\n"))
	}
}
