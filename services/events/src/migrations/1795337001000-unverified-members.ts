import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A member whose address is not verified holds few places: signing up with addresses of others cannot empty the seats. The
 * figure is a setting of the connection, so that tests can widen it; without it the product's own holds.
 */
export class UnverifiedMembers1795337001000 implements MigrationInterface {
  name = 'UnverifiedMembers1795337001000';

  async up(runner: QueryRunner): Promise<void> {
    // Counted in a statement of its own after the lock: its snapshot then shows what the others have committed.
    await runner.query(`
      CREATE FUNCTION events.limit_unverified_member() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      DECLARE
        at_most integer := coalesce(nullif(current_setting('meetmark.unverified_places', true), '')::integer, 5);
      BEGIN
        IF EXISTS (SELECT FROM auth.users WHERE id = NEW.user_id AND email_verified_at IS NULL) THEN
          PERFORM pg_advisory_xact_lock(hashtextextended('events.unverified ' || NEW.user_id, 0));
          IF (SELECT count(*) FROM events.event_registrations r JOIN events.events e ON e.id = r.event_id
              WHERE r.user_id = NEW.user_id AND r.status = 'registered' AND e.start_date > now()) > at_most THEN
            RAISE EXCEPTION 'too many places of a member whose address is not verified'
              USING ERRCODE = 'check_violation', SCHEMA = 'events', TABLE = 'event_registrations',
                CONSTRAINT = 'event_registrations_unverified_check';
          END IF;
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER event_registrations_unverified_insert AFTER INSERT ON events.event_registrations
      FOR EACH ROW WHEN (NEW.status = 'registered') EXECUTE FUNCTION events.limit_unverified_member()`);
    await runner.query(`
      CREATE TRIGGER event_registrations_unverified_update AFTER UPDATE OF status ON events.event_registrations
      FOR EACH ROW WHEN (NEW.status = 'registered' AND OLD.status <> 'registered')
      EXECUTE FUNCTION events.limit_unverified_member()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER event_registrations_unverified_insert ON events.event_registrations');
    await runner.query('DROP TRIGGER event_registrations_unverified_update ON events.event_registrations');
    await runner.query('DROP FUNCTION events.limit_unverified_member');
  }
}
