import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The right to send a message is asked again when its time has come. Ten phones at one door are many: so are links that work. */
export class LateChecks1795385000000 implements MigrationInterface {
  name = 'LateChecks1795385000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'GRANT EXECUTE ON FUNCTION events.management_refusal(uuid, uuid, boolean) TO meetmark_worker',
    );
    // counted in a statement of its own after the lock: its snapshot then shows what others have committed
    await runner.query(`
      CREATE FUNCTION events.limit_door_links() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended('events.door_links ' || NEW.event_id, 0));
        IF (SELECT count(*) FROM events.door_links WHERE event_id = NEW.event_id AND revoked_at IS NULL) >= 20 THEN
          RAISE EXCEPTION 'twenty door links of the event work'
            USING ERRCODE = 'check_violation', SCHEMA = 'events', TABLE = 'door_links', CONSTRAINT = 'door_links_limit';
        END IF;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER door_links_limit BEFORE INSERT ON events.door_links
      FOR EACH ROW EXECUTE FUNCTION events.limit_door_links()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER door_links_limit ON events.door_links');
    await runner.query('DROP FUNCTION events.limit_door_links');
    await runner.query(
      'REVOKE EXECUTE ON FUNCTION events.management_refusal(uuid, uuid, boolean) FROM meetmark_worker',
    );
  }
}
