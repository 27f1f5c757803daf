#!/bin/sh
# Restores a dump from standard input in one transaction. Runs in the PostgreSQL image and requires a database prepared by `migrate`.
#   restore.sh             refuses a database that has accounts
#   restore.sh --replace   replaces all data
set -eu
# The server's own container has no URL, because its local socket needs no password.
database=${MIGRATION_DATABASE_URL:-dbname=$POSTGRES_DB user=$POSTGRES_USER}
ask() { psql --dbname="$database" --no-psqlrc --tuples-only --no-align --command="$1"; }

connected=$(ask "SELECT string_agg(DISTINCT usename, ', ') FROM pg_stat_activity
                 WHERE datname = current_database() AND backend_type = 'client backend' AND usename <> current_user")
if [ -n "$connected" ]; then
  echo "Nothing was changed: stop the services first ($connected)." >&2
  exit 1
fi
accounts=$(ask 'SELECT count(*) FROM auth.users')
if [ "$accounts" != 0 ] && [ "${1:-}" != --replace ]; then
  echo 'Nothing was changed: the database has accounts. Use --replace to replace them.' >&2
  exit 1
fi
if ! pg_restore --dbname="$database" --single-transaction --clean --if-exists --no-owner; then
  echo 'Nothing was changed.' >&2
  exit 1
fi
