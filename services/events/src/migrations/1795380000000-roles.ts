import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who manages an event besides the owners: the organiser who created it, and hosts who were asked to and agreed. */
export class Roles1795380000000 implements MigrationInterface {
  name = 'Roles1795380000000';

  async up(runner: QueryRunner): Promise<void> {
    // agreeing to be shown is not agreeing to manage
    await runner.query(`
      ALTER TABLE events.event_people
        ADD COLUMN manages boolean NOT NULL DEFAULT false,
        ADD COLUMN manages_agreed_at timestamptz(3),
        ADD CONSTRAINT event_people_manages_check
          CHECK ((role = 'host' OR NOT manages) AND (manages OR manages_agreed_at IS NULL))`);
    const columns = 'manages, manages_agreed_at';
    await runner.query(
      `GRANT INSERT (${columns}), UPDATE (${columns}, told_at) ON events.event_people TO meetmark_events`,
    );
    // who is to manage an event is asked while it is a draft, too
    await tellNamed(
      runner,
      `(event.status = 'published' AND person.agreed_at IS NULL
        OR event.status <> 'cancelled' AND person.manages AND person.manages_agreed_at IS NULL)`,
    );
    await runner.query(`
      CREATE INDEX event_people_managers_idx ON events.event_people (user_id, event_id) WHERE agreed_at IS NOT NULL AND manages_agreed_at IS NOT NULL`);
    // as_owner: whether the caller has an owner's rights, which may need a second factor that the gateway knows of
    await runner.query(`
      CREATE FUNCTION events.management_refusal(account uuid, event uuid, as_owner boolean) RETURNS text
      LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = '' AS $$
      DECLARE
        present record;
        subject record;
        organises boolean;
      BEGIN
        SELECT is_admin, is_organiser INTO present FROM auth.users WHERE id = account;
        IF NOT FOUND THEN
          RETURN 'FORBIDDEN';
        END IF;
        IF as_owner AND present.is_admin THEN
          RETURN NULL;
        END IF;
        organises := present.is_organiser AND NOT present.is_admin;
        SELECT created_by_id, status INTO subject FROM events.events WHERE id = event;
        IF organises AND subject.created_by_id = account THEN
          RETURN NULL;
        END IF;
        -- not of the creator, who would keep it when they are no organiser any more
        IF subject.created_by_id <> account AND EXISTS (SELECT FROM events.event_people
            WHERE event_id = event AND user_id = account AND agreed_at IS NOT NULL AND manages_agreed_at IS NOT NULL) THEN
          RETURN NULL;
        END IF;
        -- who manages nothing learns nothing of what there is
        RETURN CASE WHEN subject.status <> 'draft' OR NOT (organises OR EXISTS (
            SELECT FROM events.event_people WHERE user_id = account AND agreed_at IS NOT NULL AND manages_agreed_at IS NOT NULL))
          THEN 'FORBIDDEN' ELSE 'EVENT_NOT_FOUND' END;
      END $$`);
    // as auth.administrator_refusal: the account stays locked until the transaction ends
    await runner.query(`
      CREATE FUNCTION events.manager_refusal(account uuid, epoch integer, event uuid, as_owner boolean) RETURNS text
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        PERFORM FROM auth.users WHERE id = account AND session_epoch = epoch FOR SHARE;
        IF NOT FOUND THEN
          RETURN 'UNAUTHORIZED';
        END IF;
        RETURN events.management_refusal(account, event, as_owner);
      END $$`);
    await proposals(runner);
    for (const signature of [
      'events.management_refusal(uuid, uuid, boolean)',
      'events.manager_refusal(uuid, integer, uuid, boolean)',
    ]) {
      await runner.query(`REVOKE ALL ON FUNCTION ${signature} FROM PUBLIC`);
      await runner.query(`GRANT EXECUTE ON FUNCTION ${signature} TO meetmark_events`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION events.manager_refusal, events.management_refusal');
    await runner.query('DROP TABLE events.proposals');
    await runner.query('DROP FUNCTION events.limit_proposals');
    await tellNamed(runner, `event.status = 'published' AND person.agreed_at IS NULL`);
    await runner.query('REVOKE UPDATE (told_at) ON events.event_people FROM meetmark_events');
    await runner.query('ALTER TABLE events.event_people DROP COLUMN manages, DROP COLUMN manages_agreed_at');
  }
}

/** What members propose; an account has three open ones at most, however many requests come at once. */
async function proposals(runner: QueryRunner): Promise<void> {
  await runner.query(`
    CREATE TABLE events.proposals (
      id uuid CONSTRAINT proposals_pkey PRIMARY KEY,
      proposer_id uuid NOT NULL,
      title text NOT NULL,
      description text,
      start_date timestamptz(3) NOT NULL,
      end_date timestamptz(3) NOT NULL,
      proposed_at timestamptz(3) NOT NULL DEFAULT now(),
      decided_at timestamptz(3),
      words text,
      event_id uuid,
      CONSTRAINT proposals_proposer_id_fkey FOREIGN KEY (proposer_id) REFERENCES auth.users (id) ON DELETE CASCADE,
      CONSTRAINT proposals_event_id_fkey FOREIGN KEY (event_id) REFERENCES events.events (id) ON DELETE SET NULL,
      CONSTRAINT proposals_title_check CHECK (char_length(title) BETWEEN 1 AND 255),
      CONSTRAINT proposals_description_check CHECK (char_length(description) <= 10000),
      CONSTRAINT proposals_dates_check CHECK (end_date > start_date),
      CONSTRAINT proposals_words_check CHECK (char_length(words) BETWEEN 1 AND 500),
      CONSTRAINT proposals_decided_check
        CHECK (decided_at IS NOT NULL OR (words IS NULL AND event_id IS NULL)),
      CONSTRAINT proposals_one_decision_check CHECK (words IS NULL OR event_id IS NULL)
    )`);
  await runner.query('CREATE INDEX proposals_proposer_idx ON events.proposals (proposer_id, proposed_at)');
  await runner.query(
    'CREATE INDEX proposals_open_idx ON events.proposals (proposed_at, id) WHERE decided_at IS NULL',
  );
  await runner.query(
    'CREATE INDEX proposals_event_idx ON events.proposals (event_id) WHERE event_id IS NOT NULL',
  );
  // the count is a statement of its own after the lock: its snapshot then shows what the others have committed
  await runner.query(`
    CREATE FUNCTION events.limit_proposals() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtextextended('events.proposals ' || NEW.proposer_id, 0));
      IF (SELECT count(*) FROM events.proposals WHERE proposer_id = NEW.proposer_id AND decided_at IS NULL) >= 3 THEN
        RAISE EXCEPTION 'three proposals are open'
          USING ERRCODE = 'check_violation', SCHEMA = 'events', TABLE = 'proposals', CONSTRAINT = 'proposals_limit';
      END IF;
      RETURN NEW;
    END $$`);
  await runner.query(`
    CREATE TRIGGER proposals_limit BEFORE INSERT ON events.proposals
    FOR EACH ROW EXECUTE FUNCTION events.limit_proposals()`);
  await runner.query(`
    GRANT SELECT, INSERT (id, proposer_id, title, description, start_date, end_date), UPDATE (decided_at, words, event_id)
    ON events.proposals TO meetmark_events`);
  await runner.query('GRANT SELECT ON events.proposals TO meetmark_worker');
}

/** Members who are named are asked by mail whether they agree, once for each naming. */
const tellNamed = (runner: QueryRunner, asked: string) =>
  runner.query(`
    CREATE OR REPLACE FUNCTION events.tell_named(named_event uuid) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
    DECLARE
      written integer;
    BEGIN
      WITH told AS (
        UPDATE events.event_people AS person SET told_at = now()
        FROM events.events AS event
        WHERE event.id = named_event AND event.end_date > now() AND person.event_id = event.id
          AND person.user_id IS NOT NULL AND person.told_at IS NULL AND ${asked}
        RETURNING person.user_id, person.role
      ), mails AS (
        INSERT INTO events.outbox (id, job, payload)
        SELECT gen_random_uuid(), 'mail.namedInEvent',
          jsonb_build_object('eventId', named_event, 'userId', user_id, 'role', role)
        FROM told RETURNING id
      )
      SELECT count(*) INTO written FROM mails;
      IF written > 0 THEN
        PERFORM pg_notify('outbox', 'events');
      END IF;
      RETURN written;
    END $$`);
