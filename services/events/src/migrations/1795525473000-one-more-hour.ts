import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/**
 * An unproved place that is given up and taken again shortly before its moment is kept for one more hour. Whoever did that every hour would
 * keep it for good: a place that was taken for no more than an hour keeps its moment.
 */
export class OneMoreHour1795525473000 implements Migration {
  name = 'OneMoreHour1795525473000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION events.keep_moment_of_place() RETURNS trigger
      LANGUAGE plpgsql SET search_path = '' AS $$
      BEGIN
        NEW.lapses_at := least(NEW.lapses_at, OLD.lapses_at);
        RETURN NEW;
      END $$`);
    // by name after event_registrations_hold_place, which enters the moment, and before event_registrations_note_ending: an organiser who
    // gives the place back clears ended_as
    await runner.query(`
      CREATE TRIGGER event_registrations_hold_place_once BEFORE UPDATE OF status ON events.event_registrations
      FOR EACH ROW WHEN (OLD.status = 'cancelled' AND NEW.status = 'registered' AND NEW.unproved AND NEW.ended_as IS NOT NULL
        AND OLD.lapses_at <= OLD.registered_at + interval '1 hour')
      EXECUTE FUNCTION events.keep_moment_of_place()`);
  }
}
