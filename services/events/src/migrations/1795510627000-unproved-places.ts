import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/** When a place lapses that was taken at a moment; null when the event has started by then, so that nobody could take it any more. */
const LAPSE = `
  CREATE FUNCTION events.lapse_of(taken timestamptz, event_start timestamptz) RETURNS timestamptz
  LANGUAGE sql IMMUTABLE SET search_path = '' AS $$
    SELECT CASE WHEN lapse < event_start THEN lapse END
    FROM (SELECT greatest(taken + interval '1 hour', least(taken + interval '24 hours', event_start - interval '2 hours'))) AS at (lapse)
  $$`;

/**
 * Places of members whose address is not verified, at events with a capacity. Such a place, or the waiting for one, is `unproved`: a place
 * lapses at `lapses_at` unless the address is verified or the member is checked in before, and one network holds few of them
 * (`taken_from`, a keyed hash made for this event alone). A place that is given up keeps its moment: taken again, it gets no other. What was
 * taken before this version stays.
 */
export class UnprovedPlaces1795510627000 implements Migration {
  name = 'UnprovedPlaces1795510627000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events.event_registrations
        ADD COLUMN unproved boolean NOT NULL DEFAULT false,
        ADD COLUMN lapses_at timestamptz(3),
        ADD COLUMN taken_from text,
        ADD CONSTRAINT event_registrations_unproved_check CHECK (unproved
          OR (taken_from IS NULL AND (lapses_at IS NULL OR status = 'cancelled'))),
        ADD CONSTRAINT event_registrations_taken_from_check CHECK (char_length(taken_from) = 22)`);
    await runner.query('GRANT UPDATE (taken_from) ON events.event_registrations TO meetmark_events');
    await runner.query(`
      CREATE INDEX event_registrations_unproved_idx ON events.event_registrations (event_id, taken_from)
      WHERE unproved`);
    await runner.query(LAPSE);
    await this.hold(runner);
    await this.prove(runner);
    await this.lapse(runner);
  }

  /**
   * Enters what a place is when it is taken, and refuses it to who lost one here, and to a network that holds enough. The figure is a
   * setting of the connection, as that of events.limit_unverified_member. Like everybody this locks the member first, then the event's row,
   * then the registration; only an insert locks, because an update has locked the registration already. Who wins against an insert's
   * lock of the member is settled: the address is either seen as verified, or its verification sees the place.
   */
  private async hold(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION events.hold_place() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      DECLARE
        at_most integer := coalesce(nullif(current_setting('meetmark.unproved_places', true), '')::integer, 2);
        begins boolean := TG_OP = 'INSERT' OR OLD.status = 'cancelled';
        event record;
        lapse timestamptz;
      BEGIN
        IF NEW.status = 'cancelled' THEN
          NEW.unproved := false;
          NEW.taken_from := NULL;
          RETURN NEW;
        END IF;
        IF TG_OP = 'INSERT' THEN
          PERFORM FROM auth.users WHERE id = NEW.user_id AND email_verified_at IS NULL FOR SHARE;
          NEW.unproved := FOUND;
        ELSIF begins THEN
          NEW.unproved := EXISTS (SELECT FROM auth.users WHERE id = NEW.user_id AND email_verified_at IS NULL);
          -- an organiser who gives the place back clears ended_as
          IF NEW.unproved AND NEW.ended_as IS NOT NULL AND (NEW.ended_as = 'lapsed' OR OLD.lapses_at <= now()) THEN
            RAISE EXCEPTION 'a member whose address is not verified has lost a place at event %', NEW.event_id
              USING ERRCODE = 'check_violation', CONSTRAINT = 'event_registrations_address_check';
          END IF;
        END IF;
        IF NEW.unproved THEN
          IF TG_OP = 'INSERT' THEN
            PERFORM FROM events.events WHERE id = NEW.event_id FOR NO KEY UPDATE;
          END IF;
          SELECT capacity, start_date INTO event FROM events.events WHERE id = NEW.event_id;
          NEW.unproved := event.capacity IS NOT NULL;
        END IF;
        IF NOT NEW.unproved THEN
          NEW.lapses_at := NULL;
          NEW.taken_from := NULL;
          RETURN NEW;
        END IF;
        IF TG_OP = 'INSERT' AND EXISTS (
          SELECT FROM events.event_registrations WHERE event_id = NEW.event_id AND user_id = NEW.user_id) THEN
          RETURN NEW; -- what is there already is updated, or stays
        END IF;
        IF begins AND NEW.taken_from IS NOT NULL AND (
          SELECT count(*) FROM events.event_registrations
          WHERE event_id = NEW.event_id AND unproved AND taken_from = NEW.taken_from) >= at_most THEN
          RAISE EXCEPTION 'one network holds enough unproved places of event %', NEW.event_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'event_registrations_network_check';
        END IF;
        IF NEW.status = 'waitlisted' THEN
          NEW.lapses_at := NULL;
        ELSIF begins OR OLD.status = 'waitlisted' THEN
          lapse := events.lapse_of(NEW.registered_at, event.start_date);
          IF TG_OP = 'UPDATE' AND lapse IS NOT NULL AND NEW.ended_as IS NOT NULL AND OLD.lapses_at IS NOT NULL THEN
            lapse := least(lapse, greatest(OLD.lapses_at, NEW.registered_at + interval '1 hour'));
          END IF;
          NEW.lapses_at := lapse;
        END IF;
        RETURN NEW;
      END $$`);
    // before event_registrations_note_ending, by name: how the last one ended is still there
    await runner.query(`
      CREATE TRIGGER event_registrations_hold_place BEFORE INSERT OR UPDATE OF status ON events.event_registrations
      FOR EACH ROW EXECUTE FUNCTION events.hold_place()`);
  }

  /** A verified address, a check-in and an event that has a place for everybody keep the place; a new start moves its moment. */
  private async prove(runner: QueryRunner): Promise<void> {
    const kept = 'SET unproved = false, lapses_at = NULL, taken_from = NULL';
    await runner.query(`
      CREATE FUNCTION events.keep_places_of_member() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        IF OLD.email_verified_at IS NULL AND NEW.email_verified_at IS NOT NULL THEN
          UPDATE events.event_registrations ${kept} WHERE user_id = NEW.id AND (unproved OR lapses_at IS NOT NULL);
        END IF;
        RETURN NULL;
      END $$`);
    // named after no column: auth may drop its own
    await runner.query(`
      CREATE TRIGGER users_keep_places AFTER UPDATE ON auth.users
      FOR EACH ROW EXECUTE FUNCTION events.keep_places_of_member()`);
    await runner.query(`
      CREATE FUNCTION events.keep_place_of_arrived() RETURNS trigger
      LANGUAGE plpgsql SET search_path = '' AS $$
      BEGIN
        NEW.unproved := false;
        NEW.lapses_at := NULL;
        NEW.taken_from := NULL;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER event_registrations_keep_place BEFORE UPDATE OF checked_in_at ON events.event_registrations
      FOR EACH ROW WHEN (NEW.unproved AND NEW.checked_in_at IS NOT NULL)
      EXECUTE FUNCTION events.keep_place_of_arrived()`);
    await runner.query(`
      CREATE FUNCTION events.follow_lapses() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        IF NEW.capacity IS NULL THEN
          UPDATE events.event_registrations ${kept} WHERE event_id = NEW.id AND unproved;
        ELSE
          UPDATE events.event_registrations SET lapses_at = events.lapse_of(registered_at, NEW.start_date)
          WHERE event_id = NEW.id AND unproved AND status = 'registered';
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER events_follow_lapses AFTER UPDATE OF capacity, start_date ON events.events
      FOR EACH ROW WHEN (OLD.start_date <> NEW.start_date OR (OLD.capacity IS NOT NULL AND NEW.capacity IS NULL))
      EXECUTE FUNCTION events.follow_lapses()`);
    await runner.query(`
      CREATE FUNCTION events.is_verified(member uuid) RETURNS boolean
      LANGUAGE sql STABLE SECURITY DEFINER SET search_path = '' AS $$
        SELECT EXISTS (SELECT FROM auth.users WHERE id = member AND email_verified_at IS NOT NULL)
      $$`);
    await runner.query('REVOKE EXECUTE ON FUNCTION events.is_verified FROM PUBLIC');
    await runner.query('GRANT EXECUTE ON FUNCTION events.is_verified TO meetmark_events');
  }

  /**
   * Ends the places of one event whose moment has come, before it starts, and returns how many: 0 when none is due at any event. The count
   * of the registrations then gives the places to those who wait. The event's row is locked first, as for a promotion, so several workers
   * at once end each place once.
   */
  private async lapse(runner: QueryRunner): Promise<void> {
    const due = (place: string, event: string) => `
      ${place}.unproved AND ${place}.status = 'registered' AND ${place}.lapses_at <= now() AND ${event}.start_date > now()
      AND ${event}.status = 'published'
      AND EXISTS (SELECT FROM auth.users WHERE id = ${place}.user_id AND email_verified_at IS NULL)`;
    await runner.query(`
      CREATE FUNCTION events.lapse_places() RETURNS integer
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      DECLARE
        due_event uuid;
        lapsed integer;
      BEGIN
        LOOP
          SELECT place.event_id INTO due_event
          FROM events.event_registrations AS place JOIN events.events AS event ON event.id = place.event_id
          WHERE ${due('place', 'event')} ORDER BY place.lapses_at LIMIT 1;
          IF due_event IS NULL THEN
            RETURN 0;
          END IF;
          PERFORM FROM events.events WHERE id = due_event FOR NO KEY UPDATE;
          WITH ended AS (
            UPDATE events.event_registrations AS place
            SET status = 'cancelled', ended_as = 'lapsed', entry_revision = place.entry_revision + 1
            FROM events.events AS event
            WHERE place.event_id = due_event AND event.id = due_event AND ${due('place', 'event')} RETURNING place.id
          ), roll_up AS (
            INSERT INTO events.outbox (id, job, payload, available_at)
            SELECT gen_random_uuid(), 'activity.rollUp', '{}', now() + interval '5 s'
            WHERE EXISTS (SELECT FROM ended) AND NOT EXISTS (
              SELECT FROM events.outbox WHERE job = 'activity.rollUp' AND done_at IS NULL AND relayed_at IS NULL
                AND available_at > now() + interval '3 s')
          )
          SELECT count(*) INTO lapsed FROM ended;
          IF lapsed > 0 THEN
            PERFORM pg_notify('outbox', 'events');
            RETURN lapsed;
          END IF;
        END LOOP;
      END $$`);
    await runner.query('REVOKE EXECUTE ON FUNCTION events.lapse_places FROM PUBLIC');
    await runner.query('GRANT EXECUTE ON FUNCTION events.lapse_places TO meetmark_worker');
  }
}
