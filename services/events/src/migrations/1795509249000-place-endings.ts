import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/**
 * How and when a member's registration ended. Who gives it up says nothing about it, as the version before did: the trigger enters
 * `cancelled`. Of registrations that ended before this version neither is known.
 */
export class PlaceEndings1795509249000 implements Migration {
  name = 'PlaceEndings1795509249000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events.event_registrations
        ADD COLUMN ended_as text,
        ADD COLUMN ended_at timestamptz(3),
        ADD CONSTRAINT event_registrations_ended_check CHECK ((ended_as IS NULL) = (ended_at IS NULL)
          AND (ended_as IS NULL OR (status = 'cancelled' AND ended_as IN ('cancelled', 'removed', 'lapsed'))))`);
    await runner.query('GRANT UPDATE (ended_as) ON events.event_registrations TO meetmark_events');
    await runner.query(`
      CREATE FUNCTION events.note_ending() RETURNS trigger
      LANGUAGE plpgsql SET search_path = '' AS $$
      BEGIN
        IF NEW.status <> 'cancelled' THEN
          NEW.ended_as := NULL;
          NEW.ended_at := NULL;
        ELSIF OLD.status <> 'cancelled' THEN
          NEW.ended_as := coalesce(NEW.ended_as, 'cancelled');
          NEW.ended_at := now();
        END IF;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER event_registrations_note_ending BEFORE UPDATE OF status ON events.event_registrations
      FOR EACH ROW EXECUTE FUNCTION events.note_ending()`);
  }
}
