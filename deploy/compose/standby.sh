#!/usr/bin/env bash
# Copies the primary into an empty volume, and follows it.
set -euo pipefail
primary=${PRIMARY:-primary} port=${PRIMARY_PORT:-5432}
if [ ! -s "$PGDATA/PG_VERSION" ]; then
	rm -rf "${PGDATA:?}"/*
	pg_basebackup --dbname "host=$primary port=$port user=replica" --pgdata "$PGDATA" --checkpoint fast --wal-method stream --write-recovery-conf
	chmod 0700 "$PGDATA"
fi
# The name makes this server synchronous. The copy above must not have it: the primary would take a received log for a finished standby.
# After its promotion, this server has no standby, and its commits wait for none.
command=(postgres -c hot_standby=on -c cluster_name=standby -c synchronous_standby_names= "$@")
if [ "$(id -u)" -eq 0 ]; then
	chown -R postgres: "$PGDATA"
	command=(gosu postgres "${command[@]}")
fi
exec "${command[@]}"
