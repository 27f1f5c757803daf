import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Parts of event_contents by the name that the API has for them: what is remembered as an edit. */
const EDITED = {
  venue: ['venue_name', 'venue_address', 'venue_note', 'venue_map_url'],
  onlineUrl: ['online_url'],
  onlineNote: ['online_note'],
  hosts: ['hosts_edits'],
  agenda: ['agenda'],
  speakers: ['speakers_edits'],
  resources: ['resources'],
  recap: ['recap'],
};

/**
 * Questions at registration. They are part of the content of an event, the answers of the registration. Whatever was answered fits a
 * question of the event: an answer is checked when it is written, and a question that has one keeps its id, kind and options. Both lock the
 * event's row first, so that they take turns.
 */
export class Questions1795396000000 implements MigrationInterface {
  name = 'Questions1795396000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events.event_contents
        ADD COLUMN questions jsonb NOT NULL DEFAULT '[]',
        ADD CONSTRAINT event_contents_questions_check
          CHECK (jsonb_typeof(questions) = 'array' AND jsonb_array_length(questions) <= 10)`);
    await runner.query(
      'GRANT INSERT (questions), UPDATE (questions) ON events.event_contents TO meetmark_events',
    );
    // registering reads the event's row anyway: only where it says so does it look further
    await runner.query('ALTER TABLE events.events ADD COLUMN has_questions boolean NOT NULL DEFAULT false');
    await rememberEdits(runner, { ...EDITED, questions: ['questions'] });
    await this.followQuestions(runner);
    await this.keepAnswered(runner);
    await this.checkAnswers(runner);
  }

  /** The service itself does not write whether an event asks something. */
  private async followQuestions(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION events.follow_questions() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        UPDATE events.events SET has_questions = NEW.questions <> '[]'
        WHERE id = NEW.event_id AND has_questions <> (NEW.questions <> '[]');
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER event_contents_follow_questions AFTER INSERT OR UPDATE OF questions ON events.event_contents
      FOR EACH ROW EXECUTE FUNCTION events.follow_questions()`);
  }

  private async keepAnswered(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION events.keep_answered_questions() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        PERFORM FROM events.events WHERE id = NEW.event_id FOR NO KEY UPDATE;
        IF EXISTS (
          SELECT FROM jsonb_array_elements(OLD.questions) AS asked
          WHERE NOT EXISTS (
              SELECT FROM jsonb_array_elements(NEW.questions) AS kept
              WHERE kept -> 'id' = asked -> 'id' AND kept -> 'kind' = asked -> 'kind' AND kept -> 'options' @> (asked -> 'options'))
            AND EXISTS (
              SELECT FROM events.event_registrations AS registration
              WHERE registration.event_id = NEW.event_id AND registration.answers ? (asked ->> 'id'))) THEN
          RAISE EXCEPTION 'a question of event % has been answered', NEW.event_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'event_contents_answered_check';
        END IF;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER event_contents_keep_answered BEFORE UPDATE OF questions ON events.event_contents
      FOR EACH ROW WHEN (OLD.questions <> NEW.questions) EXECUTE FUNCTION events.keep_answered_questions()`);
  }

  /** Whoever writes answers has locked the member before: this locks the event's row. */
  private async checkAnswers(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION events.check_answers() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      DECLARE
        asked jsonb;
      BEGIN
        PERFORM FROM events.events WHERE id = NEW.event_id FOR NO KEY UPDATE;
        SELECT questions INTO asked FROM events.event_contents WHERE event_id = NEW.event_id;
        IF EXISTS (
          SELECT FROM jsonb_each(NEW.answers) AS answer
          WHERE NOT EXISTS (
            SELECT FROM jsonb_array_elements(asked) AS question
            WHERE question ->> 'id' = answer.key AND CASE question ->> 'kind'
              WHEN 'yesNo' THEN jsonb_typeof(answer.value) = 'boolean'
              WHEN 'choice' THEN jsonb_typeof(answer.value) = 'string' AND question -> 'options' @> answer.value
              ELSE jsonb_typeof(answer.value) = 'string' AND char_length(answer.value #>> '{}') BETWEEN 1 AND 500 END)) THEN
          RAISE EXCEPTION 'an answer fits no question of event %', NEW.event_id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'event_registrations_answers_fit_check';
        END IF;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER event_registrations_check_answers BEFORE INSERT OR UPDATE OF answers ON events.event_registrations
      FOR EACH ROW WHEN (NEW.answers IS NOT NULL) EXECUTE FUNCTION events.check_answers()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TRIGGER event_registrations_check_answers ON events.event_registrations');
    await runner.query('DROP TRIGGER event_contents_keep_answered ON events.event_contents');
    await runner.query('DROP TRIGGER event_contents_follow_questions ON events.event_contents');
    await runner.query(
      'DROP FUNCTION events.check_answers, events.keep_answered_questions, events.follow_questions',
    );
    await rememberEdits(runner, EDITED);
    await runner.query('UPDATE events.event_registrations SET answers = NULL WHERE answers IS NOT NULL');
    await runner.query('ALTER TABLE events.events DROP COLUMN has_questions');
    await runner.query('ALTER TABLE events.event_contents DROP COLUMN questions');
  }
}

/** What of a content is remembered as an edit, made anew with these parts. */
async function rememberEdits(runner: QueryRunner, edited: Record<string, string[]>): Promise<void> {
  const row = (name: string, columns: string[]) =>
    `ROW (${columns.map((column) => `${name}.${column}`).join(', ')})`;
  const names = Object.entries(edited).map(
    ([name, columns]) =>
      `CASE WHEN ${row('OLD', columns)} IS DISTINCT FROM ${row('NEW', columns)} THEN '${name}' END`,
  );
  await runner.query(`
    CREATE OR REPLACE FUNCTION events.keep_content_edit() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
    DECLARE
      present integer;
    BEGIN
      UPDATE events.events
      SET version = version + (current_setting('meetmark.raised', true) IS DISTINCT FROM id::text)::integer
      WHERE id = NEW.event_id RETURNING version INTO present;
      PERFORM set_config('meetmark.raised', NEW.event_id::text, true);
      PERFORM events.keep_edit(NEW.event_id, present, array_remove(ARRAY[${names.join(', ')}], NULL));
      RETURN NULL;
    END $$`);
}
