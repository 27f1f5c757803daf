-- Tables of the events schema with their indexes and privileges. The other files of this folder define
-- functions, triggers and views. Timestamps have milliseconds, like JavaScript dates, so that a cursor
-- identifies its row exactly.

GRANT USAGE ON SCHEMA events TO meetmark_admin, meetmark_auth, meetmark_worker;

-- Latin spellings of letters beyond ASCII, for slugs. Each row holds 256 consecutive code points. letters.ts
-- fills the table.
CREATE TABLE events.letters (
  block integer PRIMARY KEY,
  spelt text[] NOT NULL,
  CONSTRAINT letters_spelt_check CHECK (cardinality(spelt) = 256)
);

-- Every slug ever used, even by deleted events, so that no other event gets it. The next free number follows
-- from `words` and `number`.
CREATE TABLE events.slugs (
  slug text PRIMARY KEY,
  event_id uuid NOT NULL,
  words text,
  number integer,
  is_random boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT slugs_slug_event_id_key UNIQUE (slug, event_id),
  CONSTRAINT slugs_slug_check CHECK (slug ~ '^[a-z0-9][a-z0-9-]{1,78}[a-z0-9]$'),
  CONSTRAINT slugs_number_check CHECK ((words IS NULL) = (number IS NULL) AND number >= 1),
  CONSTRAINT slugs_is_random_check CHECK (NOT is_random OR slug ~ '-[a-z0-9]{8}$')
);
CREATE INDEX slugs_words_idx ON events.slugs (words, number) WHERE words IS NOT NULL;
GRANT SELECT, INSERT (slug, event_id, is_random) ON events.slugs TO meetmark_events;

-- Images of events. `hash` is the digest of the content, so that events with the same image share a row.
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
-- The worker deletes images that no event shows.
GRANT SELECT, INSERT, UPDATE (created_at) ON events.pictures TO meetmark_events;
GRANT SELECT (hash, created_at), DELETE ON events.pictures TO meetmark_worker;

-- Events, with the fields that lists show. events.event_contents holds the other fields of an event's page.
CREATE TABLE events.events (
  id uuid PRIMARY KEY,
  title text COLLATE "und-x-icu" NOT NULL,
  description text,
  start_date timestamptz(3) NOT NULL,
  end_date timestamptz(3) NOT NULL,
  location text,
  is_all_day boolean NOT NULL DEFAULT false,
  banner_hash text REFERENCES events.pictures (hash),
  price numeric(9,2),
  capacity integer,
  created_by_id uuid NOT NULL REFERENCES auth.users,
  sequence integer NOT NULL DEFAULT 0,
  -- Triggers on the registrations update registration_count and waiting_count.
  registration_count integer NOT NULL DEFAULT 0,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  format text NOT NULL DEFAULT 'in_person',
  -- Increases with every edit that events.event_edits records.
  version integer NOT NULL DEFAULT 1,
  status text NOT NULL DEFAULT 'published',
  visibility text NOT NULL DEFAULT 'public',
  publish_at timestamptz(3),
  registration_opens_at timestamptz(3),
  registration_closes_at timestamptz(3),
  waitlist_enabled boolean NOT NULL DEFAULT false,
  waiting_count integer NOT NULL DEFAULT 0,
  cancelled_at timestamptz(3),
  cancel_reason text,
  series_id uuid,
  description_format text NOT NULL DEFAULT 'plain',
  payment_note text,
  -- Registering reads guests and questions only if has_guests or has_questions is set, which saves a query
  -- for most events.
  has_guests boolean NOT NULL DEFAULT false,
  published_at timestamptz(3),
  has_questions boolean NOT NULL DEFAULT false,
  event_slug text,
  -- Null means the community's time zone. The service checks that the zone exists, because each release of
  -- the time zone database changes the list.
  time_zone text,
  -- Number of a pattern. The colours are not stored, so that the pattern follows the community's colours.
  cover_pattern smallint,
  cover_square jsonb,
  cover_wide jsonb,
  gallery_pictures jsonb NOT NULL DEFAULT '[]',
  CONSTRAINT events_title_check CHECK (char_length(title) BETWEEN 1 AND 255 AND title !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]'),
  CONSTRAINT events_description_check CHECK (char_length(description) <= 10000),
  CONSTRAINT events_dates_finite_check CHECK (isfinite(start_date) AND isfinite(end_date)),
  CONSTRAINT events_dates_check CHECK (end_date > start_date),
  CONSTRAINT events_location_check CHECK (char_length(location) <= 255 AND location !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]'),
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
  CONSTRAINT events_payment_note_check CHECK (char_length(payment_note) BETWEEN 1 AND 300 AND payment_note !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]'),
  CONSTRAINT events_event_slug_check CHECK ((event_slug IS NULL) = (status = 'draft')),
  CONSTRAINT events_event_slug_fkey FOREIGN KEY (event_slug, id) REFERENCES events.slugs (slug, event_id),
  CONSTRAINT events_time_zone_check
    CHECK (char_length(time_zone) <= 64 AND time_zone ~ '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$'),
  CONSTRAINT events_cover_pattern_check CHECK (cover_pattern BETWEEN 1 AND 8),
  -- `strict` keeps an array from matching because of its elements. The length limit bounds any other
  -- properties.
  CONSTRAINT events_cover_square_check CHECK (octet_length(cover_square::text) <= 100 AND cover_square @?
    'strict $ ? (@.x >= 0 && @.x <= 1 && @.y >= 0 && @.y <= 1 && @.zoom >= 1 && @.zoom <= 3)'),
  CONSTRAINT events_cover_wide_check CHECK (octet_length(cover_wide::text) <= 100 AND cover_wide @?
    'strict $ ? (@.x >= 0 && @.x <= 1 && @.y >= 0 && @.y <= 1 && @.zoom >= 1 && @.zoom <= 3)'),
  -- Compares counts, because a search for invalid elements would miss an element that lacks a property. The
  -- length limit bounds any other properties.
  CONSTRAINT events_gallery_pictures_check CHECK (
    CASE WHEN jsonb_typeof(gallery_pictures) = 'array' THEN
      jsonb_array_length(gallery_pictures) <= 8 AND octet_length(gallery_pictures::text) <= 20000
      AND jsonb_array_length(gallery_pictures) = jsonb_array_length(jsonb_path_query_array(gallery_pictures,
        'strict $[*] ? (@.id like_regex "^[0-9a-f-]{36}$" && @.hash like_regex "^[0-9a-f]{64}$" && @.alt like_regex "^[^\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]{1,250}$")'))
    ELSE false END)
);
CREATE INDEX events_created_by_id_idx ON events.events (created_by_id);
-- Events change rarely and are searched often. With fastupdate, every search would also read a list of
-- pending entries.
CREATE INDEX events_search_idx ON events.events
USING gin (public.searchable(title) public.gin_trgm_ops, public.searchable(description) public.gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX events_publish_at_idx ON events.events (publish_at) WHERE status = 'draft';
CREATE INDEX events_series_id_idx ON events.events (series_id) WHERE series_id IS NOT NULL;
CREATE INDEX events_published_at_idx ON events.events (published_at) WHERE status = 'published';
CREATE INDEX events_start_date_idx ON events.events (start_date, id);
CREATE INDEX events_banner_hash_idx ON events.events (banner_hash) WHERE banner_hash IS NOT NULL;
CREATE INDEX events_running_idx ON events.events USING gist (tstzrange(start_date, end_date));
CREATE INDEX events_gallery_pictures_idx ON events.events USING gin (gallery_pictures jsonb_path_ops)
WITH (fastupdate = off) WHERE gallery_pictures <> '[]';
-- The service can't write the counts, the version and other columns that triggers set.
GRANT
  SELECT,
  INSERT (id, title, description, start_date, end_date, location, is_all_day, banner_hash, price, capacity, created_by_id, sequence,
    created_at, updated_at, format, status, visibility, publish_at, registration_opens_at, registration_closes_at, waitlist_enabled,
    cancelled_at, cancel_reason, series_id, description_format, payment_note, time_zone, cover_pattern, cover_square, cover_wide),
  UPDATE (title, description, start_date, end_date, location, is_all_day, banner_hash, price, capacity, created_by_id, sequence,
    updated_at, format, status, visibility, publish_at, registration_opens_at, registration_closes_at, waitlist_enabled, cancelled_at,
    cancel_reason, series_id, description_format, payment_note, has_guests, event_slug, time_zone, cover_pattern, cover_square, cover_wide,
    gallery_pictures),
  DELETE
ON events.events TO meetmark_events;
GRANT SELECT ON events.events TO meetmark_worker;

-- Fields that only an event's page shows. An event without such content may have no row. events.event_people
-- holds hosts and speakers. hosts_edits and speakers_edits count their changes, so that each change counts as
-- an edit.
CREATE TABLE events.event_contents (
  event_id uuid PRIMARY KEY REFERENCES events.events ON DELETE CASCADE,
  venue_name text COLLATE "und-x-icu",
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
  accessibility text,
  CONSTRAINT event_contents_venue_check
    CHECK (venue_name IS NOT NULL OR (venue_address IS NULL AND venue_note IS NULL AND venue_map_url IS NULL)),
  CONSTRAINT event_contents_venue_name_check CHECK (char_length(venue_name) BETWEEN 1 AND 150 AND venue_name !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]'),
  CONSTRAINT event_contents_venue_address_check CHECK (char_length(venue_address) <= 255 AND venue_address !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]'),
  CONSTRAINT event_contents_venue_note_check CHECK (char_length(venue_note) <= 500),
  CONSTRAINT event_contents_venue_map_url_check CHECK (char_length(venue_map_url) <= 1000 AND venue_map_url ~
    '^[Hh][Tt][Tt][Pp][Ss]?://((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])([.](25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])){3}|([^\u0001-\u002c\u002e\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u007e\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff]+[.])*[^\u0001-\u0040\u005b-\u005e\u0060\u007b-\u007e\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff][^\u0001-\u002c\u002e\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u007e\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff]*[.]?)(:(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[0-9]{1,4}))?([/?#][^\u0001-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff]*)?$'),
  CONSTRAINT event_contents_online_url_check CHECK (char_length(online_url) <= 1000 AND online_url ~
    '^[Hh][Tt][Tt][Pp][Ss]://((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])([.](25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])){3}|([^\u0001-\u002c\u002e\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u007e\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff]+[.])*[^\u0001-\u0040\u005b-\u005e\u0060\u007b-\u007e\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff][^\u0001-\u002c\u002e\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u007e\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff]*[.]?)(:(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[0-9]{1,4}))?([/?#][^\u0001-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff]*)?$'),
  CONSTRAINT event_contents_online_note_check CHECK (char_length(online_note) <= 500),
  CONSTRAINT event_contents_agenda_check CHECK (
    jsonb_typeof(agenda) = 'array' AND jsonb_array_length(agenda) <= 50
    AND NOT jsonb_path_exists(agenda, '$[*].title ? (@ like_regex "[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]")')),
  CONSTRAINT event_contents_resources_check CHECK (
    jsonb_typeof(resources) = 'array' AND jsonb_array_length(resources) <= 20
    AND NOT jsonb_path_exists(resources, '$[*].title ? (@ like_regex "[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]")')
    AND NOT jsonb_path_exists(resources,
      '$[*].url ? (!(@ like_regex "^[Hh][Tt][Tt][Pp][Ss]://((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])([.](25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])){3}|([^\u0001-\u002c\u002e\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u007e\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff]+[.])*[^\u0001-\u0040\u005b-\u005e\u0060\u007b-\u007e\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff][^\u0001-\u002c\u002e\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u007e\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff]*[.]?)(:(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[0-9]{1,4}))?([/?#][^\u0001-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff]*)?$"))')),
  CONSTRAINT event_contents_recap_check CHECK (char_length(recap) <= 10000),
  CONSTRAINT event_contents_questions_check CHECK (
    jsonb_typeof(questions) = 'array' AND jsonb_array_length(questions) <= 10
    AND NOT jsonb_path_exists(questions, '$[*].label ? (@ like_regex "[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]")')
    AND NOT jsonb_path_exists(questions, '$[*].options[*] ? (@ like_regex "[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]")')),
  CONSTRAINT event_contents_accessibility_check CHECK (char_length(accessibility) BETWEEN 1 AND 500)
);
CREATE INDEX event_contents_venue_idx ON events.event_contents (venue_name, venue_address) WHERE venue_name IS NOT NULL;
GRANT
  SELECT,
  INSERT (event_id, venue_name, venue_address, venue_note, venue_map_url, online_url, online_note, agenda, resources, recap, questions,
    accessibility),
  UPDATE (venue_name, venue_address, venue_note, venue_map_url, online_url, online_note, agenda, resources, recap, hosts_edits,
    speakers_edits, questions, accessibility)
ON events.event_contents TO meetmark_events;
GRANT SELECT ON events.event_contents TO meetmark_worker;

-- HTML and plain text rendered from an event's Markdown. `source` is a digest of that Markdown. A background
-- task renders rows with an outdated source or renderer again.
CREATE TABLE events.rendered_texts (
  event_id uuid PRIMARY KEY REFERENCES events.events ON DELETE CASCADE,
  source text NOT NULL,
  renderer smallint NOT NULL,
  made_at timestamptz(3) NOT NULL DEFAULT now(),
  description_html text,
  description_text text,
  recap_html text,
  CONSTRAINT rendered_texts_source_check CHECK (source ~ '^[0-9a-f]{32}$')
);
GRANT
  SELECT,
  INSERT (event_id, source, renderer, made_at, description_html, description_text, recap_html),
  UPDATE (source, renderer, made_at, description_html, description_text, recap_html)
ON events.rendered_texts TO meetmark_events;

-- Hosts and speakers. An email asks members whether they agree to be named (agreed_at). Co-hosts are also
-- asked whether they agree to manage the event (manages_agreed_at).
CREATE TABLE events.event_people (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  event_id uuid NOT NULL REFERENCES events.events ON DELETE CASCADE,
  role text NOT NULL,
  position smallint NOT NULL,
  user_id uuid REFERENCES auth.users ON DELETE CASCADE,
  name text COLLATE "und-x-icu",
  title text COLLATE "und-x-icu",
  bio text,
  link_url text,
  agreed_at timestamptz(3),
  told_at timestamptz(3),
  manages boolean NOT NULL DEFAULT false,
  manages_agreed_at timestamptz(3),
  -- The person who named the member. The member can agree only while this person may manage the event.
  asked_by_id uuid REFERENCES auth.users ON DELETE SET NULL,
  CONSTRAINT event_people_key UNIQUE (event_id, role, user_id),
  CONSTRAINT event_people_host_check CHECK (role = 'speaker' OR (user_id IS NOT NULL AND title IS NULL AND bio IS NULL)),
  CONSTRAINT event_people_manages_check CHECK ((role = 'host' OR NOT manages) AND (manages OR manages_agreed_at IS NULL)),
  CONSTRAINT event_people_role_check CHECK (role IN ('host', 'speaker')),
  CONSTRAINT event_people_position_check CHECK (position >= 0 AND position <= CASE role WHEN 'host' THEN 9 ELSE 29 END),
  CONSTRAINT event_people_member_check CHECK (user_id IS NULL OR link_url IS NULL),
  CONSTRAINT event_people_name_check CHECK ((user_id IS NULL) = (name IS NOT NULL) AND char_length(name) BETWEEN 1 AND 100
    AND name !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]'),
  CONSTRAINT event_people_title_check CHECK (char_length(title) <= 150 AND title !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]'),
  CONSTRAINT event_people_bio_check CHECK (char_length(bio) <= 1000),
  CONSTRAINT event_people_link_url_check CHECK (char_length(link_url) <= 1000 AND link_url ~
    '^[Hh][Tt][Tt][Pp][Ss]?://((25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])([.](25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])){3}|([^\u0001-\u002c\u002e\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u007e\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff]+[.])*[^\u0001-\u0040\u005b-\u005e\u0060\u007b-\u007e\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff][^\u0001-\u002c\u002e\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u007e\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff]*[.]?)(:(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[0-9]{1,4}))?([/?#][^\u0001-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028-\u202f\u205f\u2066-\u2069\u3000\ufeff]*)?$'),
  CONSTRAINT event_people_agreed_check CHECK (agreed_at IS NULL OR user_id IS NOT NULL)
);
CREATE INDEX event_people_asked_by_id_idx ON events.event_people (asked_by_id) WHERE asked_by_id IS NOT NULL;
CREATE INDEX event_people_user_id_idx ON events.event_people (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX event_people_managers_idx ON events.event_people (user_id, event_id)
WHERE agreed_at IS NOT NULL AND manages_agreed_at IS NOT NULL;
GRANT
  SELECT,
  INSERT (event_id, role, position, user_id, name, title, bio, link_url, agreed_at, manages, manages_agreed_at, asked_by_id),
  UPDATE (position, title, bio, agreed_at, told_at, manages, manages_agreed_at, asked_by_id),
  DELETE
ON events.event_people TO meetmark_events;
GRANT SELECT ON events.event_people TO meetmark_worker;

-- Edits of events with their authors. A save based on an older version fails and names the edits since.
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

-- Secret preview links. A link works while its creator may manage the event.
CREATE TABLE events.event_previews (
  event_id uuid PRIMARY KEY REFERENCES events.events ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  created_by_id uuid NOT NULL REFERENCES auth.users ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT event_previews_token_hash_check CHECK (octet_length(token_hash) = 32)
);
CREATE INDEX event_previews_created_by_id_idx ON events.event_previews (created_by_id);
GRANT SELECT, INSERT, UPDATE (token_hash, created_by_id, created_at), DELETE ON events.event_previews TO meetmark_events;

-- Deleted events that calendars must still show as cancelled, under the same id. There are no foreign keys,
-- because locking a user here could deadlock the deletions of an event and of a member.
CREATE TABLE events.deleted_events (
  id uuid PRIMARY KEY,
  title text COLLATE "und-x-icu" NOT NULL,
  location text,
  start_date timestamptz(3) NOT NULL,
  end_date timestamptz(3) NOT NULL,
  is_all_day boolean NOT NULL,
  sequence integer NOT NULL,
  registered_user_ids uuid[] NOT NULL,
  created_at timestamptz(3) NOT NULL,
  deleted_at timestamptz(3) NOT NULL DEFAULT now(),
  listed boolean NOT NULL DEFAULT true,
  time_zone text,
  CONSTRAINT deleted_events_time_zone_check
    CHECK (char_length(time_zone) <= 64 AND time_zone ~ '^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$')
);
CREATE INDEX deleted_events_end_date_idx ON events.deleted_events (end_date);
CREATE INDEX deleted_events_users_idx ON events.deleted_events USING gin (registered_user_ids);
GRANT SELECT, INSERT ON events.deleted_events TO meetmark_events;
GRANT SELECT (id, end_date), DELETE ON events.deleted_events TO meetmark_worker;

-- A registration of a member, or of a guest without an account. A member who verifies the guest's email
-- address takes the registration over. The guest list keeps showing what the organiser typed (added_as,
-- guest_email), so as not to reveal accounts. A registration with neither a member nor a guest's name is that of
-- a former member, whose account was deleted after the event.
CREATE TABLE events.event_registrations (
  id uuid PRIMARY KEY,
  event_id uuid NOT NULL REFERENCES events.events ON DELETE CASCADE,
  user_id uuid REFERENCES auth.users ON DELETE CASCADE,
  selected_date timestamptz(3),
  registered_at timestamptz(3) NOT NULL DEFAULT now(),
  status text NOT NULL DEFAULT 'registered',
  -- Calendars accept a cancelled or renewed registration only with a higher number than before (RFC 5546,
  -- 2.1.4).
  entry_revision integer NOT NULL DEFAULT 0,
  show_me text NOT NULL DEFAULT 'name',
  guest_name text COLLATE "und-x-icu",
  guest_email text,
  added_as text COLLATE "und-x-icu",
  note text,
  paid_at timestamptz(3),
  checked_in_at timestamptz(3),
  checked_in_by text,
  answers jsonb,
  ended_as text,
  ended_at timestamptz(3),
  -- Keyed hash of the network from which a member with an unverified email address registered. Hashes of
  -- different events can't be compared. The worker clears the hash once the event has started.
  network text,
  UNIQUE (event_id, user_id),
  CONSTRAINT event_registrations_guest_check CHECK (user_id IS NOT NULL OR (status <> 'waitlisted' AND show_me = 'no')),
  CONSTRAINT event_registrations_person_check CHECK (num_nonnulls(user_id, guest_name) <= 1),
  CONSTRAINT event_registrations_former_check
    CHECK (num_nonnulls(user_id, guest_name) = 1 OR num_nonnulls(guest_email, added_as, answers, network) = 0),
  CONSTRAINT event_registrations_status_check CHECK (status IN ('registered', 'cancelled', 'waitlisted')),
  CONSTRAINT event_registrations_show_me_check CHECK (show_me IN ('no', 'name', 'linkedin', 'public')),
  CONSTRAINT event_registrations_guest_name_check CHECK (char_length(guest_name) BETWEEN 1 AND 100 AND guest_name !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]'),
  CONSTRAINT event_registrations_guest_email_check
    CHECK (guest_email IS NULL OR (char_length(guest_email) <= 255 AND (user_id IS NULL OR added_as IS NOT NULL))),
  CONSTRAINT event_registrations_added_as_check CHECK (added_as IS NULL OR (user_id IS NOT NULL AND guest_email IS NOT NULL)),
  CONSTRAINT event_registrations_note_check CHECK (char_length(note) BETWEEN 1 AND 500),
  CONSTRAINT event_registrations_checked_in_check
    CHECK ((checked_in_at IS NULL) = (checked_in_by IS NULL) AND checked_in_by IN ('door', 'self', 'organiser')),
  CONSTRAINT event_registrations_answers_check CHECK (jsonb_typeof(answers) = 'object'),
  CONSTRAINT event_registrations_ended_check CHECK ((ended_as IS NULL) = (ended_at IS NULL)
    AND (ended_as IS NULL OR (status = 'cancelled' AND ended_as IN ('cancelled', 'removed')))),
  CONSTRAINT event_registrations_network_check
    CHECK (network IS NULL OR (char_length(network) = 22 AND user_id IS NOT NULL AND status <> 'cancelled'))
);
-- Every page of the guest list needs to know whether anyone was checked in.
CREATE INDEX event_registrations_came_idx ON events.event_registrations (event_id) WHERE checked_in_at IS NOT NULL;
CREATE INDEX event_registrations_named_idx ON events.event_registrations (event_id) WHERE guest_name IS NOT NULL OR added_as IS NOT NULL;
CREATE UNIQUE INDEX event_registrations_guest_email_key ON events.event_registrations (event_id, lower(guest_email))
WHERE guest_email IS NOT NULL;
CREATE INDEX event_registrations_registered_at_idx ON events.event_registrations (event_id, registered_at, id);
-- registered_at of people on the waiting list is when they joined it.
CREATE INDEX event_registrations_waiting_idx ON events.event_registrations (event_id, registered_at, id) WHERE status = 'waitlisted';
CREATE INDEX event_registrations_user_id_idx ON events.event_registrations (user_id, event_id);
CREATE INDEX event_registrations_activity_idx ON events.event_registrations (registered_at) WHERE status = 'registered';
CREATE INDEX event_registrations_network_idx ON events.event_registrations (event_id, network) WHERE network IS NOT NULL;
-- With fastupdate, every search would also read a list of pending entries.
CREATE INDEX event_registrations_named_search_idx ON events.event_registrations
USING gin (public.searchable(coalesce(guest_name, added_as) || ' ' || coalesce(guest_email, '')) public.gin_trgm_ops)
WITH (fastupdate = off) WHERE guest_name IS NOT NULL OR added_as IS NOT NULL;
CREATE INDEX event_registrations_public_idx ON events.event_registrations (event_id, registered_at, id)
WHERE show_me = 'public' AND status = 'registered';
GRANT
  SELECT,
  INSERT,
  UPDATE (selected_date, registered_at, status, entry_revision, show_me, guest_name, guest_email, added_as, note, paid_at, answers,
    ended_as, ended_at, network),
  DELETE
ON events.event_registrations TO meetmark_events;
GRANT SELECT, UPDATE (network) ON events.event_registrations TO meetmark_worker;

-- Secret calendar URL of a member. Only a hash is stored, so that readers of the table can't subscribe.
CREATE TABLE events.calendar_feeds (
  user_id uuid PRIMARY KEY REFERENCES auth.users ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT calendar_feeds_token_hash_check CHECK (octet_length(token_hash) = 32)
);
GRANT SELECT, INSERT, UPDATE (token_hash, created_at), DELETE ON events.calendar_feeds TO meetmark_events;

-- Secret links for the door of an event, stored as hashes. A link works while its creator may manage the
-- event.
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

-- Check-ins of guests. The phone creates `key`, so that a resent check-in counts once. A guest arrived at
-- their earliest check-in that wasn't undone. let_in is the answer to the scan, and phone_at its time by the
-- phone's clock. mailed_at is set if a door link gave an email address, for a limit per link.
CREATE TABLE events.check_ins (
  event_id uuid,
  key uuid,
  registration_id uuid NOT NULL REFERENCES events.event_registrations ON DELETE CASCADE,
  link_id uuid REFERENCES events.door_links ON DELETE SET NULL,
  at timestamptz(3) NOT NULL,
  undone_at timestamptz(3),
  let_in boolean,
  phone_at timestamptz(3),
  mailed_at timestamptz(3),
  by_organiser boolean NOT NULL DEFAULT false,
  PRIMARY KEY (event_id, key),
  CONSTRAINT check_ins_by_organiser_check CHECK (NOT (by_organiser AND link_id IS NOT NULL))
);
-- Only one scan of each registration is answered `ok`.
CREATE UNIQUE INDEX check_ins_let_in_key ON events.check_ins (registration_id) WHERE let_in AND undone_at IS NULL;
CREATE INDEX check_ins_mailed_at_idx ON events.check_ins (link_id, mailed_at) WHERE mailed_at IS NOT NULL;
CREATE INDEX check_ins_registration_id_idx ON events.check_ins (registration_id, at);
CREATE INDEX check_ins_link_id_idx ON events.check_ins (link_id);
GRANT SELECT, INSERT, UPDATE (undone_at) ON events.check_ins TO meetmark_events;

-- Check-ins that a phone sent after its door link had ended.
CREATE TABLE events.door_refusals (
  link_id uuid REFERENCES events.door_links ON DELETE CASCADE,
  key uuid,
  registration_id uuid REFERENCES events.event_registrations ON DELETE CASCADE,
  at timestamptz(3) NOT NULL,
  reason text NOT NULL,
  received_at timestamptz(3) NOT NULL DEFAULT now(),
  guest_name text COLLATE "und-x-icu",
  guest_email text,
  PRIMARY KEY (link_id, key),
  CONSTRAINT door_refusals_reason_check CHECK (reason IN ('revoked', 'expired')),
  CONSTRAINT door_refusals_guest_name_check CHECK (char_length(guest_name) BETWEEN 1 AND 100 AND guest_name !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]'),
  CONSTRAINT door_refusals_guest_email_check
    CHECK (guest_email IS NULL OR guest_name IS NOT NULL AND char_length(guest_email) <= 255)
);
CREATE INDEX door_refusals_guest_email_idx ON events.door_refusals (lower(guest_email)) WHERE guest_email IS NOT NULL;
CREATE INDEX door_refusals_registration_id_idx ON events.door_refusals (registration_id);
GRANT SELECT, INSERT ON events.door_refusals TO meetmark_events;

-- Messages from organisers to the people of an event.
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
    CHECK (char_length(subject) BETWEEN 1 AND 150 AND subject !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]'),
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

-- Outcome of the email to each recipient of a message.
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

-- Guests without an account who unsubscribed from messages. They have no preferences of their own.
CREATE TABLE events.message_stops (
  registration_id uuid PRIMARY KEY REFERENCES events.event_registrations ON DELETE CASCADE,
  stopped_at timestamptz(3) NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT (registration_id), DELETE ON events.message_stops TO meetmark_events;
GRANT SELECT ON events.message_stops TO meetmark_worker;

-- Messages to the hosts of events. The worker erases name, email address and text after sending the email. It
-- deletes the row after two days; until then, the row counts for the limits.
CREATE TABLE events.host_messages (
  id uuid PRIMARY KEY,
  event_id uuid NOT NULL REFERENCES events.events ON DELETE CASCADE,
  host_id uuid NOT NULL REFERENCES auth.users ON DELETE CASCADE,
  writer_id uuid REFERENCES auth.users ON DELETE CASCADE,
  writer_hash bytea NOT NULL,
  name text COLLATE "und-x-icu",
  email text,
  body text,
  written_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT host_messages_writer_hash_check CHECK (octet_length(writer_hash) = 32),
  CONSTRAINT host_messages_name_check CHECK (char_length(name) BETWEEN 1 AND 201 AND name !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]'),
  CONSTRAINT host_messages_email_check CHECK (char_length(email) BETWEEN 3 AND 255),
  CONSTRAINT host_messages_body_check CHECK (char_length(body) BETWEEN 10 AND 2000),
  CONSTRAINT host_messages_forgotten_check CHECK (num_nonnulls(name, email, body) IN (0, 3))
);
CREATE INDEX host_messages_host_idx ON events.host_messages (host_id, written_at);
CREATE INDEX host_messages_writer_idx ON events.host_messages (writer_hash, written_at);
CREATE INDEX host_messages_event_idx ON events.host_messages (event_id);
CREATE INDEX host_messages_writer_id_idx ON events.host_messages (writer_id) WHERE writer_id IS NOT NULL;
GRANT SELECT, INSERT ON events.host_messages TO meetmark_events;
GRANT SELECT, UPDATE (name, email, body), DELETE ON events.host_messages TO meetmark_worker;

-- The unique columns events.topics.place and events.event_topics.position allow twelve topics, and three per
-- event.
CREATE TABLE events.topics (
  id uuid PRIMARY KEY,
  slug text NOT NULL UNIQUE,
  name text COLLATE "und-x-icu" NOT NULL,
  place smallint NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT topics_slug_check CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND char_length(slug) <= 40),
  CONSTRAINT topics_name_check CHECK (char_length(name) BETWEEN 1 AND 40 AND name !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]'),
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

-- Announcements of events, at most one per event. A draft's announcement is planned and can be withdrawn. The
-- publication releases it, and the row then stays for good. Triggers create the job from the row.
CREATE TABLE events.announcements (
  event_id uuid PRIMARY KEY REFERENCES events.events ON DELETE CASCADE,
  released_at timestamptz(3),
  started_at timestamptz(3),
  recipients integer NOT NULL DEFAULT 0,
  CONSTRAINT announcements_started_check CHECK (started_at IS NULL OR released_at IS NOT NULL)
);
GRANT SELECT, INSERT (event_id) ON events.announcements TO meetmark_events;
GRANT SELECT, UPDATE (started_at, recipients) ON events.announcements TO meetmark_worker;

-- Weekly digests, one for each Monday.
CREATE TABLE events.digests (
  week date PRIMARY KEY,
  since timestamptz(3) NOT NULL,
  until timestamptz(3) NOT NULL,
  recipients integer NOT NULL DEFAULT 0,
  CONSTRAINT digests_week_check CHECK (extract(isodow FROM week) = 1),
  CONSTRAINT digests_span_check CHECK (since < until)
);
GRANT SELECT, INSERT (week, since, until), UPDATE (recipients) ON events.digests TO meetmark_worker;

-- Requests for announcements or the digest by people without an account. confirmed_at is null until someone
-- opens the link in the email.
CREATE TABLE events.subscription_requests (
  id uuid PRIMARY KEY,
  email text NOT NULL,
  -- The email address without its +tag, because the limit counts per mailbox.
  mailbox text NOT NULL GENERATED ALWAYS AS (regexp_replace(lower(email), '^([^+@]+)\+[^@]*@', '\1@')) STORED,
  topic_ids uuid[] NOT NULL,
  digest boolean NOT NULL,
  requested_at timestamptz(3) NOT NULL DEFAULT now(),
  confirmed_at timestamptz(3),
  locale text,
  CONSTRAINT subscription_requests_email_check CHECK (email ~ '^[ -~]+$' AND char_length(email) <= 255),
  CONSTRAINT subscription_requests_topics_check CHECK (cardinality(topic_ids) <= 12),
  CONSTRAINT subscription_requests_wish_check CHECK (digest OR cardinality(topic_ids) > 0),
  CONSTRAINT subscription_requests_locale_check CHECK (locale ~ '^[a-z]{2,3}(-[A-Z]{2})?$')
);
CREATE INDEX subscription_requests_mailbox_idx ON events.subscription_requests (mailbox, requested_at);
CREATE INDEX subscription_requests_requested_at_idx ON events.subscription_requests (requested_at);
GRANT SELECT, INSERT (id, email, topic_ids, digest, locale) ON events.subscription_requests TO meetmark_events;
GRANT SELECT, DELETE ON events.subscription_requests TO meetmark_worker;

-- Subscriptions of verified email addresses without an account. An account that verifies the address takes
-- the subscription over, and the row is deleted.
CREATE TABLE events.subscriptions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  email text NOT NULL UNIQUE,
  announcements boolean NOT NULL,
  digest boolean NOT NULL,
  changed_at timestamptz(3) NOT NULL DEFAULT now(),
  locale text,
  CONSTRAINT subscriptions_email_check CHECK (email ~ '^[ -~]+$' AND char_length(email) <= 255),
  CONSTRAINT subscriptions_locale_check CHECK (locale ~ '^[a-z]{2,3}(-[A-Z]{2})?$')
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

-- Event proposals of members. Organisers accept with a draft event, or decline with a text (words).
CREATE TABLE events.proposals (
  id uuid PRIMARY KEY,
  -- Null if the proposer's account was deleted.
  proposer_id uuid REFERENCES auth.users ON DELETE SET NULL,
  title text COLLATE "und-x-icu" NOT NULL,
  description text,
  start_date timestamptz(3) NOT NULL,
  end_date timestamptz(3) NOT NULL,
  proposed_at timestamptz(3) NOT NULL DEFAULT now(),
  decided_at timestamptz(3),
  words text,
  event_id uuid REFERENCES events.events ON DELETE SET NULL,
  CONSTRAINT proposals_title_check CHECK (char_length(title) BETWEEN 1 AND 255 AND title !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]'),
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

-- Imports of events from a file. Its rows arrive in batches, are judged, and are imported in batches.
CREATE TABLE events.imports (
  id uuid PRIMARY KEY,
  created_by_id uuid NOT NULL REFERENCES auth.users ON DELETE CASCADE,
  file_name text COLLATE "und-x-icu" NOT NULL,
  state text NOT NULL DEFAULT 'preview',
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT imports_file_name_check CHECK (char_length(file_name) BETWEEN 1 AND 255 AND file_name !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]'),
  CONSTRAINT imports_state_check CHECK (state IN ('preview', 'importing', 'done', 'undoing', 'undone'))
);
CREATE INDEX imports_created_by_id_idx ON events.imports (created_by_id, created_at);
CREATE INDEX imports_created_at_idx ON events.imports (created_at);
GRANT SELECT, INSERT (id, created_by_id, file_name), UPDATE (state), DELETE ON events.imports TO meetmark_events;
GRANT SELECT (id, state, created_at), DELETE ON events.imports TO meetmark_worker;

-- Rows of an import's file. `verdict` says what the import does with the row, `outcome` what was done.
-- `previous` has the fields that an update replaced.
CREATE TABLE events.import_rows (
  import_id uuid REFERENCES events.imports ON DELETE CASCADE,
  number integer,
  source_key text NOT NULL,
  verdict text NOT NULL,
  fields jsonb NOT NULL,
  problems jsonb NOT NULL DEFAULT '[]',
  assumed_end boolean NOT NULL,
  repeats boolean NOT NULL,
  outcome text,
  event_id uuid REFERENCES events.events ON DELETE SET NULL,
  previous jsonb,
  PRIMARY KEY (import_id, number),
  CONSTRAINT import_rows_number_check CHECK (number BETWEEN 1 AND 2000),
  CONSTRAINT import_rows_source_key_check CHECK (char_length(source_key) BETWEEN 1 AND 1000 AND source_key !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]'),
  CONSTRAINT import_rows_verdict_check CHECK (verdict IN ('new', 'changed', 'unchanged', 'problem')),
  CONSTRAINT import_rows_problems_check CHECK ((problems <> '[]') = (verdict = 'problem')),
  CONSTRAINT import_rows_outcome_check
    CHECK (outcome IS NULL OR (outcome IN ('created', 'updated', 'undone', 'kept') AND verdict IN ('new', 'changed')))
);
CREATE INDEX import_rows_source_key_idx ON events.import_rows (import_id, source_key);
CREATE INDEX import_rows_event_id_idx ON events.import_rows (event_id) WHERE event_id IS NOT NULL;
GRANT
  SELECT,
  INSERT (import_id, number, source_key, verdict, fields, problems, assumed_end, repeats),
  UPDATE (verdict, problems, outcome, event_id, previous)
ON events.import_rows TO meetmark_events;

-- Imported events by their key in the source, so that importing a file again changes nothing. `version` is the
-- event's version after the last import: a later version was edited in Meetmark.
CREATE TABLE events.imported_events (
  source_key text PRIMARY KEY,
  event_id uuid NOT NULL UNIQUE REFERENCES events.events ON DELETE CASCADE,
  fields jsonb NOT NULL,
  version integer NOT NULL,
  CONSTRAINT imported_events_source_key_check CHECK (char_length(source_key) BETWEEN 1 AND 1000 AND source_key !~ '[\u0001-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]')
);
GRANT SELECT, INSERT, UPDATE (fields, version) ON events.imported_events TO meetmark_events;

-- Background jobs, committed together with the change that causes them. A relay passes them to the queues.
-- `skipped` marks a job that ended without its email, because nobody wants it or nothing is left to report.
-- available_at is when the job or its next attempt is due. failing_since is the time of the first failure.
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
  failing_since timestamptz(3),
  skipped boolean NOT NULL DEFAULT false,
  CONSTRAINT outbox_job_check CHECK (char_length(job) BETWEEN 1 AND 100)
);
-- For edits, which replace an email about earlier edits of the same event that hasn't been sent.
CREATE INDEX outbox_event_changed_idx ON events.outbox ((payload ->> 'eventId')) WHERE job = 'mail.eventChangedFanOut' AND done_at IS NULL;
-- For deleting the jobs of a deleted account.
CREATE INDEX outbox_user_id_idx ON events.outbox ((payload ->> 'userId')) WHERE (payload ->> 'userId') IS NOT NULL;
CREATE INDEX outbox_mail_idx ON events.outbox (created_at DESC, id) WHERE job LIKE 'mail.%';
CREATE INDEX outbox_open_idx ON events.outbox (available_at, id) WHERE done_at IS NULL;
CREATE INDEX outbox_done_idx ON events.outbox (done_at) WHERE done_at IS NOT NULL;
-- The worker also inserts jobs: one change of an event becomes an email to each registered person.
GRANT SELECT, INSERT, UPDATE (relayed_at, done_at) ON events.outbox TO meetmark_events;
GRANT SELECT, INSERT, UPDATE (available_at, relayed_at, done_at, attempts, last_error, failing_since, skipped), DELETE ON events.outbox TO meetmark_worker;

-- Emails about an event that someone other than the recipient caused, for the limits in take_mail_slot.sql.
-- There is no foreign key, because emails about a deleted event count as well. `recipient` is an account's id
-- or the hash of a mailbox.
CREATE TABLE events.sent_mails (
  id uuid PRIMARY KEY,
  event_id uuid NOT NULL,
  recipient text NOT NULL,
  kind text NOT NULL,
  sent_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX sent_mails_recipient_idx ON events.sent_mails (recipient, event_id, kind, sent_at);
CREATE INDEX sent_mails_sent_at_idx ON events.sent_mails (sent_at);
GRANT SELECT (id, event_id, kind, sent_at), DELETE ON events.sent_mails TO meetmark_worker;
