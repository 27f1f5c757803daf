import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * People without an account at an event: whom an organiser adds has a name and perhaps an address instead of a member. Whoever proves
 * the address takes the place over; the guest list goes on showing what the organiser typed (added_as, guest_email), so that it does not
 * tell who has an account. What organisers note about anybody, and when somebody came in, stands with the registration.
 */
export class Guests1795381000000 implements MigrationInterface {
  name = 'Guests1795381000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events.event_registrations
        ALTER COLUMN user_id DROP NOT NULL,
        ADD COLUMN guest_name text,
        ADD COLUMN guest_email text,
        ADD COLUMN added_as text,
        ADD COLUMN note text,
        ADD COLUMN paid_at timestamptz(3),
        ADD COLUMN checked_in_at timestamptz(3),
        ADD COLUMN checked_in_by text,
        ADD COLUMN answers jsonb,
        ADD CONSTRAINT event_registrations_person_check CHECK ((user_id IS NULL) = (guest_name IS NOT NULL)),
        ADD CONSTRAINT event_registrations_guest_name_check CHECK (char_length(guest_name) BETWEEN 1 AND 100),
        ADD CONSTRAINT event_registrations_guest_email_check
          CHECK (guest_email IS NULL OR (char_length(guest_email) <= 255 AND (user_id IS NULL OR added_as IS NOT NULL))),
        ADD CONSTRAINT event_registrations_added_as_check
          CHECK (added_as IS NULL OR (user_id IS NOT NULL AND guest_email IS NOT NULL)),
        ADD CONSTRAINT event_registrations_guest_check
          CHECK (user_id IS NOT NULL OR (status <> 'waitlisted' AND show_me = 'no')),
        ADD CONSTRAINT event_registrations_note_check CHECK (char_length(note) BETWEEN 1 AND 500),
        ADD CONSTRAINT event_registrations_checked_in_check
          CHECK ((checked_in_at IS NULL) = (checked_in_by IS NULL) AND checked_in_by IN ('door', 'self')),
        ADD CONSTRAINT event_registrations_answers_check CHECK (jsonb_typeof(answers) = 'object')`);
    await runner.query(`
      CREATE UNIQUE INDEX event_registrations_guest_email_key
      ON events.event_registrations (event_id, lower(guest_email)) WHERE guest_email IS NOT NULL`);
    // registering reads the event's row anyway: only where it says so does it look further
    await runner.query('ALTER TABLE events.events ADD COLUMN has_guests boolean NOT NULL DEFAULT false');
    await runner.query('GRANT UPDATE (has_guests) ON events.events TO meetmark_events');
    await runner.query(`
      GRANT UPDATE (guest_name, guest_email, added_as, note, paid_at, answers)
      ON events.event_registrations TO meetmark_events`);
    await this.takeOver(runner);
    await this.keepPlace(runner);
  }

  /**
   * Gives the place of a guest to the member whose verified address it was added with, and returns its registration. The member is locked
   * first, as the deletion of an account does. A registration that the member gave up earlier makes room for it.
   */
  private async takeOver(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION events.take_over_guest(joined_event uuid, member uuid, shown text) RETURNS uuid
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      DECLARE
        address text;
        place uuid;
        revision integer;
      BEGIN
        SELECT lower(email) INTO address FROM auth.users
        WHERE id = member AND email_verified_at IS NOT NULL FOR KEY SHARE;
        SELECT id INTO place FROM events.event_registrations
        WHERE event_id = joined_event AND lower(guest_email) = address AND user_id IS NULL AND status = 'registered' FOR UPDATE;
        IF place IS NULL OR EXISTS (
          SELECT FROM events.event_registrations
          WHERE event_id = joined_event AND user_id = member AND status <> 'cancelled') THEN
          RETURN NULL;
        END IF;
        DELETE FROM events.event_registrations WHERE event_id = joined_event AND user_id = member
        RETURNING entry_revision INTO revision;
        UPDATE events.event_registrations
        SET user_id = member, added_as = guest_name, guest_name = NULL,
          show_me = coalesce(shown, (SELECT show_me FROM auth.users WHERE id = member)),
          entry_revision = greatest(entry_revision, coalesce(revision + 1, 0))
        WHERE id = place;
        RETURN place;
      END $$`);
    await runner.query('REVOKE EXECUTE ON FUNCTION events.take_over_guest FROM PUBLIC');
    await runner.query('GRANT EXECUTE ON FUNCTION events.take_over_guest TO meetmark_events');
  }

  /** Who adds a place for one person ('meetmark.place_kept' is the event) does not give it to the first who waits. */
  private async keepPlace(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION events.promote_after_edit() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        IF current_setting('meetmark.place_kept', true) IS DISTINCT FROM NEW.id::text THEN
          PERFORM events.promote_waiting(NEW.id);
        END IF;
        RETURN NULL;
      END $$`);
  }

  /** The places of people without an account are lost. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION events.promote_after_edit() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        PERFORM events.promote_waiting(NEW.id);
        RETURN NULL;
      END $$`);
    await runner.query('DROP FUNCTION events.take_over_guest');
    await runner.query('ALTER TABLE events.events DROP COLUMN has_guests');
    await runner.query('DELETE FROM events.event_registrations WHERE user_id IS NULL');
    await runner.query(`
      ALTER TABLE events.event_registrations
        DROP COLUMN guest_name, DROP COLUMN guest_email, DROP COLUMN added_as, DROP COLUMN note, DROP COLUMN paid_at,
        DROP COLUMN checked_in_at, DROP COLUMN checked_in_by, DROP COLUMN answers,
        ALTER COLUMN user_id SET NOT NULL`);
  }
}
