import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The door of an event. Phones know a link, of which only the hash is stored. Each check-in is a row under a key that its phone made, so
 * that it counts once however often it is sent; when somebody came is the earliest that was not taken back.
 */
export class Door1795382000000 implements MigrationInterface {
  name = 'Door1795382000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE events.door_links (
        id uuid CONSTRAINT door_links_pkey PRIMARY KEY,
        event_id uuid NOT NULL,
        token_hash bytea NOT NULL,
        created_by_id uuid,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        revoked_at timestamptz(3),
        CONSTRAINT door_links_token_hash_key UNIQUE (token_hash),
        CONSTRAINT door_links_token_hash_check CHECK (octet_length(token_hash) = 32),
        CONSTRAINT door_links_event_id_fkey FOREIGN KEY (event_id) REFERENCES events.events (id) ON DELETE CASCADE,
        CONSTRAINT door_links_created_by_id_fkey FOREIGN KEY (created_by_id) REFERENCES auth.users (id) ON DELETE SET NULL
      )`);
    await runner.query('CREATE INDEX door_links_event_id_idx ON events.door_links (event_id)');
    await runner.query('CREATE INDEX door_links_created_by_id_idx ON events.door_links (created_by_id)');
    await runner.query('GRANT SELECT, INSERT, UPDATE (revoked_at) ON events.door_links TO meetmark_events');
    await runner.query(`
      CREATE TABLE events.check_ins (
        event_id uuid NOT NULL,
        key uuid NOT NULL,
        registration_id uuid NOT NULL,
        link_id uuid,
        at timestamptz(3) NOT NULL,
        undone_at timestamptz(3),
        CONSTRAINT check_ins_pkey PRIMARY KEY (event_id, key),
        CONSTRAINT check_ins_registration_id_fkey
          FOREIGN KEY (registration_id) REFERENCES events.event_registrations (id) ON DELETE CASCADE,
        CONSTRAINT check_ins_link_id_fkey FOREIGN KEY (link_id) REFERENCES events.door_links (id) ON DELETE SET NULL
      )`);
    await runner.query(
      'CREATE INDEX check_ins_registration_id_idx ON events.check_ins (registration_id, at)',
    );
    await runner.query('CREATE INDEX check_ins_link_id_idx ON events.check_ins (link_id)');
    await runner.query('GRANT SELECT, INSERT, UPDATE (undone_at) ON events.check_ins TO meetmark_events');
    await this.followCheckIns(runner);
    await runner.query(`
      CREATE TABLE events.door_refusals (
        link_id uuid NOT NULL,
        key uuid NOT NULL,
        registration_id uuid,
        at timestamptz(3) NOT NULL,
        reason text NOT NULL,
        received_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT door_refusals_pkey PRIMARY KEY (link_id, key),
        CONSTRAINT door_refusals_link_id_fkey FOREIGN KEY (link_id) REFERENCES events.door_links (id) ON DELETE CASCADE,
        CONSTRAINT door_refusals_registration_id_fkey
          FOREIGN KEY (registration_id) REFERENCES events.event_registrations (id) ON DELETE CASCADE,
        CONSTRAINT door_refusals_reason_check CHECK (reason IN ('revoked', 'expired'))
      )`);
    await runner.query(
      'CREATE INDEX door_refusals_registration_id_idx ON events.door_refusals (registration_id)',
    );
    await runner.query('GRANT SELECT, INSERT ON events.door_refusals TO meetmark_events');
  }

  /** The service itself has no right to say when somebody came. */
  private async followCheckIns(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION events.follow_check_in() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        UPDATE events.event_registrations SET (checked_in_at, checked_in_by) = (
          SELECT at, CASE WHEN link_id IS NULL THEN 'self' ELSE 'door' END FROM events.check_ins
          WHERE registration_id = NEW.registration_id AND undone_at IS NULL ORDER BY at, key LIMIT 1)
        WHERE id = NEW.registration_id;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER check_ins_follow AFTER INSERT OR UPDATE OF undone_at ON events.check_ins
      FOR EACH ROW EXECUTE FUNCTION events.follow_check_in()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'UPDATE events.event_registrations SET checked_in_at = NULL, checked_in_by = NULL WHERE checked_in_at IS NOT NULL',
    );
    await runner.query('DROP TABLE events.door_refusals');
    await runner.query('DROP TABLE events.check_ins');
    await runner.query('DROP FUNCTION events.follow_check_in');
    await runner.query('DROP TABLE events.door_links');
  }
}
