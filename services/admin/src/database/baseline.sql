-- The tables of admin as 1.0.0 had them, with their indexes and rights. What has changed since stands in the migrations, functions,
-- triggers and views in the files beside this one.

GRANT USAGE ON SCHEMA admin TO meetmark_events, meetmark_gateway, meetmark_worker;

-- One row a day of the community's time zone; the worker rolls it up.
CREATE TABLE admin.registration_activity (
  day date PRIMARY KEY,
  registrations integer NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT registration_activity_registrations_check CHECK (registrations >= 0)
);
GRANT SELECT ON admin.registration_activity TO meetmark_admin;
GRANT SELECT, INSERT, UPDATE, DELETE ON admin.registration_activity TO meetmark_worker;

-- No foreign keys: an entry outlives the people and events that it points to, and keeps no names of people.
CREATE TABLE admin.audit_log (
  id uuid PRIMARY KEY,
  action text NOT NULL,
  actor_id uuid NOT NULL,
  actor_name text,
  subject_id uuid,
  subject_name text,
  changed text[] NOT NULL DEFAULT '{}',
  at timestamptz(3) NOT NULL,
  changed_values jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT audit_log_action_check CHECK (char_length(action) BETWEEN 1 AND 50),
  CONSTRAINT audit_log_actor_name_check CHECK (char_length(actor_name) BETWEEN 1 AND 500),
  CONSTRAINT audit_log_subject_name_check CHECK (char_length(subject_name) <= 500),
  CONSTRAINT audit_log_subject_name_thing_check CHECK (subject_name IS NULL OR action ~ '^(event|message|topic)[.]'),
  CONSTRAINT audit_log_changed_values_check CHECK (jsonb_typeof(changed_values) = 'object' AND pg_column_size(changed_values) <= 4096)
);
CREATE INDEX audit_log_action_idx ON admin.audit_log (action, at DESC, id DESC);
CREATE INDEX audit_log_actor_idx ON admin.audit_log (actor_id, at DESC, id DESC);
CREATE INDEX audit_log_subject_idx ON admin.audit_log (subject_id, at DESC, id DESC) WHERE subject_id IS NOT NULL;
CREATE INDEX audit_log_at_idx ON admin.audit_log (at DESC, id DESC);
-- SELECT (id) is what ON CONFLICT (id) DO NOTHING needs: a repeated job writes its line once.
GRANT SELECT, INSERT ON admin.audit_log TO meetmark_admin;
GRANT SELECT (id, at), INSERT, DELETE ON admin.audit_log TO meetmark_worker;

-- One version follows the other. The first one is that of the file, and nobody's; changes are [{name, before, after}].
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

-- Logos, each stored once, by its digest.
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
-- Pictures that no version shows are garbage that the worker collects.
GRANT SELECT, INSERT, UPDATE (created_at) ON admin.pictures TO meetmark_admin;
GRANT SELECT (hash, created_at), DELETE ON admin.pictures TO meetmark_worker;
