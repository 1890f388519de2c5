#!/usr/bin/env bash
# Starts the primary, unless its standby was promoted since: the records of the primary are older then, and the servers would write to them.
# A promotion begins a history file, which a copy of the records contains.
set -euo pipefail
for history in "${STANDBY:-/standby}"/pg_wal/*.history; do
	if [ -e "$history" ] && [ ! -e "$PGDATA/pg_wal/${history##*/}" ]; then
		echo "The standby was promoted, and its records are newer. Copy them to the primary before its start: see deploy/README.md, \"Compose\"." >&2
		exit 1
	fi
done
exec docker-entrypoint.sh postgres "$@"
