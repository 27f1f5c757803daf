-- The tables of events as 1.0.0 had them, with their indexes and rights. What has changed since stands in the migrations, functions,
-- triggers and views in the files beside this one. Moments are of milliseconds, which is all that JavaScript dates carry: a cursor made
-- from a row names exactly that row.

GRANT USAGE ON SCHEMA events TO meetmark_admin, meetmark_worker;

-- Each stored once for all events that show it, by its digest.
CREATE TABLE events.pictures (
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
-- Pictures that no event shows any more are garbage that the worker collects.
GRANT SELECT, INSERT, UPDATE (created_at) ON events.pictures TO meetmark_events;
GRANT SELECT (hash, created_at), DELETE ON events.pictures TO meetmark_worker;

-- What lists read; what the page of an event has besides stands in events.event_contents.
CREATE TABLE events.events (
  id uuid PRIMARY KEY,
  title text NOT NULL,
  description text,
  start_date timestamptz(3) NOT NULL,
  end_date timestamptz(3) NOT NULL,
  location text,
  is_all_day boolean NOT NULL DEFAULT false,
  banner_hash text REFERENCES events.pictures (hash),
  price numeric(9,2),
  capacity integer,
  created_by_id uuid NOT NULL REFERENCES auth.users ON DELETE RESTRICT,
  sequence integer NOT NULL DEFAULT 0,
  -- This and waiting_count follow the registrations, by triggers.
  registration_count integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  format text NOT NULL DEFAULT 'in_person',
  -- Raised by what a form edits, as events.event_edits says.
  version integer NOT NULL DEFAULT 1,
  status text NOT NULL DEFAULT 'published',
  visibility text NOT NULL DEFAULT 'public',
  publish_at timestamptz(3),
  registration_opens_at timestamptz(3),
  registration_closes_at timestamptz(3),
  waitlist_enabled boolean NOT NULL DEFAULT true,
  waiting_count integer NOT NULL DEFAULT 0,
  cancelled_at timestamptz(3),
  cancel_reason text,
  series_id uuid,
  description_format text NOT NULL DEFAULT 'plain',
  payment_note text,
  -- Registering reads this row anyway: only where this or has_questions says so does it look further.
  has_guests boolean NOT NULL DEFAULT false,
  published_at timestamptz(3),
  has_questions boolean NOT NULL DEFAULT false,
  CONSTRAINT events_title_check CHECK (char_length(title) BETWEEN 1 AND 255),
  CONSTRAINT events_description_check CHECK (char_length(description) <= 10000),
  CONSTRAINT events_dates_finite_check CHECK (isfinite(start_date) AND isfinite(end_date)),
  CONSTRAINT events_dates_check CHECK (end_date > start_date),
  CONSTRAINT events_location_check CHECK (char_length(location) <= 255),
  CONSTRAINT events_price_check CHECK (price > 0 AND price <= 1000000),
  CONSTRAINT events_capacity_check CHECK (capacity BETWEEN 1 AND 1000000),
  CONSTRAINT events_sequence_check CHECK (sequence >= 0),
  CONSTRAINT events_registration_count_check CHECK (registration_count >= 0),
  CONSTRAINT events_within_capacity_check CHECK (registration_count <= capacity),
  CONSTRAINT events_format_check CHECK (format IN ('in_person', 'online', 'hybrid')),
  CONSTRAINT events_cancelled_check CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  CONSTRAINT events_status_check CHECK (status IN ('draft', 'published', 'cancelled')),
  CONSTRAINT events_visibility_check CHECK (visibility IN ('public', 'unlisted')),
  CONSTRAINT events_moments_finite_check
    CHECK (isfinite(publish_at) AND isfinite(registration_opens_at) AND isfinite(registration_closes_at)),
  CONSTRAINT events_publish_at_check CHECK (publish_at IS NULL OR status = 'draft'),
  CONSTRAINT events_registration_window_check CHECK (registration_opens_at < registration_closes_at),
  CONSTRAINT events_waiting_count_check CHECK (waiting_count >= 0),
  CONSTRAINT events_cancel_reason_check
    CHECK (cancel_reason IS NULL OR (char_length(cancel_reason) BETWEEN 1 AND 500 AND status = 'cancelled')),
  CONSTRAINT events_description_format_check CHECK (description_format IN ('plain', 'markdown')),
  CONSTRAINT events_payment_note_check CHECK (char_length(payment_note) BETWEEN 1 AND 300)
);
CREATE INDEX events_created_by_id_idx ON events.events (created_by_id);
-- Events are written seldom and searched often, so a search never has a list of late entries to read besides.
CREATE INDEX events_search_idx ON events.events USING gin (title public.gin_trgm_ops, description public.gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX events_publish_at_idx ON events.events (publish_at) WHERE status = 'draft';
CREATE INDEX events_series_id_idx ON events.events (series_id) WHERE series_id IS NOT NULL;
CREATE INDEX events_published_at_idx ON events.events (published_at) WHERE status = 'published';
CREATE INDEX events_start_date_idx ON events.events (start_date, id);
CREATE INDEX events_banner_hash_idx ON events.events (banner_hash) WHERE banner_hash IS NOT NULL;
-- The counts, the version and what triggers enter are missing on purpose.
GRANT
  SELECT,
  INSERT (id, title, description, start_date, end_date, location, is_all_day, banner_hash, price, capacity, created_by_id, sequence,
    created_at, updated_at, format, status, visibility, publish_at, registration_opens_at, registration_closes_at, waitlist_enabled,
    cancelled_at, cancel_reason, series_id, description_format, payment_note),
  UPDATE (title, description, start_date, end_date, location, is_all_day, banner_hash, price, capacity, created_by_id, sequence,
    updated_at, format, status, visibility, publish_at, registration_opens_at, registration_closes_at, waitlist_enabled, cancelled_at,
    cancel_reason, series_id, description_format, payment_note, has_guests),
  DELETE
ON events.events TO meetmark_events;
GRANT SELECT ON events.events TO meetmark_worker;

-- The rest of an event, inserted together with it, or empty. Who hosts and speaks stands in events.event_people; the two counters say that
-- an edit changed it.
CREATE TABLE events.event_contents (
  event_id uuid PRIMARY KEY REFERENCES events.events ON DELETE CASCADE,
  venue_name text,
  venue_address text,
  venue_note text,
  venue_map_url text,
  online_url text,
  online_note text,
  agenda jsonb NOT NULL DEFAULT '[]',
  resources jsonb NOT NULL DEFAULT '[]',
  recap text,
  hosts_edits integer NOT NULL DEFAULT 0,
  speakers_edits integer NOT NULL DEFAULT 0,
  questions jsonb NOT NULL DEFAULT '[]',
  CONSTRAINT event_contents_venue_check
    CHECK (venue_name IS NOT NULL OR (venue_address IS NULL AND venue_note IS NULL AND venue_map_url IS NULL)),
  CONSTRAINT event_contents_venue_name_check CHECK (char_length(venue_name) BETWEEN 1 AND 150),
  CONSTRAINT event_contents_venue_address_check CHECK (char_length(venue_address) <= 255),
  CONSTRAINT event_contents_venue_note_check CHECK (char_length(venue_note) <= 500),
  CONSTRAINT event_contents_venue_map_url_check CHECK (char_length(venue_map_url) <= 1000 AND venue_map_url ~* '^https?://'),
  CONSTRAINT event_contents_online_url_check CHECK (char_length(online_url) <= 1000 AND online_url ~* '^https://'),
  CONSTRAINT event_contents_online_note_check CHECK (char_length(online_note) <= 500),
  CONSTRAINT event_contents_agenda_check CHECK (jsonb_typeof(agenda) = 'array' AND jsonb_array_length(agenda) <= 50),
  CONSTRAINT event_contents_resources_check CHECK (jsonb_typeof(resources) = 'array' AND jsonb_array_length(resources) <= 20),
  CONSTRAINT event_contents_recap_check CHECK (char_length(recap) <= 10000),
  CONSTRAINT event_contents_questions_check CHECK (jsonb_typeof(questions) = 'array' AND jsonb_array_length(questions) <= 10)
);
-- The list of venues: each once, the one used last first.
CREATE INDEX event_contents_venue_idx ON events.event_contents (venue_name, venue_address) WHERE venue_name IS NOT NULL;
GRANT
  SELECT,
  INSERT (event_id, venue_name, venue_address, venue_note, venue_map_url, online_url, online_note, agenda, resources, recap, questions),
  UPDATE (venue_name, venue_address, venue_note, venue_map_url, online_url, online_note, agenda, resources, recap, hosts_edits,
    speakers_edits, questions)
ON events.event_contents TO meetmark_events;
GRANT SELECT ON events.event_contents TO meetmark_worker;

-- Members are asked by mail whether they agree to be named (agreed_at), and hosts whether to manage the event (manages_agreed_at).
CREATE TABLE events.event_people (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  event_id uuid NOT NULL REFERENCES events.events ON DELETE CASCADE,
  role text NOT NULL,
  position smallint NOT NULL,
  user_id uuid REFERENCES auth.users ON DELETE CASCADE,
  name text,
  title text,
  bio text,
  link_url text,
  agreed_at timestamptz(3),
  told_at timestamptz(3),
  manages boolean NOT NULL DEFAULT false,
  manages_agreed_at timestamptz(3),
  CONSTRAINT event_people_key UNIQUE (event_id, role, user_id),
  CONSTRAINT event_people_host_check CHECK (role = 'speaker' OR (user_id IS NOT NULL AND title IS NULL AND bio IS NULL)),
  CONSTRAINT event_people_manages_check CHECK ((role = 'host' OR NOT manages) AND (manages OR manages_agreed_at IS NULL)),
  CONSTRAINT event_people_role_check CHECK (role IN ('host', 'speaker')),
  CONSTRAINT event_people_position_check CHECK (position >= 0 AND position <= CASE role WHEN 'host' THEN 9 ELSE 29 END),
  CONSTRAINT event_people_member_check CHECK (user_id IS NULL OR link_url IS NULL),
  CONSTRAINT event_people_name_check CHECK ((user_id IS NULL) = (name IS NOT NULL) AND char_length(name) BETWEEN 1 AND 100),
  CONSTRAINT event_people_title_check CHECK (char_length(title) <= 150),
  CONSTRAINT event_people_bio_check CHECK (char_length(bio) <= 1000),
  CONSTRAINT event_people_link_url_check CHECK (char_length(link_url) <= 1000 AND link_url ~* '^https?://'),
  CONSTRAINT event_people_agreed_check CHECK (agreed_at IS NULL OR user_id IS NOT NULL)
);
CREATE INDEX event_people_user_id_idx ON events.event_people (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX event_people_managers_idx ON events.event_people (user_id, event_id)
WHERE agreed_at IS NOT NULL AND manages_agreed_at IS NOT NULL;
GRANT
  SELECT,
  INSERT (event_id, role, position, user_id, name, title, bio, link_url, agreed_at, manages, manages_agreed_at),
  UPDATE (position, title, bio, agreed_at, told_at, manages, manages_agreed_at),
  DELETE
ON events.event_people TO meetmark_events;
GRANT SELECT ON events.event_people TO meetmark_worker;

-- Who changed what about an event: a save that began from an older version is refused with that name.
CREATE TABLE events.event_edits (
  event_id uuid REFERENCES events.events ON DELETE CASCADE,
  version integer,
  editor_id uuid REFERENCES auth.users ON DELETE SET NULL,
  changed text[] NOT NULL,
  edited_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (event_id, version)
);
CREATE INDEX event_edits_editor_id_idx ON events.event_edits (editor_id);
CREATE INDEX event_edits_edited_at_idx ON events.event_edits (edited_at);
GRANT SELECT ON events.event_edits TO meetmark_events;
GRANT SELECT (event_id, version, edited_at), DELETE ON events.event_edits TO meetmark_worker;

-- The secret address of a draft.
CREATE TABLE events.event_previews (
  event_id uuid PRIMARY KEY REFERENCES events.events ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT event_previews_token_hash_check CHECK (octet_length(token_hash) = 32)
);
GRANT SELECT, INSERT, UPDATE (token_hash, created_at), DELETE ON events.event_previews TO meetmark_events;

-- What subscribers of calendars must still hear of: cancelled, under the same id. No foreign keys: a lock on a user here would let the
-- deletion of an event and of a member wait for each other.
CREATE TABLE events.deleted_events (
  id uuid PRIMARY KEY,
  title text NOT NULL,
  location text,
  start_date timestamptz(3) NOT NULL,
  end_date timestamptz(3) NOT NULL,
  is_all_day boolean NOT NULL,
  sequence integer NOT NULL,
  registered_user_ids uuid[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3) NOT NULL DEFAULT now(),
  listed boolean NOT NULL DEFAULT true
);
CREATE INDEX deleted_events_end_date_idx ON events.deleted_events (end_date);
CREATE INDEX deleted_events_users_idx ON events.deleted_events USING gin (registered_user_ids);
GRANT SELECT, INSERT ON events.deleted_events TO meetmark_events;
GRANT SELECT (id, end_date), DELETE ON events.deleted_events TO meetmark_worker;

-- A member, or somebody without an account who has a name and perhaps an address. Whoever proves the address takes the place over; the
-- guest list goes on showing what the organiser typed (added_as, guest_email), so that it does not tell who has an account.
CREATE TABLE events.event_registrations (
  id uuid PRIMARY KEY,
  event_id uuid NOT NULL REFERENCES events.events ON DELETE CASCADE,
  user_id uuid REFERENCES auth.users ON DELETE CASCADE,
  selected_date timestamptz(3),
  registered_at timestamptz(3) NOT NULL DEFAULT now(),
  status text NOT NULL DEFAULT 'registered',
  -- A calendar believes that a place was given up or taken again only under a higher number than before (RFC 5546, 2.1.4).
  entry_revision integer NOT NULL DEFAULT 0,
  show_me text NOT NULL DEFAULT 'name',
  guest_name text,
  guest_email text,
  added_as text,
  note text,
  paid_at timestamptz(3),
  checked_in_at timestamptz(3),
  checked_in_by text,
  answers jsonb,
  UNIQUE (event_id, user_id),
  CONSTRAINT event_registrations_guest_check CHECK (user_id IS NOT NULL OR (status <> 'waitlisted' AND show_me = 'no')),
  CONSTRAINT event_registrations_person_check CHECK ((user_id IS NULL) = (guest_name IS NOT NULL)),
  CONSTRAINT event_registrations_status_check CHECK (status IN ('registered', 'cancelled', 'waitlisted')),
  CONSTRAINT event_registrations_show_me_check CHECK (show_me IN ('no', 'name', 'linkedin')),
  CONSTRAINT event_registrations_guest_name_check CHECK (char_length(guest_name) BETWEEN 1 AND 100),
  CONSTRAINT event_registrations_guest_email_check
    CHECK (guest_email IS NULL OR (char_length(guest_email) <= 255 AND (user_id IS NULL OR added_as IS NOT NULL))),
  CONSTRAINT event_registrations_added_as_check CHECK (added_as IS NULL OR (user_id IS NOT NULL AND guest_email IS NOT NULL)),
  CONSTRAINT event_registrations_note_check CHECK (char_length(note) BETWEEN 1 AND 500),
  CONSTRAINT event_registrations_checked_in_check
    CHECK ((checked_in_at IS NULL) = (checked_in_by IS NULL) AND checked_in_by IN ('door', 'self')),
  CONSTRAINT event_registrations_answers_check CHECK (jsonb_typeof(answers) = 'object')
);
CREATE INDEX event_registrations_named_idx ON events.event_registrations (event_id) WHERE guest_name IS NOT NULL OR added_as IS NOT NULL;
CREATE UNIQUE INDEX event_registrations_guest_email_key ON events.event_registrations (event_id, lower(guest_email))
WHERE guest_email IS NOT NULL;
CREATE INDEX event_registrations_registered_at_idx ON events.event_registrations (event_id, registered_at, id);
-- Of who waits, registered_at is when they joined.
CREATE INDEX event_registrations_waiting_idx ON events.event_registrations (event_id, registered_at, id) WHERE status = 'waitlisted';
CREATE INDEX event_registrations_user_id_idx ON events.event_registrations (user_id, event_id);
CREATE INDEX event_registrations_activity_idx ON events.event_registrations (registered_at) WHERE status = 'registered';
GRANT
  SELECT,
  INSERT,
  UPDATE (selected_date, registered_at, status, entry_revision, show_me, guest_name, guest_email, added_as, note, paid_at, answers),
  DELETE
ON events.event_registrations TO meetmark_events;
GRANT SELECT ON events.event_registrations TO meetmark_worker;

-- One secret address for a member; a reader of the table cannot subscribe with what is in it.
CREATE TABLE events.calendar_feeds (
  user_id uuid PRIMARY KEY REFERENCES auth.users ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT calendar_feeds_token_hash_check CHECK (octet_length(token_hash) = 32)
);
GRANT SELECT, INSERT, UPDATE (token_hash, created_at), DELETE ON events.calendar_feeds TO meetmark_events;

-- The address of an event's door, of which only the hash is stored.
CREATE TABLE events.door_links (
  id uuid PRIMARY KEY,
  event_id uuid NOT NULL REFERENCES events.events ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  created_by_id uuid REFERENCES auth.users ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  revoked_at timestamptz(3),
  CONSTRAINT door_links_token_hash_check CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX door_links_event_id_idx ON events.door_links (event_id);
CREATE INDEX door_links_created_by_id_idx ON events.door_links (created_by_id);
GRANT SELECT, INSERT, UPDATE (revoked_at) ON events.door_links TO meetmark_events;

-- Each under a key that a phone made, so that it counts once however often it is sent; somebody came at the earliest that was not taken
-- back.
CREATE TABLE events.check_ins (
  event_id uuid,
  key uuid,
  registration_id uuid NOT NULL REFERENCES events.event_registrations ON DELETE CASCADE,
  link_id uuid REFERENCES events.door_links ON DELETE SET NULL,
  at timestamptz(3) NOT NULL,
  undone_at timestamptz(3),
  PRIMARY KEY (event_id, key)
);
CREATE INDEX check_ins_registration_id_idx ON events.check_ins (registration_id, at);
CREATE INDEX check_ins_link_id_idx ON events.check_ins (link_id);
GRANT SELECT, INSERT, UPDATE (undone_at) ON events.check_ins TO meetmark_events;

-- Check-ins that a phone sent after its link had ended.
CREATE TABLE events.door_refusals (
  link_id uuid REFERENCES events.door_links ON DELETE CASCADE,
  key uuid,
  registration_id uuid REFERENCES events.event_registrations ON DELETE CASCADE,
  at timestamptz(3) NOT NULL,
  reason text NOT NULL,
  received_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (link_id, key),
  CONSTRAINT door_refusals_reason_check CHECK (reason IN ('revoked', 'expired'))
);
CREATE INDEX door_refusals_registration_id_idx ON events.door_refusals (registration_id);
GRANT SELECT, INSERT ON events.door_refusals TO meetmark_events;

-- What organisers write to the people of an event.
CREATE TABLE events.messages (
  id uuid PRIMARY KEY,
  event_id uuid NOT NULL REFERENCES events.events ON DELETE CASCADE,
  author_id uuid REFERENCES auth.users ON DELETE SET NULL,
  segment text NOT NULL,
  registration_ids uuid[] NOT NULL DEFAULT '{}',
  subject text NOT NULL,
  body text NOT NULL,
  reply_to text NOT NULL,
  state text NOT NULL,
  send_at timestamptz(3),
  started_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  recipients integer NOT NULL DEFAULT 0,
  sent integer NOT NULL DEFAULT 0,
  refused integer NOT NULL DEFAULT 0,
  skipped integer NOT NULL DEFAULT 0,
  CONSTRAINT messages_registration_ids_check
    CHECK ((segment = 'chosen' OR registration_ids = '{}') AND cardinality(registration_ids) <= 500),
  CONSTRAINT messages_segment_check CHECK (segment IN ('registered', 'waiting', 'came', 'did_not_come', 'chosen')),
  CONSTRAINT messages_subject_check
    CHECK (char_length(subject) BETWEEN 1 AND 150 AND subject !~ '[\u0001-\u001f\u007f-\u009f\u2028\u2029]'),
  CONSTRAINT messages_body_check CHECK (char_length(body) BETWEEN 1 AND 10000),
  CONSTRAINT messages_reply_to_check CHECK (reply_to IN ('community', 'author')),
  CONSTRAINT messages_started_check
    CHECK (CASE state WHEN 'sent' THEN started_at IS NOT NULL WHEN 'sending' THEN true ELSE started_at IS NULL END),
  CONSTRAINT messages_state_check CHECK (state IN ('draft', 'scheduled', 'sending', 'sent', 'cancelled')),
  CONSTRAINT messages_send_at_check CHECK ((send_at IS NULL) = (state = 'draft') AND isfinite(send_at)),
  CONSTRAINT messages_figures_check CHECK (least(recipients, sent, refused, skipped) >= 0 AND sent + refused + skipped <= recipients)
);
CREATE INDEX messages_event_id_idx ON events.messages (event_id, created_at, id);
CREATE INDEX messages_author_id_idx ON events.messages (author_id) WHERE author_id IS NOT NULL;
GRANT
  SELECT,
  INSERT (id, event_id, author_id, segment, registration_ids, subject, body, reply_to, state, send_at),
  UPDATE (author_id, segment, registration_ids, subject, body, reply_to, state, send_at, updated_at),
  DELETE
ON events.messages TO meetmark_events;
GRANT SELECT, UPDATE (state, started_at, recipients) ON events.messages TO meetmark_worker;

-- What became of each person's mail.
CREATE TABLE events.message_recipients (
  message_id uuid REFERENCES events.messages ON DELETE CASCADE,
  registration_id uuid REFERENCES events.event_registrations ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'queued',
  at timestamptz(3),
  PRIMARY KEY (message_id, registration_id),
  CONSTRAINT message_recipients_state_check CHECK (state IN ('queued', 'sent', 'refused', 'skipped')),
  CONSTRAINT message_recipients_at_check CHECK ((at IS NULL) = (state = 'queued'))
);
CREATE INDEX message_recipients_registration_id_idx ON events.message_recipients (registration_id);
GRANT SELECT ON events.message_recipients TO meetmark_events;
GRANT SELECT, INSERT (message_id, registration_id) ON events.message_recipients TO meetmark_worker;

-- Of guests without an account, who have no preferences of their own.
CREATE TABLE events.message_stops (
  registration_id uuid PRIMARY KEY REFERENCES events.event_registrations ON DELETE CASCADE,
  stopped_at timestamptz(3) NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT (registration_id), DELETE ON events.message_stops TO meetmark_events;
GRANT SELECT ON events.message_stops TO meetmark_worker;

-- The places make that there are twelve topics at most, and three of one event: each is taken once, and there are no more of them.
CREATE TABLE events.topics (
  id uuid PRIMARY KEY,
  slug text NOT NULL UNIQUE,
  name text NOT NULL,
  place smallint NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT topics_slug_check CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND char_length(slug) <= 40),
  CONSTRAINT topics_name_check CHECK (char_length(name) BETWEEN 1 AND 40 AND name !~ '[\u0001-\u001f\u007f-\u009f\u2028\u2029]'),
  CONSTRAINT topics_place_check CHECK (place BETWEEN 1 AND 12)
);
CREATE UNIQUE INDEX topics_name_key ON events.topics (lower(name));
GRANT SELECT, INSERT (id, slug, name, place), UPDATE (slug, name), DELETE ON events.topics TO meetmark_events;
GRANT SELECT ON events.topics TO meetmark_worker;

CREATE TABLE events.event_topics (
  event_id uuid REFERENCES events.events ON DELETE CASCADE,
  topic_id uuid REFERENCES events.topics ON DELETE CASCADE,
  position smallint NOT NULL,
  PRIMARY KEY (event_id, topic_id),
  CONSTRAINT event_topics_position_key UNIQUE (event_id, position),
  CONSTRAINT event_topics_position_check CHECK (position BETWEEN 1 AND 3)
);
CREATE INDEX event_topics_topic_id_idx ON events.event_topics (topic_id);
GRANT SELECT, INSERT (event_id, topic_id, position), UPDATE (topic_id), DELETE ON events.event_topics TO meetmark_events;
GRANT SELECT ON events.event_topics TO meetmark_worker;

CREATE TABLE events.topic_follows (
  topic_id uuid REFERENCES events.topics ON DELETE CASCADE,
  user_id uuid REFERENCES auth.users ON DELETE CASCADE,
  followed_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (topic_id, user_id)
);
CREATE INDEX topic_follows_user_id_idx ON events.topic_follows (user_id);
GRANT SELECT, INSERT (topic_id, user_id), DELETE ON events.topic_follows TO meetmark_events;
GRANT SELECT ON events.topic_follows TO meetmark_worker;

-- One for each event ever, wished for while it is a draft; released, and kept for good, with its publication. The rows are the promise, the
-- jobs follow from them.
CREATE TABLE events.announcements (
  event_id uuid PRIMARY KEY REFERENCES events.events ON DELETE CASCADE,
  released_at timestamptz(3),
  started_at timestamptz(3),
  recipients integer NOT NULL DEFAULT 0,
  CONSTRAINT announcements_started_check CHECK (started_at IS NULL OR released_at IS NOT NULL)
);
GRANT SELECT, INSERT (event_id) ON events.announcements TO meetmark_events;
GRANT SELECT, UPDATE (started_at, recipients) ON events.announcements TO meetmark_worker;

-- One for each Monday ever.
CREATE TABLE events.digests (
  week date PRIMARY KEY,
  since timestamptz(3) NOT NULL,
  until timestamptz(3) NOT NULL,
  recipients integer NOT NULL DEFAULT 0,
  CONSTRAINT digests_week_check CHECK (extract(isodow FROM week) = 1),
  CONSTRAINT digests_span_check CHECK (since < until)
);
GRANT SELECT, INSERT (week, since, until), UPDATE (recipients) ON events.digests TO meetmark_worker;

-- People without an account who want announcements or the digest: a wish that nobody has confirmed.
CREATE TABLE events.subscription_requests (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  topic_ids uuid[] NOT NULL,
  digest boolean NOT NULL,
  requested_at timestamptz(3) NOT NULL DEFAULT now(),
  confirmed_at timestamptz(3),
  locale text,
  CONSTRAINT subscription_requests_email_check CHECK (email ~ '^[ -~]+$' AND char_length(email) <= 255),
  CONSTRAINT subscription_requests_topics_check CHECK (cardinality(topic_ids) <= 12),
  CONSTRAINT subscription_requests_wish_check CHECK (digest OR cardinality(topic_ids) > 0),
  CONSTRAINT subscription_requests_locale_check CHECK (locale IN ('en-US', 'en-GB', 'de'))
);
CREATE INDEX subscription_requests_email_idx ON events.subscription_requests (email, requested_at);
CREATE INDEX subscription_requests_requested_at_idx ON events.subscription_requests (requested_at);
GRANT SELECT, INSERT (id, email, topic_ids, digest, locale) ON events.subscription_requests TO meetmark_events;
GRANT SELECT, DELETE ON events.subscription_requests TO meetmark_worker;

-- The same of an address that was proved. What an account with that address has is the account's: neither of the two stays beside it.
CREATE TABLE events.subscriptions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email text NOT NULL UNIQUE,
  announcements boolean NOT NULL,
  digest boolean NOT NULL,
  changed_at timestamptz(3) NOT NULL DEFAULT now(),
  locale text,
  CONSTRAINT subscriptions_email_check CHECK (email ~ '^[ -~]+$' AND char_length(email) <= 255),
  CONSTRAINT subscriptions_locale_check CHECK (locale IN ('en-US', 'en-GB', 'de'))
);
GRANT SELECT, UPDATE (announcements, digest, changed_at) ON events.subscriptions TO meetmark_events;
GRANT SELECT, DELETE ON events.subscriptions TO meetmark_worker;

CREATE TABLE events.subscription_topics (
  subscription_id uuid REFERENCES events.subscriptions ON DELETE CASCADE,
  topic_id uuid REFERENCES events.topics ON DELETE CASCADE,
  PRIMARY KEY (topic_id, subscription_id)
);
CREATE INDEX subscription_topics_subscription_id_idx ON events.subscription_topics (subscription_id);
GRANT SELECT, INSERT (subscription_id, topic_id) ON events.subscription_topics TO meetmark_events;
GRANT SELECT ON events.subscription_topics TO meetmark_worker;

-- What members propose, and what became of it: an event, or words of the organisers.
CREATE TABLE events.proposals (
  id uuid PRIMARY KEY,
  proposer_id uuid NOT NULL REFERENCES auth.users ON DELETE CASCADE,
  title text NOT NULL,
  description text,
  start_date timestamptz(3) NOT NULL,
  end_date timestamptz(3) NOT NULL,
  proposed_at timestamptz(3) NOT NULL DEFAULT now(),
  decided_at timestamptz(3),
  words text,
  event_id uuid REFERENCES events.events ON DELETE SET NULL,
  CONSTRAINT proposals_title_check CHECK (char_length(title) BETWEEN 1 AND 255),
  CONSTRAINT proposals_description_check CHECK (char_length(description) <= 10000),
  CONSTRAINT proposals_dates_check CHECK (end_date > start_date),
  CONSTRAINT proposals_decided_check CHECK (decided_at IS NOT NULL OR (words IS NULL AND event_id IS NULL)),
  CONSTRAINT proposals_one_decision_check CHECK (words IS NULL OR event_id IS NULL),
  CONSTRAINT proposals_words_check CHECK (char_length(words) BETWEEN 1 AND 500)
);
CREATE INDEX proposals_event_idx ON events.proposals (event_id) WHERE event_id IS NOT NULL;
CREATE INDEX proposals_proposer_idx ON events.proposals (proposer_id, proposed_at);
CREATE INDEX proposals_open_idx ON events.proposals (proposed_at, id) WHERE decided_at IS NULL;
GRANT
  SELECT,
  INSERT (id, proposer_id, title, description, start_date, end_date),
  UPDATE (decided_at, words, event_id)
ON events.proposals TO meetmark_events;
GRANT SELECT ON events.proposals TO meetmark_worker;

-- Jobs that commit together with what they follow from; a relay hands them to the queues. skipped is done without its mail: not wanted, or
-- nothing to tell any more.
CREATE TABLE events.outbox (
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
-- An edit takes over what earlier edits of the same event have not announced yet.
CREATE INDEX outbox_event_changed_idx ON events.outbox ((payload ->> 'eventId')) WHERE job = 'mail.eventChangedFanOut' AND done_at IS NULL;
-- What goes with an account.
CREATE INDEX outbox_user_id_idx ON events.outbox ((payload ->> 'userId')) WHERE (payload ->> 'userId') IS NOT NULL;
CREATE INDEX outbox_mail_idx ON events.outbox (created_at DESC, id) WHERE job LIKE 'mail.%';
CREATE INDEX outbox_open_idx ON events.outbox (available_at, id) WHERE done_at IS NULL;
CREATE INDEX outbox_done_idx ON events.outbox (done_at) WHERE done_at IS NOT NULL;
-- The worker also adds: one change of an event becomes a mail for each person registered.
GRANT SELECT, INSERT, UPDATE (relayed_at, done_at) ON events.outbox TO meetmark_events;
GRANT SELECT, INSERT, UPDATE (available_at, relayed_at, done_at, attempts, last_error, skipped), DELETE ON events.outbox TO meetmark_worker;
