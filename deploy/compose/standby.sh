#!/usr/bin/env bash
# Copies the primary into an empty volume, and follows it.
set -euo pipefail
primary=${PRIMARY:-primary} port=${PRIMARY_PORT:-5432}
if [ ! -s "$PGDATA/PG_VERSION" ]; then
	rm -rf "${PGDATA:?}"/*
	pg_basebackup --dbname "host=$primary port=$port user=replica application_name=standby" --pgdata "$PGDATA" --wal-method stream --write-recovery-conf
	chmod 0700 "$PGDATA"
fi
command=(postgres -c hot_standby=on "$@")
if [ "$(id -u)" -eq 0 ]; then
	chown -R postgres: "$PGDATA"
	command=(gosu postgres "${command[@]}")
fi
exec "${command[@]}"
