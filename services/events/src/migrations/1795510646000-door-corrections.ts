import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/**
 * A link of the door names twenty addresses a day, as each gets a mail. Who manages the event says who came; walk-ins that a phone sends once
 * its link has ended are kept with what was typed.
 */
export class DoorCorrections1795510646000 implements Migration {
  name = 'DoorCorrections1795510646000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events.check_ins
        ADD COLUMN mailed_at timestamptz(3),
        ADD COLUMN by_organiser boolean NOT NULL DEFAULT false,
        ADD CONSTRAINT check_ins_by_organiser_check CHECK (NOT (by_organiser AND link_id IS NOT NULL))`);
    await runner.query(
      'CREATE INDEX check_ins_mailed_at_idx ON events.check_ins (link_id, mailed_at) WHERE mailed_at IS NOT NULL',
    );
    // counted in a statement of its own after the lock: its snapshot then shows what others have committed
    await runner.query(`
      CREATE FUNCTION events.limit_door_mails() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended('events.door_mails ' || NEW.link_id, 0));
        IF (SELECT count(*) FROM events.check_ins
            WHERE link_id = NEW.link_id AND mailed_at > now() - interval '24 hours') >= 20 THEN
          RAISE EXCEPTION 'the door link has named twenty addresses within a day'
            USING ERRCODE = 'check_violation', SCHEMA = 'events', TABLE = 'check_ins', CONSTRAINT = 'door_mails_limit';
        END IF;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER check_ins_limit_mails BEFORE INSERT ON events.check_ins
      FOR EACH ROW WHEN (NEW.mailed_at IS NOT NULL) EXECUTE FUNCTION events.limit_door_mails()`);
    await runner.query(`
      ALTER TABLE events.event_registrations
        DROP CONSTRAINT event_registrations_checked_in_check,
        ADD CONSTRAINT event_registrations_checked_in_check CHECK ((checked_in_at IS NULL) = (checked_in_by IS NULL)
          AND checked_in_by IN ('door', 'self', 'organiser'))`);
    await runner.query(`
      CREATE OR REPLACE FUNCTION events.follow_check_in() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        UPDATE events.event_registrations SET (checked_in_at, checked_in_by) = (
          SELECT at, CASE WHEN link_id IS NOT NULL THEN 'door' WHEN by_organiser THEN 'organiser' ELSE 'self' END FROM events.check_ins
          WHERE registration_id = NEW.registration_id AND undone_at IS NULL ORDER BY at, key LIMIT 1)
        WHERE id = NEW.registration_id;
        RETURN NULL;
      END $$`);
    await runner.query(`
      ALTER TABLE events.door_refusals
        ADD COLUMN guest_name text,
        ADD COLUMN guest_email text,
        ADD CONSTRAINT door_refusals_guest_name_check CHECK (char_length(guest_name) BETWEEN 1 AND 100),
        ADD CONSTRAINT door_refusals_guest_email_check
          CHECK (guest_email IS NULL OR guest_name IS NOT NULL AND char_length(guest_email) <= 255)`);
  }
}
