import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What organisers write to the people of an event, and what became of each person's mail. */
export class Messages1795383000000 implements MigrationInterface {
  name = 'Messages1795383000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE events.messages (
        id uuid CONSTRAINT messages_pkey PRIMARY KEY,
        event_id uuid NOT NULL,
        author_id uuid,
        segment text NOT NULL,
        registration_ids uuid[] NOT NULL DEFAULT '{}',
        subject text NOT NULL,
        body text NOT NULL,
        reply_to text NOT NULL,
        state text NOT NULL,
        send_at timestamptz(3),
        started_at timestamptz(3),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        recipients integer NOT NULL DEFAULT 0,
        sent integer NOT NULL DEFAULT 0,
        refused integer NOT NULL DEFAULT 0,
        skipped integer NOT NULL DEFAULT 0,
        CONSTRAINT messages_event_id_fkey FOREIGN KEY (event_id) REFERENCES events.events (id) ON DELETE CASCADE,
        CONSTRAINT messages_author_id_fkey FOREIGN KEY (author_id) REFERENCES auth.users (id) ON DELETE SET NULL,
        CONSTRAINT messages_segment_check CHECK (segment IN ('registered', 'waiting', 'came', 'did_not_come', 'chosen')),
        CONSTRAINT messages_registration_ids_check
          CHECK ((segment = 'chosen' OR registration_ids = '{}') AND cardinality(registration_ids) <= 500),
        CONSTRAINT messages_subject_check
          CHECK (char_length(subject) BETWEEN 1 AND 150 AND subject !~ '[\\u0001-\\u001f\\u007f-\\u009f\\u2028\\u2029]'),
        CONSTRAINT messages_body_check CHECK (char_length(body) BETWEEN 1 AND 10000),
        CONSTRAINT messages_reply_to_check CHECK (reply_to IN ('community', 'author')),
        CONSTRAINT messages_state_check CHECK (state IN ('draft', 'scheduled', 'sending', 'sent', 'cancelled')),
        CONSTRAINT messages_send_at_check CHECK ((send_at IS NULL) = (state = 'draft') AND isfinite(send_at)),
        CONSTRAINT messages_started_check CHECK (
          CASE state WHEN 'sent' THEN started_at IS NOT NULL WHEN 'sending' THEN true ELSE started_at IS NULL END),
        CONSTRAINT messages_figures_check
          CHECK (least(recipients, sent, refused, skipped) >= 0 AND sent + refused + skipped <= recipients)
      )`);
    await runner.query('CREATE INDEX messages_event_id_idx ON events.messages (event_id, created_at, id)');
    await runner.query(
      'CREATE INDEX messages_author_id_idx ON events.messages (author_id) WHERE author_id IS NOT NULL',
    );
    await runner.query(`
      CREATE TABLE events.message_recipients (
        message_id uuid NOT NULL,
        registration_id uuid NOT NULL,
        state text NOT NULL DEFAULT 'queued',
        at timestamptz(3),
        CONSTRAINT message_recipients_pkey PRIMARY KEY (message_id, registration_id),
        CONSTRAINT message_recipients_message_id_fkey
          FOREIGN KEY (message_id) REFERENCES events.messages (id) ON DELETE CASCADE,
        CONSTRAINT message_recipients_registration_id_fkey
          FOREIGN KEY (registration_id) REFERENCES events.event_registrations (id) ON DELETE CASCADE,
        CONSTRAINT message_recipients_state_check CHECK (state IN ('queued', 'sent', 'refused', 'skipped')),
        CONSTRAINT message_recipients_at_check CHECK ((at IS NULL) = (state = 'queued'))
      )`);
    await runner.query(
      'CREATE INDEX message_recipients_registration_id_idx ON events.message_recipients (registration_id)',
    );
    // of guests without an account, who have no preferences of their own
    await runner.query(`
      CREATE TABLE events.message_stops (
        registration_id uuid CONSTRAINT message_stops_pkey PRIMARY KEY,
        stopped_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT message_stops_registration_id_fkey
          FOREIGN KEY (registration_id) REFERENCES events.event_registrations (id) ON DELETE CASCADE
      )`);
    await runner.query(
      'GRANT SELECT, INSERT (registration_id), DELETE ON events.message_stops TO meetmark_events',
    );
    await runner.query('GRANT SELECT ON events.message_stops TO meetmark_worker');
    const fields = 'segment, registration_ids, subject, body, reply_to, state, send_at';
    await runner.query(`
      GRANT SELECT, DELETE, INSERT (id, event_id, author_id, ${fields}), UPDATE (${fields}, author_id, updated_at)
      ON events.messages TO meetmark_events`);
    await runner.query('GRANT SELECT ON events.message_recipients TO meetmark_events');
    await runner.query(
      'GRANT SELECT, UPDATE (state, started_at, recipients) ON events.messages TO meetmark_worker',
    );
    await runner.query(
      'GRANT SELECT, INSERT (message_id, registration_id) ON events.message_recipients TO meetmark_worker',
    );
    await this.forwardOnly(runner);
    await this.atMostThreeADay(runner);
    await this.keepOutcomes(runner);
  }

  /** What is being sent, or was, says what it said then. */
  private async forwardOnly(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION events.keep_message_forward() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF ROW (OLD.state, NEW.state) NOT IN (
             ('draft', 'draft'), ('draft', 'scheduled'), ('draft', 'sending'), ('scheduled', 'draft'), ('scheduled', 'scheduled'),
             ('scheduled', 'sending'), ('scheduled', 'cancelled'), ('sending', 'sending'), ('sending', 'sent'), ('scheduled', 'sent'))
          OR (OLD.state NOT IN ('draft', 'scheduled')
              AND ROW (OLD.event_id, OLD.segment, OLD.registration_ids, OLD.subject, OLD.body, OLD.reply_to, OLD.send_at)
                IS DISTINCT FROM ROW (NEW.event_id, NEW.segment, NEW.registration_ids, NEW.subject, NEW.body, NEW.reply_to, NEW.send_at))
        THEN
          RAISE EXCEPTION 'a message that is % does not change', OLD.state
            USING ERRCODE = 'check_violation', SCHEMA = 'events', TABLE = 'messages', CONSTRAINT = 'messages_forward_check';
        END IF;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER messages_forward BEFORE UPDATE OF event_id, segment, registration_ids, subject, body, reply_to, send_at, state
      ON events.messages FOR EACH ROW EXECUTE FUNCTION events.keep_message_forward()`);
  }

  /**
   * Any four messages of an event are a day apart. Counted in a statement of its own after the event is locked: its snapshot
   * then shows what others have committed.
   */
  private async atMostThreeADay(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION events.limit_messages() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
      BEGIN
        PERFORM FROM events.events WHERE id = NEW.event_id FOR NO KEY UPDATE;
        IF EXISTS (
          SELECT FROM (
            SELECT send_at, lead(send_at, 3) OVER (ORDER BY send_at) AS fourth FROM events.messages
            WHERE event_id = NEW.event_id AND state IN ('scheduled', 'sending', 'sent')
              AND send_at > NEW.send_at - interval '1 day' AND send_at < NEW.send_at + interval '1 day'
          ) AS near WHERE fourth < send_at + interval '1 day')
        THEN
          RAISE EXCEPTION 'more than three messages of an event within a day'
            USING ERRCODE = 'check_violation', SCHEMA = 'events', TABLE = 'messages', CONSTRAINT = 'messages_daily_check';
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER messages_limit_insert AFTER INSERT ON events.messages
      FOR EACH ROW WHEN (NEW.state <> 'draft') EXECUTE FUNCTION events.limit_messages()`);
    await runner.query(`
      CREATE TRIGGER messages_limit_update AFTER UPDATE OF send_at ON events.messages
      FOR EACH ROW WHEN (NEW.state <> 'draft' AND NEW.send_at IS DISTINCT FROM OLD.send_at)
      EXECUTE FUNCTION events.limit_messages()`);
  }

  /** What became of a mail is known in the moment in which its job is over, so both are one change; a job that was given up and removed is a refusal. */
  private async keepOutcomes(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION events.keep_message_outcome() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
      DECLARE
        message uuid := (OLD.payload ->> 'messageId')::uuid;
        outcome text := CASE
          WHEN TG_OP = 'DELETE' THEN 'refused'
          WHEN NEW.skipped THEN 'skipped'
          WHEN NEW.last_error IS NOT NULL THEN 'refused'
          ELSE 'sent' END;
      BEGIN
        UPDATE events.messages
        SET sent = sent + (outcome = 'sent')::integer, refused = refused + (outcome = 'refused')::integer,
          skipped = skipped + (outcome = 'skipped')::integer,
          state = CASE WHEN sent + refused + skipped + 1 = recipients THEN 'sent' ELSE state END
        WHERE id = message;
        UPDATE events.message_recipients SET state = outcome, at = now()
        WHERE message_id = message AND registration_id = (OLD.payload ->> 'registrationId')::uuid;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER outbox_message_done AFTER UPDATE OF done_at ON events.outbox
      FOR EACH ROW WHEN (OLD.job = 'messages.mail' AND OLD.done_at IS NULL AND NEW.done_at IS NOT NULL)
      EXECUTE FUNCTION events.keep_message_outcome()`);
    await runner.query(`
      CREATE TRIGGER outbox_message_removed AFTER DELETE ON events.outbox
      FOR EACH ROW WHEN (OLD.job = 'messages.mail' AND OLD.done_at IS NULL) EXECUTE FUNCTION events.keep_message_outcome()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER outbox_message_removed ON events.outbox');
    await runner.query('DROP TRIGGER outbox_message_done ON events.outbox');
    await runner.query('DROP FUNCTION events.keep_message_outcome');
    await runner.query('DROP TABLE events.message_stops, events.message_recipients, events.messages');
    await runner.query('DROP FUNCTION events.limit_messages, events.keep_message_forward');
  }
}
