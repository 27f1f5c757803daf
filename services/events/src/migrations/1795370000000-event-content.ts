import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Column of events to the name that the API has for it: what raises the version of an event and is remembered as an edit. */
const EDITED = {
  title: 'title',
  description: 'description',
  start_date: 'startDate',
  end_date: 'endDate',
  location: 'location',
  format: 'format',
  is_all_day: 'isAllDay',
  banner_hash: 'bannerImageUrl',
  price: 'price',
  capacity: 'capacity',
  waitlist_enabled: 'waitlistEnabled',
  registration_opens_at: 'registrationOpensAt',
  registration_closes_at: 'registrationClosesAt',
  visibility: 'visibility',
  status: 'status',
  publish_at: 'publishAt',
  description_format: 'descriptionFormat',
  payment_note: 'paymentNote',
};
const BEFORE = Object.fromEntries(Object.entries(EDITED).slice(0, 16));

/** The same of event_contents. Who hosts and speaks stands in event_people; a counter says that an edit changed it. */
const CONTENT_EDITED = {
  venue: ['venue_name', 'venue_address', 'venue_note', 'venue_map_url'],
  onlineUrl: ['online_url'],
  onlineNote: ['online_note'],
  hosts: ['hosts_edits'],
  agenda: ['agenda'],
  speakers: ['speakers_edits'],
  resources: ['resources'],
  recap: ['recap'],
};

const differs = (columns: string[]) => {
  const row = (name: string) => `ROW (${columns.map((column) => `${name}.${column}`).join(', ')})`;
  return `${row('OLD')} IS DISTINCT FROM ${row('NEW')}`;
};
const namesOfChanges = (edited: Record<string, string[]>) =>
  `array_remove(ARRAY[${Object.entries(edited)
    .map(([name, columns]) => `CASE WHEN ${differs(columns)} THEN '${name}' END`)
    .join(', ')}], NULL)`;

/**
 * What an event is made of, 1:1 beside its row, which lists read and which therefore stays small. A row is inserted together with its
 * event, or empty; from then on a change of it raises the version of the event, and is remembered, like a change of the event's own row.
 * Both in one transaction are one edit: 'meetmark.raised' is the event whose version the transaction has raised.
 */
export class EventContent1795370000000 implements MigrationInterface {
  name = 'EventContent1795370000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events.events
        ADD COLUMN description_format text NOT NULL DEFAULT 'plain',
        ADD COLUMN payment_note text,
        ADD CONSTRAINT events_description_format_check CHECK (description_format IN ('plain', 'markdown')),
        ADD CONSTRAINT events_payment_note_check CHECK (char_length(payment_note) BETWEEN 1 AND 300)`);
    const columns = 'description_format, payment_note';
    await runner.query(`GRANT INSERT (${columns}), UPDATE (${columns}) ON events.events TO meetmark_events`);
    await runner.query(`
      CREATE TABLE events.event_contents (
        event_id uuid CONSTRAINT event_contents_pkey PRIMARY KEY,
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
        CONSTRAINT event_contents_event_id_fkey FOREIGN KEY (event_id) REFERENCES events.events (id) ON DELETE CASCADE,
        CONSTRAINT event_contents_venue_check
          CHECK (venue_name IS NOT NULL OR (venue_address IS NULL AND venue_note IS NULL AND venue_map_url IS NULL)),
        CONSTRAINT event_contents_venue_name_check CHECK (char_length(venue_name) BETWEEN 1 AND 150),
        CONSTRAINT event_contents_venue_address_check CHECK (char_length(venue_address) <= 255),
        CONSTRAINT event_contents_venue_note_check CHECK (char_length(venue_note) <= 500),
        CONSTRAINT event_contents_venue_map_url_check
          CHECK (char_length(venue_map_url) <= 1000 AND venue_map_url ~* '^https?://'),
        CONSTRAINT event_contents_online_url_check CHECK (char_length(online_url) <= 1000 AND online_url ~* '^https://'),
        CONSTRAINT event_contents_online_note_check CHECK (char_length(online_note) <= 500),
        CONSTRAINT event_contents_agenda_check CHECK (jsonb_typeof(agenda) = 'array' AND jsonb_array_length(agenda) <= 50),
        CONSTRAINT event_contents_resources_check
          CHECK (jsonb_typeof(resources) = 'array' AND jsonb_array_length(resources) <= 20),
        CONSTRAINT event_contents_recap_check CHECK (char_length(recap) <= 10000)
      )`);
    // the list of venues: each once, the one used last first
    await runner.query(`
      CREATE INDEX event_contents_venue_idx ON events.event_contents (venue_name, venue_address) WHERE venue_name IS NOT NULL`);
    await runner.query(`
      CREATE TABLE events.event_people (
        id uuid CONSTRAINT event_people_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        event_id uuid NOT NULL,
        role text NOT NULL,
        position smallint NOT NULL,
        user_id uuid,
        name text,
        title text,
        bio text,
        link_url text,
        agreed_at timestamptz(3),
        told_at timestamptz(3),
        CONSTRAINT event_people_event_id_fkey FOREIGN KEY (event_id) REFERENCES events.events (id) ON DELETE CASCADE,
        CONSTRAINT event_people_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users (id) ON DELETE CASCADE,
        CONSTRAINT event_people_key UNIQUE (event_id, role, user_id),
        CONSTRAINT event_people_role_check CHECK (role IN ('host', 'speaker')),
        CONSTRAINT event_people_position_check CHECK (position BETWEEN 0 AND CASE role WHEN 'host' THEN 9 ELSE 29 END),
        CONSTRAINT event_people_name_check CHECK ((user_id IS NULL) = (name IS NOT NULL) AND char_length(name) BETWEEN 1 AND 100),
        CONSTRAINT event_people_host_check CHECK (role = 'speaker' OR (user_id IS NOT NULL AND title IS NULL AND bio IS NULL)),
        CONSTRAINT event_people_member_check CHECK (user_id IS NULL OR link_url IS NULL),
        CONSTRAINT event_people_agreed_check CHECK (agreed_at IS NULL OR user_id IS NOT NULL),
        CONSTRAINT event_people_title_check CHECK (char_length(title) <= 150),
        CONSTRAINT event_people_bio_check CHECK (char_length(bio) <= 1000),
        CONSTRAINT event_people_link_url_check CHECK (char_length(link_url) <= 1000 AND link_url ~* '^https?://')
      )`);
    await runner.query(
      'CREATE INDEX event_people_user_id_idx ON events.event_people (user_id) WHERE user_id IS NOT NULL',
    );
    const content =
      'venue_name, venue_address, venue_note, venue_map_url, online_url, online_note, agenda, resources, recap';
    await runner.query(`
      GRANT SELECT, INSERT (event_id, ${content}), UPDATE (${content}, hosts_edits, speakers_edits)
      ON events.event_contents TO meetmark_events`);
    await runner.query(`
      GRANT SELECT, DELETE, INSERT (event_id, role, position, user_id, name, title, bio, link_url, agreed_at),
        UPDATE (position, title, bio, agreed_at)
      ON events.event_people TO meetmark_events`);
    // mails and their calendar entries
    await runner.query('GRANT SELECT ON events.event_contents, events.event_people TO meetmark_worker');
    await this.oneEdit(runner);
    await this.rememberEdits(runner, EDITED);
    await this.lockNamed(runner);
    await this.tellNamed(runner);
  }

  /** The version rises once in a transaction, and what the transaction changes is one edit. */
  private async oneEdit(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION events.raise_event_version() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF current_setting('meetmark.raised', true) IS DISTINCT FROM OLD.id::text THEN
          NEW.version := OLD.version + 1;
          PERFORM set_config('meetmark.raised', OLD.id::text, true);
        END IF;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE FUNCTION events.keep_edit(edited uuid, present integer, names text[]) RETURNS void
      LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
        INSERT INTO events.event_edits AS edits (event_id, version, editor_id, changed)
        VALUES (edited, present, nullif(current_setting('meetmark.editor', true), '')::uuid, names)
        ON CONFLICT (event_id, version) DO UPDATE SET changed = edits.changed || (
          SELECT coalesce(array_agg(name), '{}') FROM unnest(excluded.changed) AS name WHERE name <> ALL (edits.changed))
      $$`);
    await runner.query('REVOKE EXECUTE ON FUNCTION events.keep_edit FROM PUBLIC');
    await runner.query(`
      CREATE FUNCTION events.keep_content_edit() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      DECLARE
        present integer;
      BEGIN
        UPDATE events.events
        SET version = version + (current_setting('meetmark.raised', true) IS DISTINCT FROM id::text)::integer
        WHERE id = NEW.event_id RETURNING version INTO present;
        PERFORM set_config('meetmark.raised', NEW.event_id::text, true);
        PERFORM events.keep_edit(NEW.event_id, present, ${namesOfChanges(CONTENT_EDITED)});
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER event_contents_keep_edit AFTER UPDATE ON events.event_contents
      FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION events.keep_content_edit()`);
  }

  /** The triggers of the version and of the edits, made anew for these columns. */
  private async rememberEdits(
    runner: QueryRunner,
    edited: Record<string, string>,
    keep = 'PERFORM events.keep_edit(NEW.id, NEW.version, changed);',
  ): Promise<void> {
    const columns = Object.keys(edited);
    const names = Object.fromEntries(Object.entries(edited).map(([column, name]) => [name, [column]]));
    await runner.query('DROP TRIGGER events_keep_edit ON events.events');
    await runner.query('DROP TRIGGER events_raise_version ON events.events');
    await runner.query(`
      CREATE OR REPLACE FUNCTION events.keep_event_edit() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      DECLARE
        changed text[] := ${namesOfChanges(names)};
      BEGIN
        ${keep}
        RETURN NULL;
      END $$`);
    const when = `OF ${columns.join(', ')} ON events.events FOR EACH ROW WHEN (${differs(columns)})`;
    await runner.query(
      `CREATE TRIGGER events_raise_version BEFORE UPDATE ${when} EXECUTE FUNCTION events.raise_event_version()`,
    );
    await runner.query(
      `CREATE TRIGGER events_keep_edit AFTER UPDATE ${when} EXECUTE FUNCTION events.keep_event_edit()`,
    );
  }

  /** Whoever names members locks them before the event, as the deletion of an account does: neither then waits for the other. */
  private async lockNamed(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION events.lock_members(members uuid[]) RETURNS SETOF uuid
      LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
        SELECT id FROM auth.users WHERE id = ANY (members) ORDER BY id FOR KEY SHARE
      $$`);
    await runner.query('REVOKE EXECUTE ON FUNCTION events.lock_members FROM PUBLIC');
    await runner.query('GRANT EXECUTE ON FUNCTION events.lock_members TO meetmark_events');
  }

  /** Members who are named are asked by mail whether they agree, once, as soon as the event has a page. */
  private async tellNamed(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION events.tell_named(named_event uuid) RETURNS integer
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      DECLARE
        written integer;
      BEGIN
        WITH told AS (
          UPDATE events.event_people AS person SET told_at = now()
          FROM events.events AS event
          WHERE event.id = named_event AND event.status = 'published' AND event.end_date > now()
            AND person.event_id = event.id AND person.user_id IS NOT NULL
            AND person.agreed_at IS NULL AND person.told_at IS NULL
          RETURNING person.user_id, person.role
        ), mails AS (
          INSERT INTO events.outbox (id, job, payload)
          SELECT gen_random_uuid(), 'mail.namedInEvent',
            jsonb_build_object('eventId', named_event, 'userId', user_id, 'role', role)
          FROM told RETURNING id
        )
        SELECT count(*) INTO written FROM mails;
        IF written > 0 THEN
          PERFORM pg_notify('outbox', 'events');
        END IF;
        RETURN written;
      END $$`);
    await runner.query('REVOKE EXECUTE ON FUNCTION events.tell_named FROM PUBLIC');
    await runner.query('GRANT EXECUTE ON FUNCTION events.tell_named TO meetmark_events');
    await runner.query(`
      CREATE FUNCTION events.tell_named_when_published() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        PERFORM events.tell_named(NEW.id);
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER events_tell_named AFTER UPDATE OF status ON events.events
      FOR EACH ROW WHEN (OLD.status = 'draft' AND NEW.status = 'published') EXECUTE FUNCTION events.tell_named_when_published()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER events_tell_named ON events.events');
    await runner.query('DROP FUNCTION events.tell_named_when_published');
    await runner.query('DROP FUNCTION events.tell_named');
    await runner.query('DROP FUNCTION events.lock_members');
    await this.rememberEdits(
      runner,
      BEFORE,
      `INSERT INTO events.event_edits (event_id, version, editor_id, changed)
        VALUES (NEW.id, NEW.version, nullif(current_setting('meetmark.editor', true), '')::uuid, changed);`,
    );
    await runner.query(`
      CREATE OR REPLACE FUNCTION events.raise_event_version() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.version := OLD.version + 1;
        RETURN NEW;
      END $$`);
    await runner.query('DROP TABLE events.event_people');
    await runner.query('DROP TABLE events.event_contents');
    await runner.query('DROP FUNCTION events.keep_content_edit');
    await runner.query('DROP FUNCTION events.keep_edit');
    await runner.query('ALTER TABLE events.events DROP COLUMN description_format, DROP COLUMN payment_note');
  }
}
