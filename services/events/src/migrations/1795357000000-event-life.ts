import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Column to the name that the API has for it: what raises the version of an event and is remembered as an edit. */
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
};
const BEFORE = Object.fromEntries(Object.entries(EDITED).slice(0, 10));

/**
 * The figures of an event follow its registrations: those with a place, and those that wait. Nobody gets either at an event that was
 * cancelled at the same moment, or is a draft: here, where the event's row is locked, its status is what it is at the commit.
 */
const COUNTS = `
  DECLARE
    change record;
    waiting integer;
    event_status text;
  BEGIN
    FOR change IN $changes
    LOOP
      UPDATE events.events
      SET registration_count = registration_count + change.seats, waiting_count = waiting_count + change.waits
      WHERE id = change.event_id RETURNING waiting_count, status INTO waiting, event_status;
      IF event_status <> 'published' AND (change.seats > 0 OR change.waits > 0) THEN
        RAISE EXCEPTION 'nobody registers for an event that is %', event_status
          USING ERRCODE = 'check_violation', SCHEMA = 'events', TABLE = 'event_registrations',
            CONSTRAINT = 'event_registrations_published_check';
      END IF;
      IF waiting > 0 THEN
        PERFORM events.promote_waiting(change.event_id);
      END IF;
    END LOOP;
    RETURN NULL;
  END`;
const counted = (rows: string, sign = '') => `
  SELECT event_id, ${sign}count(*) FILTER (WHERE status = 'registered') AS seats, ${sign}count(*) FILTER (WHERE status = 'waitlisted') AS waits
  FROM ${rows} WHERE status <> 'cancelled' GROUP BY event_id ORDER BY event_id`;

/** Of the triggers on the registrations: each operation has the rows of its own transition tables, and how the figures change by them. */
const OPERATIONS = [
  ['insert', 'NEW TABLE AS new_rows', counted('new_rows')],
  [
    'update',
    'OLD TABLE AS old_rows NEW TABLE AS new_rows',
    `SELECT event_id, sum(seat) AS seats, sum(wait) AS waits FROM (
       SELECT event_id, (status = 'registered')::integer AS seat, (status = 'waitlisted')::integer AS wait FROM new_rows
       UNION ALL
       SELECT event_id, -(status = 'registered')::integer, -(status = 'waitlisted')::integer FROM old_rows
     ) AS rows GROUP BY event_id HAVING sum(seat) <> 0 OR sum(wait) <> 0 ORDER BY event_id`,
  ],
  ['delete', 'OLD TABLE AS old_rows', counted('old_rows', '-')],
] as const;

/**
 * The states of an event (draft, published, cancelled; public or unlisted), the time in which one can register, and the waiting list.
 *
 * A place that becomes free is given in the same transaction to the first who waits, whoever freed it: the triggers on registrations and
 * on events do it. Whatever changes a waiting row locks the row of its event first, so that no two transactions wait for each other.
 */
export class EventLife1795357000000 implements MigrationInterface {
  name = 'EventLife1795357000000';

  async up(runner: QueryRunner): Promise<void> {
    // constant defaults: no row is rewritten, and replicas of the previous version go on inserting
    await runner.query(`
      ALTER TABLE events.events
        ADD COLUMN status text NOT NULL DEFAULT 'published',
        ADD COLUMN visibility text NOT NULL DEFAULT 'public',
        ADD COLUMN publish_at timestamptz(3),
        ADD COLUMN registration_opens_at timestamptz(3),
        ADD COLUMN registration_closes_at timestamptz(3),
        ADD COLUMN waitlist_enabled boolean NOT NULL DEFAULT true,
        ADD COLUMN waiting_count integer NOT NULL DEFAULT 0,
        ADD COLUMN cancelled_at timestamptz(3),
        ADD COLUMN cancel_reason text,
        ADD COLUMN series_id uuid,
        ADD CONSTRAINT events_status_check CHECK (status IN ('draft', 'published', 'cancelled')),
        ADD CONSTRAINT events_visibility_check CHECK (visibility IN ('public', 'unlisted')),
        ADD CONSTRAINT events_publish_at_check CHECK (publish_at IS NULL OR status = 'draft'),
        ADD CONSTRAINT events_registration_window_check CHECK (registration_opens_at < registration_closes_at),
        ADD CONSTRAINT events_moments_finite_check
          CHECK (isfinite(publish_at) AND isfinite(registration_opens_at) AND isfinite(registration_closes_at)),
        ADD CONSTRAINT events_waiting_count_check CHECK (waiting_count >= 0),
        ADD CONSTRAINT events_cancelled_check CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
        ADD CONSTRAINT events_cancel_reason_check
          CHECK (cancel_reason IS NULL OR (char_length(cancel_reason) BETWEEN 1 AND 500 AND status = 'cancelled'))`);
    // an unlisted event was never in the public calendar, and is not there once it is deleted
    await runner.query('ALTER TABLE events.deleted_events ADD COLUMN listed boolean NOT NULL DEFAULT true');
    await runner.query(
      'CREATE INDEX events_series_id_idx ON events.events (series_id) WHERE series_id IS NOT NULL',
    );
    await runner.query(
      "CREATE INDEX events_publish_at_idx ON events.events (publish_at) WHERE status = 'draft'",
    );
    const columns = [
      'status',
      'visibility',
      'publish_at',
      'registration_opens_at',
      'registration_closes_at',
      'waitlist_enabled',
      'cancelled_at',
      'cancel_reason',
      'series_id',
    ].join(', ');
    await runner.query(`GRANT INSERT (${columns}), UPDATE (${columns}) ON events.events TO meetmark_events`);
    await this.forwardOnly(runner);
    await runner.query(`
      CREATE TABLE events.event_previews (
        event_id uuid CONSTRAINT event_previews_pkey PRIMARY KEY,
        token_hash bytea NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT event_previews_token_hash_key UNIQUE (token_hash),
        CONSTRAINT event_previews_token_hash_check CHECK (octet_length(token_hash) = 32),
        CONSTRAINT event_previews_event_id_fkey FOREIGN KEY (event_id) REFERENCES events.events (id) ON DELETE CASCADE
      )`);
    await runner.query(
      'GRANT SELECT, INSERT, UPDATE (token_hash, created_at), DELETE ON events.event_previews TO meetmark_events',
    );
    await this.publishing(runner);
    await this.waitingList(runner);
    await this.rememberEdits(runner, EDITED);
  }

  /** draft, published, cancelled: nothing goes back. */
  private async forwardOnly(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION events.refuse_status_backwards() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'an event that is % does not become %', OLD.status, NEW.status
          USING ERRCODE = 'check_violation', SCHEMA = 'events', TABLE = 'events', CONSTRAINT = 'events_status_forward_check';
      END $$`);
    await runner.query(`
      CREATE TRIGGER events_status_forward BEFORE UPDATE OF status ON events.events FOR EACH ROW
      WHEN (NEW.status <> OLD.status AND (OLD.status, NEW.status) NOT IN (('draft', 'published'), ('published', 'cancelled')))
      EXECUTE FUNCTION events.refuse_status_backwards()`);
  }

  /** The worker's only right to change events: to publish the drafts whose moment has come, in the name of whoever set it. */
  private async publishing(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION events.publish_due() RETURNS integer LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      DECLARE
        published integer;
      BEGIN
        WITH due AS (
          SELECT id, created_by_id FROM events.events WHERE status = 'draft' AND publish_at <= now()
          ORDER BY id FOR NO KEY UPDATE SKIP LOCKED
        ), changed AS (
          UPDATE events.events AS event SET status = 'published', publish_at = NULL, updated_at = now()
          FROM due WHERE event.id = due.id RETURNING event.id, event.title, due.created_by_id
        ), audited AS (
          INSERT INTO events.outbox (id, job, payload)
          SELECT gen_random_uuid(), 'audit.record', jsonb_build_object('action', 'event.published',
            'actorId', coalesce((
              SELECT editor_id FROM events.event_edits
              WHERE event_id = changed.id AND 'publishAt' = ANY (event_edits.changed) AND editor_id IS NOT NULL
              ORDER BY version DESC LIMIT 1), created_by_id),
            'subjectId', id, 'subjectName', title, 'changed', '[]'::jsonb,
            'at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          FROM changed RETURNING id
        )
        SELECT count(*) INTO published FROM audited;
        IF published > 0 THEN
          PERFORM pg_notify('outbox', 'events');
        END IF;
        RETURN published;
      END $$`);
    await runner.query('REVOKE EXECUTE ON FUNCTION events.publish_due FROM PUBLIC');
    await runner.query('GRANT EXECUTE ON FUNCTION events.publish_due TO meetmark_worker');
  }

  private async waitingList(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE events.event_registrations DROP CONSTRAINT event_registrations_status_check',
    );
    await runner.query(`
      ALTER TABLE events.event_registrations ADD CONSTRAINT event_registrations_status_check
      CHECK (status IN ('registered', 'cancelled', 'waitlisted'))`);
    // of a waiting row registered_at is when it joined
    await runner.query(`
      CREATE INDEX event_registrations_waiting_idx ON events.event_registrations (event_id, registered_at, id)
      WHERE status = 'waitlisted'`);
    // Gives free places to the first who wait, while one can register. The caller's transaction has freed the places or commits neither.
    await runner.query(`
      CREATE FUNCTION events.promote_waiting(promoted_event uuid) RETURNS integer
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      DECLARE
        free integer;
        promoted integer;
      BEGIN
        SELECT least(waiting_count, coalesce(capacity - registration_count, waiting_count)) INTO free
        FROM events.events
        WHERE id = promoted_event AND waiting_count > 0 AND status = 'published' AND start_date > now()
          AND (registration_closes_at > now()) IS NOT FALSE
        FOR NO KEY UPDATE;
        IF free IS NULL OR free <= 0 THEN
          RETURN 0;
        END IF;
        WITH first AS (
          SELECT id FROM events.event_registrations WHERE event_id = promoted_event AND status = 'waitlisted'
          ORDER BY registered_at, id LIMIT free FOR UPDATE
        ), placed AS (
          UPDATE events.event_registrations AS registration
          SET status = 'registered', registered_at = now(), entry_revision = entry_revision + 1
          FROM first WHERE registration.id = first.id RETURNING registration.id, registration.registered_at
        ), mails AS (
          INSERT INTO events.outbox (id, job, payload)
          SELECT gen_random_uuid(), 'mail.promoted', jsonb_build_object('registrationId', id, 'registeredAt',
            to_char(registered_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          FROM placed
        ), roll_up AS (
          INSERT INTO events.outbox (id, job, payload, available_at)
          SELECT gen_random_uuid(), 'activity.rollUp', '{}', now() + interval '5 s'
          WHERE NOT EXISTS (
            SELECT FROM events.outbox WHERE job = 'activity.rollUp' AND done_at IS NULL AND relayed_at IS NULL
              AND available_at > now() + interval '3 s')
        )
        SELECT count(*) INTO promoted FROM placed;
        PERFORM pg_notify('outbox', 'events');
        RETURN promoted;
      END $$`);
    await runner.query('REVOKE EXECUTE ON FUNCTION events.promote_waiting FROM PUBLIC');
    await this.countBy(runner, true);
    await runner.query(`
      CREATE FUNCTION events.promote_after_edit() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        PERFORM events.promote_waiting(NEW.id);
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER events_promote_waiting
      AFTER UPDATE OF capacity, start_date, registration_closes_at, status ON events.events
      FOR EACH ROW WHEN (NEW.waiting_count > 0) EXECUTE FUNCTION events.promote_after_edit()`);
    // The cascade of a deleted account changes waiting rows: like everybody it locks the events first, in the order of their ids.
    await runner.query(`
      CREATE FUNCTION events.lock_events_of_user() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        PERFORM FROM events.events WHERE id IN (
          SELECT event_id FROM events.event_registrations WHERE user_id = OLD.id AND status <> 'cancelled')
        ORDER BY id FOR NO KEY UPDATE;
        RETURN OLD;
      END $$`);
    await runner.query(`
      CREATE TRIGGER users_lock_events BEFORE DELETE ON auth.users
      FOR EACH ROW EXECUTE FUNCTION events.lock_events_of_user()`);
    await this.limitUnverified(runner, "IN ('registered', 'waitlisted')");
    // For who locks an event's row before a registration is inserted: what the triggers lock of the member then comes first.
    await runner.query(`
      CREATE FUNCTION events.lock_member(member uuid) RETURNS void
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        IF EXISTS (SELECT FROM auth.users WHERE id = member AND email_verified_at IS NULL FOR KEY SHARE) THEN
          PERFORM pg_advisory_xact_lock(hashtextextended('events.unverified ' || member, 0));
        END IF;
      END $$`);
    // When somebody joins, for who has locked the event's row: later than all who wait, whatever clocks say and columns round to.
    await runner.query(`
      CREATE FUNCTION events.moment_to_join(joined_event uuid) RETURNS timestamptz
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        RETURN (
          SELECT greatest(clock_timestamp(), max(registered_at) + interval '1 ms') FROM events.event_registrations
          WHERE event_id = joined_event AND status = 'waitlisted');
      END $$`);
    for (const name of ['lock_member', 'moment_to_join']) {
      await runner.query(`REVOKE EXECUTE ON FUNCTION events.${name} FROM PUBLIC`);
      await runner.query(`GRANT EXECUTE ON FUNCTION events.${name} TO meetmark_events`);
    }
  }

  /** The trigger on the registrations, by operation: with the waiting list, or as before it. */
  private async countBy(runner: QueryRunner, waiting: boolean): Promise<void> {
    for (const [operation, tables, changes] of OPERATIONS) {
      const name = waiting ? `count_registrations_${operation}` : 'count_registrations';
      await runner.query(`DROP TRIGGER event_registrations_count_${operation} ON events.event_registrations`);
      if (waiting)
        await runner.query(`
          CREATE FUNCTION events.${name}() RETURNS trigger
          LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$ ${COUNTS.replace('$changes', changes)} $$`);
      await runner.query(`
        CREATE TRIGGER event_registrations_count_${operation}
        AFTER ${operation} ON events.event_registrations REFERENCING ${tables}
        FOR EACH STATEMENT EXECUTE FUNCTION events.${name}()`);
    }
  }

  /** A place that is waited for counts like a place, so that a promotion never fails on it. */
  private async limitUnverified(runner: QueryRunner, held: string): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION events.limit_unverified_member() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      DECLARE
        at_most integer := coalesce(nullif(current_setting('meetmark.unverified_places', true), '')::integer, 5);
      BEGIN
        IF EXISTS (SELECT FROM auth.users WHERE id = NEW.user_id AND email_verified_at IS NULL) THEN
          PERFORM pg_advisory_xact_lock(hashtextextended('events.unverified ' || NEW.user_id, 0));
          IF (SELECT count(*) FROM events.event_registrations r JOIN events.events e ON e.id = r.event_id
              WHERE r.user_id = NEW.user_id AND r.status ${held} AND e.start_date > now()) > at_most THEN
            RAISE EXCEPTION 'too many places of a member whose address is not verified'
              USING ERRCODE = 'check_violation', SCHEMA = 'events', TABLE = 'event_registrations',
                CONSTRAINT = 'event_registrations_unverified_check';
          END IF;
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query('DROP TRIGGER event_registrations_unverified_insert ON events.event_registrations');
    await runner.query('DROP TRIGGER event_registrations_unverified_update ON events.event_registrations');
    await runner.query(`
      CREATE TRIGGER event_registrations_unverified_insert AFTER INSERT ON events.event_registrations
      FOR EACH ROW WHEN (NEW.status ${held}) EXECUTE FUNCTION events.limit_unverified_member()`);
    await runner.query(`
      CREATE TRIGGER event_registrations_unverified_update AFTER UPDATE OF status ON events.event_registrations
      FOR EACH ROW WHEN (NEW.status ${held} AND NOT OLD.status ${held})
      EXECUTE FUNCTION events.limit_unverified_member()`);
  }

  /** The triggers of the version and of the edits, made anew for these columns. */
  private async rememberEdits(runner: QueryRunner, edited: Record<string, string>): Promise<void> {
    const columns = Object.keys(edited);
    const row = (name: string) => `ROW (${columns.map((column) => `${name}.${column}`).join(', ')})`;
    const changed = Object.entries(edited).map(
      ([column, name]) => `CASE WHEN OLD.${column} IS DISTINCT FROM NEW.${column} THEN '${name}' END`,
    );
    await runner.query('DROP TRIGGER events_keep_edit ON events.events');
    await runner.query('DROP TRIGGER events_raise_version ON events.events');
    await runner.query(`
      CREATE OR REPLACE FUNCTION events.keep_event_edit() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        INSERT INTO events.event_edits (event_id, version, editor_id, changed)
        VALUES (NEW.id, NEW.version, nullif(current_setting('meetmark.editor', true), '')::uuid,
          array_remove(ARRAY[${changed.join(', ')}], NULL));
        RETURN NULL;
      END $$`);
    const when = `OF ${columns.join(', ')} ON events.events FOR EACH ROW WHEN (${row('OLD')} IS DISTINCT FROM ${row('NEW')})`;
    await runner.query(
      `CREATE TRIGGER events_raise_version BEFORE UPDATE ${when} EXECUTE FUNCTION events.raise_event_version()`,
    );
    await runner.query(
      `CREATE TRIGGER events_keep_edit AFTER UPDATE ${when} EXECUTE FUNCTION events.keep_event_edit()`,
    );
  }

  /** Drafts would become visible and people who wait would be lost: it goes back only while there are none. */
  async down(runner: QueryRunner): Promise<void> {
    await this.rememberEdits(runner, BEFORE);
    await this.limitUnverified(runner, "= 'registered'");
    await runner.query('DROP TRIGGER users_lock_events ON auth.users');
    await runner.query('DROP FUNCTION events.lock_events_of_user');
    await runner.query('DROP TRIGGER events_promote_waiting ON events.events');
    await runner.query('DROP FUNCTION events.promote_after_edit');
    await this.countBy(runner, false);
    for (const [operation] of OPERATIONS)
      await runner.query(`DROP FUNCTION events.count_registrations_${operation}`);
    for (const name of ['promote_waiting', 'lock_member', 'moment_to_join'])
      await runner.query(`DROP FUNCTION events.${name}`);
    await runner.query('DROP INDEX events.event_registrations_waiting_idx');
    await runner.query(
      'ALTER TABLE events.event_registrations DROP CONSTRAINT event_registrations_status_check',
    );
    await runner.query(`
      ALTER TABLE events.event_registrations ADD CONSTRAINT event_registrations_status_check
      CHECK (status IN ('registered', 'cancelled'))`);
    await runner.query('DROP FUNCTION events.publish_due');
    await runner.query('ALTER TABLE events.deleted_events DROP COLUMN listed');
    await runner.query('DROP TABLE events.event_previews');
    await runner.query('DROP TRIGGER events_status_forward ON events.events');
    await runner.query('DROP FUNCTION events.refuse_status_backwards');
    await runner.query(`
      ALTER TABLE events.events
        ADD CONSTRAINT events_only_published_check CHECK (status = 'published' AND visibility = 'public')`);
    await runner.query(`
      ALTER TABLE events.events
        DROP CONSTRAINT events_only_published_check,
        DROP COLUMN status, DROP COLUMN visibility, DROP COLUMN publish_at, DROP COLUMN registration_opens_at,
        DROP COLUMN registration_closes_at, DROP COLUMN waitlist_enabled, DROP COLUMN waiting_count,
        DROP COLUMN cancelled_at, DROP COLUMN cancel_reason, DROP COLUMN series_id`);
  }
}
