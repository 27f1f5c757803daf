-- Tables of the admin schema with their indexes and privileges. The other files of this folder define
-- functions, triggers and views.

GRANT USAGE ON SCHEMA admin TO meetmark_events, meetmark_gateway, meetmark_worker;

-- Registrations per day in the community's time zone. The worker computes them.
CREATE TABLE admin.registration_activity (
  day date PRIMARY KEY,
  registrations integer NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT registration_activity_registrations_check CHECK (registrations >= 0)
);
GRANT SELECT ON admin.registration_activity TO meetmark_admin;
GRANT SELECT, INSERT, UPDATE, DELETE ON admin.registration_activity TO meetmark_worker;

-- There are no foreign keys, because an entry outlives the people and events whose ids it holds. It holds no
-- names of people.
CREATE TABLE admin.audit_log (
  id uuid PRIMARY KEY,
  action text NOT NULL,
  actor_id uuid NOT NULL,
  subject_id uuid,
  subject_name text COLLATE "und-x-icu",
  changed text[] NOT NULL DEFAULT '{}',
  at timestamptz(3) NOT NULL,
  changed_values jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT audit_log_action_check CHECK (char_length(action) BETWEEN 1 AND 50),
  CONSTRAINT audit_log_subject_name_check CHECK (char_length(subject_name) <= 500),
  CONSTRAINT audit_log_subject_name_thing_check CHECK (subject_name IS NULL OR action ~ '^(event|message|topic)[.]'),
  CONSTRAINT audit_log_changed_values_check CHECK (jsonb_typeof(changed_values) = 'object' AND pg_column_size(changed_values) <= 4096)
);
CREATE INDEX audit_log_action_idx ON admin.audit_log (action, at DESC, id DESC);
CREATE INDEX audit_log_actor_idx ON admin.audit_log (actor_id, at DESC, id DESC);
CREATE INDEX audit_log_subject_idx ON admin.audit_log (subject_id, at DESC, id DESC) WHERE subject_id IS NOT NULL;
CREATE INDEX audit_log_at_idx ON admin.audit_log (at DESC, id DESC);
-- The worker needs SELECT (id) for ON CONFLICT (id) DO NOTHING, which keeps a repeated job from adding a
-- second entry.
GRANT SELECT, INSERT ON admin.audit_log TO meetmark_admin;
GRANT SELECT (id, at), INSERT, DELETE ON admin.audit_log TO meetmark_worker;

-- Version 1 holds the settings of the community file and has no author. `changes` is an array of {name,
-- before, after}.
CREATE TABLE admin.community_settings (
  version integer PRIMARY KEY,
  settings jsonb NOT NULL,
  changes jsonb NOT NULL DEFAULT '[]',
  changed_by uuid,
  changed_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT community_settings_seed_check CHECK ((version = 1) = (changed_by IS NULL)),
  CONSTRAINT community_settings_version_check CHECK (version >= 1),
  CONSTRAINT community_settings_settings_check CHECK (jsonb_typeof(settings) = 'object' AND pg_column_size(settings) < 1000000),
  CONSTRAINT community_settings_changes_check CHECK (jsonb_typeof(changes) = 'array')
);
GRANT SELECT, INSERT ON admin.community_settings TO meetmark_admin;
GRANT SELECT (settings) ON admin.community_settings TO meetmark_worker;

-- Logos. `hash` is the digest of the content, so that each logo is stored once.
CREATE TABLE admin.pictures (
  hash text PRIMARY KEY,
  bytes bytea NOT NULL,
  width integer NOT NULL,
  height integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pictures_hash_check CHECK (hash ~ '^[0-9a-f]{64}$'),
  CONSTRAINT pictures_bytes_check CHECK (octet_length(bytes) BETWEEN 1 AND 358400),
  CONSTRAINT pictures_size_check CHECK (width > 0 AND height > 0)
);
-- The worker deletes images that no settings version shows.
GRANT SELECT, INSERT, UPDATE (created_at) ON admin.pictures TO meetmark_admin;
GRANT SELECT (hash, created_at), DELETE ON admin.pictures TO meetmark_worker;

-- One row with the time of the last backup. The backup command writes it as the database owner.
CREATE TABLE admin.last_backup (
  is_last boolean PRIMARY KEY DEFAULT true,
  made_at timestamptz(3) NOT NULL,
  CONSTRAINT last_backup_is_last_check CHECK (is_last)
);
GRANT SELECT ON admin.last_backup TO meetmark_admin;

-- One row with the DNS records of the sender's domain, as of the worker's latest check.
CREATE TABLE admin.mail_check (
  is_last boolean PRIMARY KEY DEFAULT true,
  domain text NOT NULL,
  selector text,
  records jsonb NOT NULL,
  checked_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT mail_check_is_last_check CHECK (is_last),
  CONSTRAINT mail_check_domain_check CHECK (char_length(domain) BETWEEN 1 AND 255),
  CONSTRAINT mail_check_selector_check CHECK (char_length(selector) BETWEEN 1 AND 120),
  CONSTRAINT mail_check_records_check CHECK (jsonb_typeof(records) = 'array' AND pg_column_size(records) <= 16384),
  CONSTRAINT mail_check_states_check
    CHECK (NOT jsonb_path_exists(records, '$[*] ? (!(@.state == "found" || @.state == "missing" || @.state == "several" || @.state == "unknown"))'))
);
GRANT SELECT ON admin.mail_check TO meetmark_admin;
GRANT SELECT, INSERT, UPDATE ON admin.mail_check TO meetmark_worker;

-- One row with the worker's latest nightly deletion of old data.
CREATE TABLE admin.retention_run (
  is_last boolean PRIMARY KEY DEFAULT true,
  ran_at timestamptz(3) NOT NULL DEFAULT now(),
  removed jsonb NOT NULL,
  CONSTRAINT retention_run_is_last_check CHECK (is_last),
  CONSTRAINT retention_run_removed_check CHECK (jsonb_typeof(removed) = 'object' AND pg_column_size(removed) <= 1024)
);
GRANT SELECT ON admin.retention_run TO meetmark_admin;
GRANT SELECT, INSERT, UPDATE ON admin.retention_run TO meetmark_worker;
