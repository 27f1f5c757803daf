import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What goes to many: announcements of events, one for each event ever, and the weekly digest, one for each Monday ever. The rows are the
 * promise; the jobs follow from them.
 */
export class Announcements1795391000000 implements MigrationInterface {
  name = 'Announcements1795391000000';

  async up(runner: QueryRunner): Promise<void> {
    await this.published(runner);
    // wished for while the event is a draft; released, and kept for good, with its publication
    await runner.query(`
      CREATE TABLE events.announcements (
        event_id uuid CONSTRAINT announcements_pkey PRIMARY KEY,
        released_at timestamptz(3),
        started_at timestamptz(3),
        recipients integer NOT NULL DEFAULT 0,
        CONSTRAINT announcements_event_id_fkey FOREIGN KEY (event_id) REFERENCES events.events (id) ON DELETE CASCADE,
        CONSTRAINT announcements_started_check CHECK (started_at IS NULL OR released_at IS NOT NULL)
      )`);
    await runner.query('GRANT SELECT, INSERT (event_id) ON events.announcements TO meetmark_events');
    await runner.query(
      'GRANT SELECT, UPDATE (started_at, recipients) ON events.announcements TO meetmark_worker',
    );
    await runner.query(`
      CREATE FUNCTION events.take_back_announcement(event uuid) RETURNS void
      LANGUAGE sql SECURITY DEFINER SET search_path = '' AS $$
        DELETE FROM events.announcements WHERE event_id = event AND released_at IS NULL
      $$`);
    await runner.query('REVOKE EXECUTE ON FUNCTION events.take_back_announcement FROM PUBLIC');
    await runner.query('GRANT EXECUTE ON FUNCTION events.take_back_announcement TO meetmark_events');
    await runner.query(`
      CREATE FUNCTION events.release_announcement(event uuid) RETURNS void
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        UPDATE events.announcements SET released_at = now()
        WHERE event_id = event AND released_at IS NULL AND EXISTS (
          SELECT FROM events.events WHERE id = event AND status = 'published' AND visibility = 'public');
        IF FOUND THEN
          INSERT INTO events.outbox (id, job, payload)
          VALUES (gen_random_uuid(), 'announcements.send', jsonb_build_object('eventId', event));
          PERFORM pg_notify('outbox', 'events');
        END IF;
      END $$`);
    await runner.query('REVOKE EXECUTE ON FUNCTION events.release_announcement FROM PUBLIC');
    for (const [name, id] of [
      ['release_announcement_of_new', 'NEW.event_id'],
      ['release_announcement_of_published', 'NEW.id'],
    ])
      await runner.query(`
        CREATE FUNCTION events.${name}() RETURNS trigger
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
        BEGIN
          PERFORM events.release_announcement(${id});
          RETURN NULL;
        END $$`);
    await runner.query(`
      CREATE TRIGGER announcements_release AFTER INSERT ON events.announcements
      FOR EACH ROW EXECUTE FUNCTION events.release_announcement_of_new()`);
    await runner.query(`
      CREATE TRIGGER events_release_announcement AFTER UPDATE OF status ON events.events
      FOR EACH ROW WHEN (OLD.status = 'draft' AND NEW.status = 'published')
      EXECUTE FUNCTION events.release_announcement_of_published()`);
    await runner.query(`
      CREATE TABLE events.digests (
        week date CONSTRAINT digests_pkey PRIMARY KEY,
        since timestamptz(3) NOT NULL,
        until timestamptz(3) NOT NULL,
        recipients integer NOT NULL DEFAULT 0,
        CONSTRAINT digests_week_check CHECK (extract(isodow FROM week) = 1),
        CONSTRAINT digests_span_check CHECK (since < until)
      )`);
    await runner.query(
      'GRANT SELECT, INSERT (week, since, until), UPDATE (recipients) ON events.digests TO meetmark_worker',
    );
  }

  /** When an event was published: drafts are entered long before. */
  private async published(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events.events ADD COLUMN published_at timestamptz(3)');
    await runner.query(`UPDATE events.events SET published_at = created_at WHERE status <> 'draft'`);
    await runner.query(`
      CREATE FUNCTION events.keep_published_at() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.published_at := CASE TG_OP WHEN 'INSERT' THEN NEW.created_at ELSE now() END;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER events_published_insert BEFORE INSERT ON events.events
      FOR EACH ROW WHEN (NEW.status <> 'draft') EXECUTE FUNCTION events.keep_published_at()`);
    await runner.query(`
      CREATE TRIGGER events_published_update BEFORE UPDATE OF status ON events.events
      FOR EACH ROW WHEN (OLD.status = 'draft' AND NEW.status <> 'draft') EXECUTE FUNCTION events.keep_published_at()`);
    await runner.query(`
      CREATE INDEX events_published_at_idx ON events.events (published_at) WHERE status = 'published'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE events.digests');
    await runner.query('DROP TRIGGER events_release_announcement ON events.events');
    await runner.query('DROP TABLE events.announcements');
    for (const name of [
      'release_announcement_of_new',
      'release_announcement_of_published',
      'release_announcement',
      'take_back_announcement',
    ])
      await runner.query(`DROP FUNCTION events.${name}`);
    await runner.query('DROP TRIGGER events_published_insert ON events.events');
    await runner.query('DROP TRIGGER events_published_update ON events.events');
    await runner.query('DROP FUNCTION events.keep_published_at');
    await runner.query('ALTER TABLE events.events DROP COLUMN published_at');
  }
}
