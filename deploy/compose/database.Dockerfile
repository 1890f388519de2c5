# PostgreSQL with Patroni, from the packages of the PostgreSQL project for Debian.
FROM postgres:17-bookworm
RUN apt-get update \
 && apt-get install --yes --no-install-recommends patroni python3-etcd \
 && rm -rf /var/lib/apt/lists/*
COPY patroni.yaml database.sql /etc/patroni/
USER postgres
# The entrypoint of the image would create a database of its own.
ENTRYPOINT ["patroni", "/etc/patroni/patroni.yaml"]
