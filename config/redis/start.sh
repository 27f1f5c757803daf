#!/bin/sh
# Starts Redis in a container with the users of users.acl. Redis receives only hashes of the passwords in the environment.
set -eu
hash_of() { printf %s "$1" | sha256sum | cut -c1-64; }
hashed() {
  sed -e "s/%OPERATOR%/$(hash_of "$OPERATOR_REDIS_PASSWORD")/" \
    -e "s/%GATEWAY%/$(hash_of "$GATEWAY_REDIS_PASSWORD")/" \
    -e "s/%AUTH%/$(hash_of "$AUTH_REDIS_PASSWORD")/" \
    -e "s/%EVENTS%/$(hash_of "$EVENTS_REDIS_PASSWORD")/" \
    -e "s/%ADMIN%/$(hash_of "$ADMIN_REDIS_PASSWORD")/" \
    -e "s/%WORKER%/$(hash_of "$WORKER_REDIS_PASSWORD")/"
}
# Redis's ACL files allow no comments or continuation lines.
sed -e '/^#/d' -e '/^$/d' "$(dirname "$0")/users.acl" | sed -e ':join' -e '$!N' -e 's/\n  */ /' -e 't join' -e 'P' -e 'D' | hashed > /tmp/users.acl
unset OPERATOR_REDIS_PASSWORD GATEWAY_REDIS_PASSWORD AUTH_REDIS_PASSWORD EVENTS_REDIS_PASSWORD ADMIN_REDIS_PASSWORD WORKER_REDIS_PASSWORD
# Redis stores job queues, so a full memory must reject writes (noeviction). Eviction would silently delete jobs.
exec redis-server --aclfile /tmp/users.acl --dir /data --appendonly yes --appendfsync everysec --maxmemory 256mb --maxmemory-policy noeviction
