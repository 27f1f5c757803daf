-- Tables of the auth schema with their indexes and privileges. The other files of this folder define
-- functions, triggers and views.

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS unaccent WITH SCHEMA public;

-- Text normalised for search: without accents, in lower case, and independent of the database's collation.
-- Indexes of several schemas use this function. A new major version of PostgreSQL may change the accent
-- rules; the indexes then need a REINDEX. The low COST keeps the planner from scanning a whole guest list
-- just to call it less often.
CREATE OR REPLACE FUNCTION public.searchable(text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1
RETURN lower(public.unaccent('public.unaccent'::regdictionary, $1) COLLATE pg_c_utf8);

-- LIKE pattern that finds `words` literally in searchable text.
CREATE OR REPLACE FUNCTION public.containing(words text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1
RETURN '%' || regexp_replace(public.searchable(words), '[\\%_]', '\\\&', 'g') || '%';

-- Names and titles use ICU's root collation, so that lists have the same order on every server.

GRANT USAGE ON SCHEMA auth TO meetmark_admin, meetmark_events, meetmark_gateway, meetmark_worker;

-- Profile images. `hash` is the digest of the content, so that users with the same image share a row.
CREATE TABLE auth.pictures (
  hash text PRIMARY KEY,
  bytes bytea NOT NULL,
  mime text NOT NULL DEFAULT 'image/webp',
  width integer NOT NULL,
  height integer NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pictures_hash_check CHECK (hash ~ '^[0-9a-f]{64}$'),
  CONSTRAINT pictures_bytes_check CHECK (octet_length(bytes) BETWEEN 1 AND 358400),
  CONSTRAINT pictures_size_check CHECK (width > 0 AND height > 0)
);
-- The worker deletes images that no user shows.
GRANT SELECT, INSERT, UPDATE, DELETE ON auth.pictures TO meetmark_auth;
GRANT SELECT (hash, created_at), DELETE ON auth.pictures TO meetmark_worker;

CREATE TABLE auth.users (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  password_hash text,
  first_name text COLLATE "und-x-icu" NOT NULL,
  last_name text COLLATE "und-x-icu" NOT NULL,
  description text,
  linked_in_url text,
  profile_picture_hash text REFERENCES auth.pictures (hash),
  is_admin boolean NOT NULL DEFAULT false,
  event_updates boolean NOT NULL DEFAULT true,
  reminders boolean NOT NULL DEFAULT true,
  session_epoch integer NOT NULL DEFAULT 1,
  version bigint NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  -- These two columns let the administrators' list of users sort, search and page by index alone.
  sort_name text COLLATE "und-x-icu" NOT NULL GENERATED ALWAYS AS (first_name || ' ' || last_name) STORED,
  search_text text NOT NULL GENERATED ALWAYS AS (public.searchable(first_name || ' ' || last_name || ' ' || email)) STORED,
  -- Whether the user has a row in auth.second_factors.
  second_factor boolean NOT NULL DEFAULT false,
  email_verified_at timestamptz(3),
  -- New email address until it is confirmed and replaces `email`. The worker removes it after one day.
  pending_email text,
  pending_email_at timestamptz(3),
  -- Calendar feed URLs created before this time are invalid.
  feeds_ended_at timestamptz(3),
  -- Increases with every edit that auth.profile_edits records; `version` increases with every update of the
  -- row.
  profile_version integer NOT NULL DEFAULT 1,
  -- What other attendees see of the member, unless the registration says otherwise.
  show_me text NOT NULL DEFAULT 'linkedin',
  -- Organisers create events and manage their own. Administrators keep this value for when they stop being
  -- administrators.
  is_organiser boolean NOT NULL DEFAULT false,
  messages boolean NOT NULL DEFAULT true,
  -- Language of screens and emails; null means the community's language.
  locale text,
  announcements boolean NOT NULL DEFAULT true,
  digest boolean NOT NULL DEFAULT true,
  -- When the member deleted the account. It stays hidden until the worker deletes it a week later, and can be
  -- restored until then.
  closed_at timestamptz(3),
  -- Newest version of each legal page in auth.consents, so that reading a session needs no second query.
  accepted_pages jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT users_email_ascii_check CHECK (email ~ '^[ -~]+$'),
  CONSTRAINT users_email_check CHECK (char_length(email) BETWEEN 3 AND 255 AND email = btrim(email)),
  CONSTRAINT users_password_hash_check CHECK (password_hash LIKE '$argon2id$%' AND char_length(password_hash) <= 255),
  CONSTRAINT users_first_name_check CHECK (char_length(first_name) BETWEEN 1 AND 100 AND first_name !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]'),
  CONSTRAINT users_last_name_check CHECK (char_length(last_name) BETWEEN 1 AND 100 AND last_name !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]'),
  CONSTRAINT users_description_check CHECK (char_length(description) <= 10000),
  CONSTRAINT users_linked_in_url_check CHECK (char_length(linked_in_url) <= 1000 AND linked_in_url ~
    '^[Hh][Tt][Tt][Pp][Ss]?://((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])([.](25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])){3}|([^\u0001-\u002c\u002e\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u007e\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff]+[.])*[^\u0001-\u0040\u005b-\u005e\u0060\u007b-\u007e\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff][^\u0001-\u002c\u002e\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u007e\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff]*[.]?)(:(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[0-9]{1,4}))?([/?#][^\u0001-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff]*)?$'),
  CONSTRAINT users_pending_email_check
    CHECK ((pending_email IS NULL) = (pending_email_at IS NULL) AND char_length(pending_email) <= 255 AND pending_email ~ '^[ -~]+$'),
  CONSTRAINT users_show_me_check CHECK (show_me IN ('no', 'name', 'linkedin')),
  CONSTRAINT users_locale_check CHECK (locale ~ '^[a-z]{2,3}(-[A-Z]{2})?$'),
  CONSTRAINT users_accepted_pages_check CHECK (jsonb_typeof(accepted_pages) = 'object' AND pg_column_size(accepted_pages) <= 500)
);
-- Prevents two accounts whose email addresses differ only in letter case.
CREATE UNIQUE INDEX users_email_key ON auth.users (lower(email));
CREATE INDEX users_administrators_idx ON auth.users (id) WHERE is_admin;
CREATE INDEX users_organisers_idx ON auth.users (id) WHERE is_organiser AND NOT is_admin;
CREATE INDEX users_closed_at_idx ON auth.users (closed_at) WHERE closed_at IS NOT NULL;
CREATE INDEX users_created_at_idx ON auth.users (created_at, id);
CREATE INDEX users_unverified_idx ON auth.users (created_at, id) WHERE email_verified_at IS NULL;
-- For finding members to name in an event: by name, never by email address.
CREATE INDEX users_name_search_idx ON auth.users USING gin (public.searchable(sort_name) public.gin_trgm_ops);
CREATE INDEX users_sort_name_idx ON auth.users (sort_name, id);
CREATE INDEX users_sort_email_idx ON auth.users (lower(email) COLLATE "und-x-icu", id);
CREATE INDEX users_search_idx ON auth.users USING gin (search_text public.gin_trgm_ops);
CREATE INDEX users_pending_email_at_idx ON auth.users (pending_email_at) WHERE pending_email_at IS NOT NULL;
CREATE INDEX users_profile_picture_hash_idx ON auth.users (profile_picture_hash) WHERE profile_picture_hash IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON auth.users TO meetmark_auth;
GRANT SELECT (profile_picture_hash) ON auth.users TO meetmark_worker;

-- Edits of profiles and accounts. A save based on an older version fails and names the edits since.
CREATE TABLE auth.profile_edits (
  user_id uuid REFERENCES auth.users ON DELETE CASCADE,
  version integer,
  editor_id uuid REFERENCES auth.users ON DELETE SET NULL,
  changed text[] NOT NULL,
  edited_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, version)
);
CREATE INDEX profile_edits_editor_id_idx ON auth.profile_edits (editor_id);
CREATE INDEX profile_edits_edited_at_idx ON auth.profile_edits (edited_at);
GRANT SELECT ON auth.profile_edits TO meetmark_auth;
GRANT SELECT (user_id, version, edited_at), DELETE ON auth.profile_edits TO meetmark_worker;

-- Legal pages that people accepted. `version` is the digest of the text, which the settings' history contains.
CREATE TABLE auth.consents (
  user_id uuid REFERENCES auth.users ON DELETE CASCADE,
  page text,
  version text,
  accepted_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, page, version),
  CONSTRAINT consents_page_check CHECK (page IN ('terms', 'privacy')),
  CONSTRAINT consents_version_check CHECK (version ~ '^[0-9a-f]{64}$')
);
GRANT SELECT, INSERT ON auth.consents TO meetmark_auth;

-- A code and a link sent by email. user_id is null if the email address has no account; a request then does
-- the same work. Codes, links, browsers and networks are stored as hashes. `sealed` is the encrypted content
-- of the email; the worker clears it after sending.
CREATE TABLE auth.code_flows (
  id uuid PRIMARY KEY,
  purpose text NOT NULL,
  user_id uuid REFERENCES auth.users ON DELETE CASCADE,
  email text NOT NULL,
  -- The email address without its +tag, because limits count per mailbox.
  mailbox text NOT NULL GENERATED ALWAYS AS (regexp_replace(lower(email), '^([^+@]+)\+[^@]*@', '\1@')) STORED,
  new_email text,
  browser_hash bytea,
  network_hash bytea,
  code_hash bytea,
  link_hash bytea NOT NULL UNIQUE,
  sealed text,
  tries integer NOT NULL DEFAULT 0,
  tries_by_network jsonb NOT NULL DEFAULT '{}',
  mail_at timestamptz,
  expires_at timestamptz NOT NULL,
  link_expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  confirmed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- For a registration with an emailed code: the event, the name for a new account, and the choices. A
  -- message to a host uses only event_id.
  event_id uuid,
  first_name text COLLATE "und-x-icu",
  last_name text COLLATE "und-x-icu",
  show_me text,
  waitlist boolean,
  -- The account's session epoch when the code was confirmed. The same browser can repeat the confirmation
  -- until those sessions end.
  confirmed_epoch integer,
  answers jsonb,
  -- Language of the pages in the requesting browser; null means the community's language.
  locale text,
  -- Emails to one mailbox wait for each other only within a lane. A lane is a browser or network that the
  -- account's owner uses, or the administrators. Null is the shared lane of everyone else.
  lane bytea,
  CONSTRAINT code_flows_purpose_check CHECK (purpose IN ('verify', 'sign-in', 'reset', 'change-present', 'change-new', 'rsvp', 'contact')),
  CONSTRAINT code_flows_contact_check CHECK (purpose <> 'contact' OR event_id IS NOT NULL),
  CONSTRAINT code_flows_rsvp_check
    CHECK ((purpose = 'rsvp') = (event_id IS NOT NULL AND first_name IS NOT NULL AND last_name IS NOT NULL AND waitlist IS NOT NULL)),
  CONSTRAINT code_flows_email_check CHECK (email = lower(email) AND email ~ '^[ -~]+$' AND char_length(email) <= 255),
  CONSTRAINT code_flows_hashes_check
    CHECK (octet_length(link_hash) = 32 AND octet_length(code_hash) = 32 AND octet_length(browser_hash) = 32 AND octet_length(network_hash) = 32),
  CONSTRAINT code_flows_names_check CHECK (
    char_length(first_name) BETWEEN 1 AND 100 AND first_name !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]'
    AND char_length(last_name) BETWEEN 1 AND 100 AND last_name !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]'),
  CONSTRAINT code_flows_show_me_check CHECK (show_me IN ('no', 'name', 'linkedin')),
  CONSTRAINT code_flows_confirmed_epoch_check
    CHECK (confirmed_epoch IS NULL OR (purpose = 'rsvp' AND confirmed_at IS NOT NULL AND user_id IS NOT NULL)),
  CONSTRAINT code_flows_answers_check CHECK (answers IS NULL OR (purpose = 'rsvp' AND jsonb_typeof(answers) = 'object')),
  CONSTRAINT code_flows_lane_check CHECK (octet_length(lane) = 32),
  CONSTRAINT code_flows_locale_check CHECK (locale ~ '^[a-z]{2,3}(-[A-Z]{2})?$')
);
CREATE INDEX code_flows_created_at_idx ON auth.code_flows (created_at);
CREATE INDEX code_flows_user_id_idx ON auth.code_flows (user_id);
CREATE INDEX code_flows_email_idx ON auth.code_flows (email, created_at);
CREATE INDEX code_flows_mailbox_idx ON auth.code_flows (mailbox, created_at);
CREATE INDEX code_flows_browser_idx ON auth.code_flows (browser_hash, created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON auth.code_flows TO meetmark_auth;
GRANT
  SELECT (id, purpose, user_id, email, sealed, mail_at, link_expires_at, ended_at, created_at, event_id, locale),
  UPDATE (sealed),
  DELETE
ON auth.code_flows TO meetmark_worker;

-- Links that undo a change of an account's email address. They are emailed to the previous address.
CREATE TABLE auth.email_reverts (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES auth.users ON DELETE CASCADE,
  email text NOT NULL,
  link_hash bytea NOT NULL UNIQUE,
  sealed text,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT email_reverts_link_hash_check CHECK (octet_length(link_hash) = 32)
);
CREATE INDEX email_reverts_user_id_idx ON auth.email_reverts (user_id);
CREATE INDEX email_reverts_expires_at_idx ON auth.email_reverts (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON auth.email_reverts TO meetmark_auth;
GRANT SELECT (id, user_id, email, sealed, expires_at, ended_at), UPDATE (sealed), DELETE ON auth.email_reverts TO meetmark_worker;

-- sealed_secret is the encrypted secret of an authenticator app. last_step is the time step of the latest
-- code used; codes up to this step are refused.
CREATE TABLE auth.second_factors (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES auth.users ON DELETE CASCADE,
  kind text NOT NULL,
  name text COLLATE "und-x-icu" NOT NULL,
  sealed_secret text,
  last_step bigint,
  credential_id text,
  public_key bytea,
  counter bigint,
  transports text[],
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  CONSTRAINT second_factors_kind_check
    CHECK ((kind = 'totp' AND sealed_secret IS NOT NULL AND last_step IS NOT NULL AND credential_id IS NULL)
      OR (kind = 'passkey' AND sealed_secret IS NULL AND credential_id IS NOT NULL AND public_key IS NOT NULL AND counter IS NOT NULL)),
  CONSTRAINT second_factors_name_check CHECK (char_length(name) BETWEEN 1 AND 60 AND name !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]')
);
CREATE INDEX second_factors_user_id_idx ON auth.second_factors (user_id);
CREATE UNIQUE INDEX second_factors_credential_id_key ON auth.second_factors (credential_id) WHERE credential_id IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON auth.second_factors TO meetmark_auth;

-- created_at is -infinity if unknown. Such codes count as older than any change of the email address.
CREATE TABLE auth.recovery_codes (
  user_id uuid REFERENCES auth.users ON DELETE CASCADE,
  code_hash bytea,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, code_hash),
  CONSTRAINT recovery_codes_code_hash_check CHECK (octet_length(code_hash) = 32)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON auth.recovery_codes TO meetmark_auth;

-- Unfinished setups of second factors, at most one per user and kind.
CREATE TABLE auth.second_factor_setups (
  user_id uuid REFERENCES auth.users ON DELETE CASCADE,
  kind text,
  secret text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, kind),
  CONSTRAINT second_factor_setups_kind_check CHECK (kind IN ('totp', 'passkey'))
);
CREATE INDEX second_factor_setups_expires_at_idx ON auth.second_factor_setups (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON auth.second_factor_setups TO meetmark_auth;
GRANT SELECT (user_id, kind, expires_at), DELETE ON auth.second_factor_setups TO meetmark_worker;

-- Sign-ins that have passed the first step. They are valid while the user's session epoch equals
-- session_epoch. token_hash is the hash of a token that the browser holds. `wanted` is the event registration
-- to make after the sign-in. If `restores` is set, every step was passed, and only restoring the closed account
-- is left.
CREATE TABLE auth.pending_sign_ins (
  token_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES auth.users ON DELETE CASCADE,
  session_epoch integer NOT NULL,
  challenge text,
  attempts integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL,
  wanted jsonb,
  restores boolean NOT NULL DEFAULT false,
  CONSTRAINT pending_sign_ins_token_hash_check CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX pending_sign_ins_user_id_idx ON auth.pending_sign_ins (user_id);
CREATE INDEX pending_sign_ins_expires_at_idx ON auth.pending_sign_ins (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON auth.pending_sign_ins TO meetmark_auth;
GRANT SELECT (token_hash, expires_at), DELETE ON auth.pending_sign_ins TO meetmark_worker;

-- Number of wrong second-factor codes since `since`.
CREATE TABLE auth.wrong_codes (
  user_id uuid PRIMARY KEY REFERENCES auth.users ON DELETE CASCADE,
  since timestamptz NOT NULL,
  count integer NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON auth.wrong_codes TO meetmark_auth;

-- Sign-ups with an Idempotency-Key, kept for a day. A repeated request returns the account that the first
-- request created.
CREATE TABLE auth.sign_ups (
  key_hash bytea PRIMARY KEY,
  request_hash bytea NOT NULL,
  user_id uuid NOT NULL REFERENCES auth.users ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT sign_ups_key_hash_check CHECK (octet_length(key_hash) = 32),
  CONSTRAINT sign_ups_request_hash_check CHECK (octet_length(request_hash) = 32)
);
CREATE INDEX sign_ups_user_id_idx ON auth.sign_ups (user_id);
CREATE INDEX sign_ups_created_at_idx ON auth.sign_ups (created_at);
GRANT SELECT, INSERT, DELETE ON auth.sign_ups TO meetmark_auth;
GRANT SELECT (key_hash, created_at), DELETE ON auth.sign_ups TO meetmark_worker;

-- Link for creating the first owner. Only the newest link works, so the table has at most one row. owner_id
-- is the owner created with the link, who may repeat the request.
CREATE TABLE auth.setup_links (
  hash bytea PRIMARY KEY,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  owner_id uuid REFERENCES auth.users ON DELETE CASCADE,
  CONSTRAINT setup_links_hash_check CHECK (octet_length(hash) = 32)
);
CREATE UNIQUE INDEX setup_links_one_idx ON auth.setup_links ((true));
GRANT SELECT, INSERT, UPDATE (owner_id), DELETE ON auth.setup_links TO meetmark_auth;

-- A member's download of their data, at most one each. The worker writes the file in parts. `attempt` is the
-- attempt that may write parts; a worker that takes the job over uses another one. `account` stands for the
-- member in the security events. Until the file is ready, expires_at is when the request ends.
CREATE TABLE auth.data_exports (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL UNIQUE REFERENCES auth.users ON DELETE CASCADE,
  account text NOT NULL,
  requested_at timestamptz(3) NOT NULL DEFAULT now(),
  attempt uuid,
  ready_at timestamptz(3),
  size bigint,
  expires_at timestamptz(3) NOT NULL DEFAULT now() + interval '24 hours',
  CONSTRAINT data_exports_ready_check CHECK ((ready_at IS NULL) = (size IS NULL) AND (ready_at IS NULL OR attempt IS NOT NULL))
);
CREATE INDEX data_exports_expires_at_idx ON auth.data_exports (expires_at);
GRANT SELECT, INSERT (id, user_id, account), DELETE ON auth.data_exports TO meetmark_auth;
GRANT
  SELECT (id, attempt, ready_at, expires_at),
  UPDATE (attempt, ready_at, size, expires_at),
  DELETE
ON auth.data_exports TO meetmark_worker;

CREATE TABLE auth.data_export_parts (
  export_id uuid REFERENCES auth.data_exports ON DELETE CASCADE,
  attempt uuid,
  number integer,
  bytes bytea NOT NULL,
  PRIMARY KEY (export_id, attempt, number),
  CONSTRAINT data_export_parts_bytes_check CHECK (octet_length(bytes) BETWEEN 1 AND 262144)
);
GRANT SELECT ON auth.data_export_parts TO meetmark_auth;
GRANT SELECT (export_id, number), INSERT, DELETE ON auth.data_export_parts TO meetmark_worker;

-- Background jobs, committed together with the change that causes them. A relay passes them to the queues.
-- `skipped` marks a job that ended without its email, because nobody wants it or nothing is left to report.
-- available_at is when the job or its next attempt is due. failing_since is the time of the first failure.
CREATE TABLE auth.outbox (
  id uuid PRIMARY KEY,
  job text NOT NULL,
  payload jsonb NOT NULL,
  request_id text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  available_at timestamptz(3) NOT NULL DEFAULT now(),
  relayed_at timestamptz(3),
  done_at timestamptz(3),
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  failing_since timestamptz(3),
  skipped boolean NOT NULL DEFAULT false,
  CONSTRAINT outbox_job_check CHECK (char_length(job) BETWEEN 1 AND 100)
);
-- For deleting the jobs of a deleted account.
CREATE INDEX outbox_user_id_idx ON auth.outbox ((payload ->> 'userId')) WHERE (payload ->> 'userId') IS NOT NULL;
CREATE INDEX outbox_mail_idx ON auth.outbox (created_at DESC, id) WHERE job LIKE 'mail.%';
CREATE INDEX outbox_open_idx ON auth.outbox (available_at, id) WHERE done_at IS NULL;
CREATE INDEX outbox_done_idx ON auth.outbox (done_at) WHERE done_at IS NOT NULL;
GRANT SELECT, INSERT ON auth.outbox TO meetmark_auth;
GRANT SELECT, UPDATE (available_at, relayed_at, done_at, attempts, last_error, failing_since, skipped), DELETE ON auth.outbox TO meetmark_worker;
