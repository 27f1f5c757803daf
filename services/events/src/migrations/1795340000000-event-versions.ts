import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Column to the name that the API has for it: what a form edits. */
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
};

/**
 * The version of an event is raised by every change of what a form edits, by any writer, and each change is remembered with its
 * author: a save that began from an older version is refused with that name. 'meetmark.editor' is the user in whose name a transaction
 * changes; a registration changes no version.
 */
export class EventVersions1795340000000 implements MigrationInterface {
  name = 'EventVersions1795340000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE events.events ADD COLUMN version integer NOT NULL DEFAULT 1');
    await runner.query(`
      CREATE TABLE events.event_edits (
        event_id uuid NOT NULL,
        version integer NOT NULL,
        editor_id uuid,
        changed text[] NOT NULL,
        edited_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT event_edits_pkey PRIMARY KEY (event_id, version),
        CONSTRAINT event_edits_event_id_fkey FOREIGN KEY (event_id) REFERENCES events.events (id) ON DELETE CASCADE,
        CONSTRAINT event_edits_editor_id_fkey FOREIGN KEY (editor_id) REFERENCES auth.users (id) ON DELETE SET NULL
      )`);
    await runner.query('CREATE INDEX event_edits_editor_id_idx ON events.event_edits (editor_id)');
    await runner.query('CREATE INDEX event_edits_edited_at_idx ON events.event_edits (edited_at)');
    const columns = Object.keys(EDITED);
    const row = (name: string) => `ROW (${columns.map((column) => `${name}.${column}`).join(', ')})`;
    await runner.query(`
      CREATE FUNCTION events.raise_event_version() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.version := OLD.version + 1;
        RETURN NEW;
      END $$`);
    const changed = Object.entries(EDITED).map(
      ([column, name]) => `CASE WHEN OLD.${column} IS DISTINCT FROM NEW.${column} THEN '${name}' END`,
    );
    await runner.query(`
      CREATE FUNCTION events.keep_event_edit() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        INSERT INTO events.event_edits (event_id, version, editor_id, changed)
        VALUES (NEW.id, NEW.version, nullif(current_setting('meetmark.editor', true), '')::uuid,
          array_remove(ARRAY[${changed.join(', ')}], NULL));
        RETURN NULL;
      END $$`);
    // named columns: a registration, which updates the count, does not even come to the comparison
    const when = `OF ${columns.join(', ')} ON events.events FOR EACH ROW WHEN (${row('OLD')} IS DISTINCT FROM ${row('NEW')})`;
    await runner.query(
      `CREATE TRIGGER events_raise_version BEFORE UPDATE ${when} EXECUTE FUNCTION events.raise_event_version()`,
    );
    await runner.query(
      `CREATE TRIGGER events_keep_edit AFTER UPDATE ${when} EXECUTE FUNCTION events.keep_event_edit()`,
    );
    await runner.query('GRANT SELECT ON events.event_edits TO meetmark_events');
    await runner.query(
      'GRANT SELECT (event_id, version, edited_at), DELETE ON events.event_edits TO meetmark_worker',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER events_keep_edit ON events.events');
    await runner.query('DROP TRIGGER events_raise_version ON events.events');
    await runner.query('DROP FUNCTION events.keep_event_edit');
    await runner.query('DROP FUNCTION events.raise_event_version');
    await runner.query('DROP TABLE events.event_edits');
    await runner.query('ALTER TABLE events.events DROP COLUMN version');
  }
}
