-- The tables of auth as 1.0.0 had them, with their indexes and rights. What has changed since stands in the migrations, functions, triggers
-- and views in the files beside this one.

CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;

GRANT USAGE ON SCHEMA auth TO meetmark_admin, meetmark_events, meetmark_gateway, meetmark_worker;

-- Each stored once for all who show it, by its digest.
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
-- Pictures that nobody shows any more are garbage that the worker collects.
GRANT SELECT, INSERT, UPDATE, DELETE ON auth.pictures TO meetmark_auth;
GRANT SELECT (hash, created_at), DELETE ON auth.pictures TO meetmark_worker;

CREATE TABLE auth.users (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  password_hash text,
  first_name text NOT NULL,
  last_name text NOT NULL,
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
  -- These two let the administrators' list sort, search and page by index alone.
  sort_name text NOT NULL GENERATED ALWAYS AS (lower(first_name || ' ' || last_name)) STORED,
  search_text text NOT NULL GENERATED ALWAYS AS (lower(first_name || ' ' || last_name || ' ' || email)) STORED,
  -- Whether auth.second_factors has one of theirs.
  second_factor boolean NOT NULL DEFAULT false,
  email_verified_at timestamptz(3),
  -- A new address takes the place of the one before once it is confirmed; after a day it is forgotten.
  pending_email text,
  pending_email_at timestamptz(3),
  -- Addresses of calendars that are older have ended.
  feeds_ended_at timestamptz(3),
  -- Raised by what a form of the profile or of the account edits, as auth.profile_edits says; version by every change of the row.
  profile_version integer NOT NULL DEFAULT 1,
  -- What others who are coming to an event learn of them, unless the registration says otherwise.
  show_me text NOT NULL DEFAULT 'name',
  -- Creates events and manages their own. An administrator may be one besides, and is one again afterwards.
  is_organiser boolean NOT NULL DEFAULT false,
  messages boolean NOT NULL DEFAULT true,
  -- Of screens and mails; null is the community's.
  locale text,
  announcements boolean NOT NULL DEFAULT true,
  digest boolean NOT NULL DEFAULT true,
  CONSTRAINT users_email_ascii_check CHECK (email ~ '^[ -~]+$'),
  CONSTRAINT users_email_check CHECK (char_length(email) BETWEEN 3 AND 255 AND email = btrim(email)),
  CONSTRAINT users_password_hash_check CHECK (password_hash LIKE '$argon2id$%' AND char_length(password_hash) <= 255),
  CONSTRAINT users_first_name_check CHECK (char_length(first_name) BETWEEN 1 AND 100),
  CONSTRAINT users_last_name_check CHECK (char_length(last_name) BETWEEN 1 AND 100),
  CONSTRAINT users_description_check CHECK (char_length(description) <= 10000),
  CONSTRAINT users_linked_in_url_check CHECK (char_length(linked_in_url) <= 1000 AND linked_in_url ~* '^https?://'),
  CONSTRAINT users_pending_email_check
    CHECK ((pending_email IS NULL) = (pending_email_at IS NULL) AND char_length(pending_email) <= 255 AND pending_email ~ '^[ -~]+$'),
  CONSTRAINT users_show_me_check CHECK (show_me IN ('no', 'name', 'linkedin')),
  CONSTRAINT users_locale_check CHECK (locale IN ('en-US', 'en-GB', 'de'))
);
-- No two accounts have the same address in any spelling.
CREATE UNIQUE INDEX users_email_key ON auth.users (lower(email));
CREATE INDEX users_administrators_idx ON auth.users (id) WHERE is_admin;
CREATE INDEX users_organisers_idx ON auth.users (id) WHERE is_organiser AND NOT is_admin;
CREATE INDEX users_created_at_idx ON auth.users (created_at, id);
-- Of members who are named at events: by their names, never by their addresses.
CREATE INDEX users_name_search_idx ON auth.users USING gin (sort_name public.gin_trgm_ops);
CREATE INDEX users_sort_name_idx ON auth.users (sort_name, id);
CREATE INDEX users_search_idx ON auth.users USING gin (search_text public.gin_trgm_ops);
CREATE INDEX users_pending_email_at_idx ON auth.users (pending_email_at) WHERE pending_email_at IS NOT NULL;
CREATE INDEX users_profile_picture_hash_idx ON auth.users (profile_picture_hash) WHERE profile_picture_hash IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON auth.users TO meetmark_auth;
GRANT SELECT (profile_picture_hash) ON auth.users TO meetmark_worker;

-- Who changed what about a profile: a save that began from an older version is refused with that name.
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

-- Accounts whose address nobody has confirmed since they signed in are warned, and removed later.
CREATE TABLE auth.unverified_accounts (
  user_id uuid PRIMARY KEY REFERENCES auth.users ON DELETE CASCADE,
  signed_in_at timestamptz NOT NULL DEFAULT now(),
  warned_at timestamptz
);
CREATE INDEX unverified_accounts_idx ON auth.unverified_accounts (signed_in_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON auth.unverified_accounts TO meetmark_auth;

-- A code and a link by mail. user_id is null for an address without an account: asking for a code does the same work either way. Codes,
-- links, browsers and networks are kept as hashes; sealed is an encrypted copy for the mail alone, which the worker clears once the mail is
-- out.
CREATE TABLE auth.code_flows (
  id uuid PRIMARY KEY,
  purpose text NOT NULL,
  user_id uuid REFERENCES auth.users ON DELETE CASCADE,
  email text NOT NULL,
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
  -- Of somebody who registers for an event by address and code: what is wanted, and who a new account is for.
  event_id uuid,
  first_name text,
  last_name text,
  show_me text,
  waitlist boolean,
  -- The account's sessions when the browser that asked confirmed: an answer that was lost is given again until they end.
  confirmed_epoch integer,
  answers jsonb,
  -- Of the pages of the browser that asked; null is the community's.
  locale text,
  CONSTRAINT code_flows_purpose_check CHECK (purpose IN ('verify', 'sign-in', 'reset', 'change-present', 'change-new', 'rsvp')),
  CONSTRAINT code_flows_rsvp_check
    CHECK ((purpose = 'rsvp') = (event_id IS NOT NULL AND first_name IS NOT NULL AND last_name IS NOT NULL AND waitlist IS NOT NULL)),
  CONSTRAINT code_flows_email_check CHECK (email = lower(email) AND email ~ '^[ -~]+$' AND char_length(email) <= 255),
  CONSTRAINT code_flows_hashes_check
    CHECK (octet_length(link_hash) = 32 AND octet_length(code_hash) = 32 AND octet_length(browser_hash) = 32 AND octet_length(network_hash) = 32),
  CONSTRAINT code_flows_names_check CHECK (char_length(first_name) BETWEEN 1 AND 100 AND char_length(last_name) BETWEEN 1 AND 100),
  CONSTRAINT code_flows_show_me_check CHECK (show_me IN ('no', 'name', 'linkedin')),
  CONSTRAINT code_flows_confirmed_epoch_check
    CHECK (confirmed_epoch IS NULL OR (purpose = 'rsvp' AND confirmed_at IS NOT NULL AND user_id IS NOT NULL)),
  CONSTRAINT code_flows_answers_check CHECK (answers IS NULL OR (purpose = 'rsvp' AND jsonb_typeof(answers) = 'object')),
  CONSTRAINT code_flows_locale_check CHECK (locale IN ('en-US', 'en-GB', 'de'))
);
CREATE INDEX code_flows_created_at_idx ON auth.code_flows (created_at);
CREATE INDEX code_flows_user_id_idx ON auth.code_flows (user_id);
CREATE INDEX code_flows_email_idx ON auth.code_flows (email, created_at);
CREATE INDEX code_flows_browser_idx ON auth.code_flows (browser_hash, created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON auth.code_flows TO meetmark_auth;
GRANT
  SELECT (id, purpose, user_id, email, sealed, link_expires_at, ended_at, created_at, event_id, locale),
  UPDATE (sealed),
  DELETE
ON auth.code_flows TO meetmark_worker;

-- The link with which the owner of an address takes back that the account got another one.
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

-- The secret of an authenticator is sealed; last_step is the newest time step whose code was used: no code is taken twice.
CREATE TABLE auth.second_factors (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES auth.users ON DELETE CASCADE,
  kind text NOT NULL,
  name text NOT NULL,
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
  CONSTRAINT second_factors_name_check CHECK (char_length(name) BETWEEN 1 AND 60)
);
CREATE INDEX second_factors_user_id_idx ON auth.second_factors (user_id);
CREATE UNIQUE INDEX second_factors_credential_id_key ON auth.second_factors (credential_id) WHERE credential_id IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON auth.second_factors TO meetmark_auth;

-- created_at is -infinity where it is not known: such codes count as older than every change of the address.
CREATE TABLE auth.recovery_codes (
  user_id uuid REFERENCES auth.users ON DELETE CASCADE,
  code_hash bytea,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, code_hash),
  CONSTRAINT recovery_codes_code_hash_check CHECK (octet_length(code_hash) = 32)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON auth.recovery_codes TO meetmark_auth;

-- A factor that is being set up: one of each kind for a user.
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

-- The first step of a sign-in was taken while the sessions were of this epoch. The browser holds the token, the table its hash; wanted is
-- what the step was taken for.
CREATE TABLE auth.pending_sign_ins (
  token_hash bytea PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES auth.users ON DELETE CASCADE,
  session_epoch integer NOT NULL,
  challenge text,
  attempts integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL,
  wanted jsonb,
  CONSTRAINT pending_sign_ins_token_hash_check CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX pending_sign_ins_user_id_idx ON auth.pending_sign_ins (user_id);
CREATE INDEX pending_sign_ins_expires_at_idx ON auth.pending_sign_ins (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON auth.pending_sign_ins TO meetmark_auth;
GRANT SELECT (token_hash, expires_at), DELETE ON auth.pending_sign_ins TO meetmark_worker;

-- How many codes of a second factor were wrong since then.
CREATE TABLE auth.wrong_codes (
  user_id uuid PRIMARY KEY REFERENCES auth.users ON DELETE CASCADE,
  since timestamptz NOT NULL,
  count integer NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON auth.wrong_codes TO meetmark_auth;

-- Sign-ups that carried an Idempotency-Key, for a day: who repeats one gets the account that it made.
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

-- Only the newest link works, so there is only one. owner_id is whom it made, who may ask again with the same link.
CREATE TABLE auth.setup_links (
  hash bytea PRIMARY KEY,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  owner_id uuid REFERENCES auth.users ON DELETE CASCADE,
  CONSTRAINT setup_links_hash_check CHECK (octet_length(hash) = 32)
);
CREATE UNIQUE INDEX setup_links_one_idx ON auth.setup_links ((true));
GRANT SELECT, INSERT, UPDATE (owner_id), DELETE ON auth.setup_links TO meetmark_auth;

-- Jobs that commit together with what they follow from; a relay hands them to the queues. skipped is done without its mail: not wanted, or
-- nothing to tell any more.
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
  skipped boolean NOT NULL DEFAULT false,
  CONSTRAINT outbox_job_check CHECK (char_length(job) BETWEEN 1 AND 100)
);
-- What goes with an account.
CREATE INDEX outbox_user_id_idx ON auth.outbox ((payload ->> 'userId')) WHERE (payload ->> 'userId') IS NOT NULL;
CREATE INDEX outbox_mail_idx ON auth.outbox (created_at DESC, id) WHERE job LIKE 'mail.%';
CREATE INDEX outbox_open_idx ON auth.outbox (available_at, id) WHERE done_at IS NULL;
CREATE INDEX outbox_done_idx ON auth.outbox (done_at) WHERE done_at IS NOT NULL;
GRANT SELECT, INSERT ON auth.outbox TO meetmark_auth;
GRANT SELECT, UPDATE (available_at, relayed_at, done_at, attempts, last_error, skipped), DELETE ON auth.outbox TO meetmark_worker;
