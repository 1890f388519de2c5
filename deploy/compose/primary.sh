#!/usr/bin/env bash
# Runs once in a new primary: permits the standby, and makes each commit wait for it.
set -euo pipefail
# ALTER SYSTEM takes effect at the next start, so that the first transactions do not wait for a standby that does not exist yet. The standby
# copies these settings. Options of the command line would not reach it, and it refuses to start with fewer connections than the primary.
psql --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" --set ON_ERROR_STOP=1 --set password="$POSTGRES_PASSWORD" <<'SQL'
CREATE ROLE replica WITH REPLICATION LOGIN PASSWORD :'password';
ALTER SYSTEM SET max_connections = 200;
ALTER SYSTEM SET wal_keep_size = '512MB';
ALTER SYSTEM SET synchronous_standby_names = 'FIRST 1 (standby)';
SQL
echo 'host replication replica samenet scram-sha-256' >>"$PGDATA/pg_hba.conf"
