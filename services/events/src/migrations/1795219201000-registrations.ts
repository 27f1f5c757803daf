import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Registrations1795219201000 implements MigrationInterface {
  name = 'Registrations1795219201000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE events.event_registrations (
        id uuid CONSTRAINT event_registrations_pkey PRIMARY KEY,
        event_id uuid NOT NULL,
        user_id uuid NOT NULL,
        selected_date timestamptz(3),
        registered_at timestamptz(3) NOT NULL DEFAULT now(),
        status text NOT NULL DEFAULT 'registered',
        CONSTRAINT event_registrations_event_id_user_id_key UNIQUE (event_id, user_id),
        CONSTRAINT event_registrations_status_check CHECK (status IN ('registered', 'cancelled')),
        CONSTRAINT event_registrations_event_id_fkey
          FOREIGN KEY (event_id) REFERENCES events.events (id) ON DELETE CASCADE,
        CONSTRAINT event_registrations_user_id_fkey
          FOREIGN KEY (user_id) REFERENCES auth.users (id) ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE INDEX event_registrations_user_id_idx ON events.event_registrations (user_id, event_id)',
    );
    await runner.query(
      'CREATE INDEX event_registrations_registered_at_idx ON events.event_registrations (event_id, registered_at, id)',
    );
    await runner.query(`
      CREATE INDEX event_registrations_activity_idx ON events.event_registrations (registered_at)
      WHERE status = 'registered'`);
    await this.keepCount(runner);
    await runner.query(`
      GRANT SELECT, INSERT, DELETE, UPDATE (selected_date, registered_at, status)
      ON events.event_registrations TO meetmark_events`);
    await runner.query('GRANT SELECT ON events.event_registrations TO meetmark_worker');
  }

  /**
   * events.registration_count follows every change of the registrations, those of foreign-key cascades included; with
   * events_within_capacity_check it is what makes overbooking impossible. It runs as the owner, because the service itself
   * must not write the count, and after the statement, so that the event's row is locked last and for the shortest time.
   * Rows are locked in the order of their ids: two deleted members who shared events cannot wait for each other.
   */
  private async keepCount(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION events.count_registrations() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      DECLARE
        change record;
      BEGIN
        IF TG_OP = 'INSERT' THEN
          FOR change IN
            SELECT event_id, count(*) AS seats FROM new_rows WHERE status = 'registered' GROUP BY event_id ORDER BY event_id
          LOOP
            UPDATE events.events SET registration_count = registration_count + change.seats WHERE id = change.event_id;
          END LOOP;
        ELSIF TG_OP = 'DELETE' THEN
          FOR change IN
            SELECT event_id, count(*) AS seats FROM old_rows WHERE status = 'registered' GROUP BY event_id ORDER BY event_id
          LOOP
            UPDATE events.events SET registration_count = registration_count - change.seats WHERE id = change.event_id;
          END LOOP;
        ELSE
          FOR change IN
            SELECT event_id, sum(seat) AS seats FROM (
              SELECT event_id, 1 AS seat FROM new_rows WHERE status = 'registered'
              UNION ALL
              SELECT event_id, -1 FROM old_rows WHERE status = 'registered'
            ) AS seats GROUP BY event_id HAVING sum(seat) <> 0 ORDER BY event_id
          LOOP
            UPDATE events.events SET registration_count = registration_count + change.seats WHERE id = change.event_id;
          END LOOP;
        END IF;
        RETURN NULL;
      END $$`);
    for (const [operation, rows] of [
      ['INSERT', 'NEW TABLE AS new_rows'],
      ['UPDATE', 'OLD TABLE AS old_rows NEW TABLE AS new_rows'],
      ['DELETE', 'OLD TABLE AS old_rows'],
    ] as const) {
      await runner.query(`
        CREATE TRIGGER event_registrations_count_${operation.toLowerCase()}
        AFTER ${operation} ON events.event_registrations REFERENCING ${rows}
        FOR EACH STATEMENT EXECUTE FUNCTION events.count_registrations()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE events.event_registrations');
    await runner.query('DROP FUNCTION events.count_registrations');
  }
}
