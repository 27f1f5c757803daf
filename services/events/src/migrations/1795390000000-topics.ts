import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What events are about, and who follows it. The places make that there are twelve topics at most, and three of one event: each is taken
 * once, and there are no more of them.
 */
export class Topics1795390000000 implements MigrationInterface {
  name = 'Topics1795390000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE events.topics (
        id uuid CONSTRAINT topics_pkey PRIMARY KEY,
        slug text NOT NULL,
        name text NOT NULL,
        place smallint NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT topics_slug_key UNIQUE (slug),
        CONSTRAINT topics_place_key UNIQUE (place),
        CONSTRAINT topics_place_check CHECK (place BETWEEN 1 AND 12),
        CONSTRAINT topics_slug_check CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND char_length(slug) <= 40),
        CONSTRAINT topics_name_check
          CHECK (char_length(name) BETWEEN 1 AND 40 AND name !~ '[\\u0001-\\u001f\\u007f-\\u009f\\u2028\\u2029]')
      )`);
    await runner.query('CREATE UNIQUE INDEX topics_name_key ON events.topics (lower(name))');
    await runner.query(`
      CREATE TABLE events.event_topics (
        event_id uuid NOT NULL,
        topic_id uuid NOT NULL,
        position smallint NOT NULL,
        CONSTRAINT event_topics_pkey PRIMARY KEY (event_id, topic_id),
        CONSTRAINT event_topics_position_key UNIQUE (event_id, position),
        CONSTRAINT event_topics_position_check CHECK (position BETWEEN 1 AND 3),
        CONSTRAINT event_topics_event_id_fkey FOREIGN KEY (event_id) REFERENCES events.events (id) ON DELETE CASCADE,
        CONSTRAINT event_topics_topic_id_fkey FOREIGN KEY (topic_id) REFERENCES events.topics (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX event_topics_topic_id_idx ON events.event_topics (topic_id)');
    await runner.query(`
      CREATE TABLE events.topic_follows (
        topic_id uuid NOT NULL,
        user_id uuid NOT NULL,
        followed_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT topic_follows_pkey PRIMARY KEY (topic_id, user_id),
        CONSTRAINT topic_follows_topic_id_fkey FOREIGN KEY (topic_id) REFERENCES events.topics (id) ON DELETE CASCADE,
        CONSTRAINT topic_follows_user_id_fkey FOREIGN KEY (user_id) REFERENCES auth.users (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX topic_follows_user_id_idx ON events.topic_follows (user_id)');
    await runner.query(`
      GRANT SELECT, DELETE, INSERT (id, slug, name, place), UPDATE (slug, name) ON events.topics TO meetmark_events`);
    await runner.query(`
      GRANT SELECT, DELETE, INSERT (event_id, topic_id, position), UPDATE (topic_id) ON events.event_topics
      TO meetmark_events`);
    await runner.query(
      'GRANT SELECT, DELETE, INSERT (topic_id, user_id) ON events.topic_follows TO meetmark_events',
    );
    await runner.query(
      'GRANT SELECT ON events.topics, events.event_topics, events.topic_follows TO meetmark_worker',
    );
    // other topics of an event are an edit of it, like another venue
    await runner.query(`
      CREATE FUNCTION events.keep_topics_edit(edited uuid) RETURNS void
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      DECLARE
        present integer;
      BEGIN
        UPDATE events.events
        SET version = version + (current_setting('meetmark.raised', true) IS DISTINCT FROM id::text)::integer
        WHERE id = edited RETURNING version INTO present;
        PERFORM set_config('meetmark.raised', edited::text, true);
        PERFORM events.keep_edit(edited, present, ARRAY['topics']);
      END $$`);
    await runner.query('REVOKE EXECUTE ON FUNCTION events.keep_topics_edit FROM PUBLIC');
    await runner.query('GRANT EXECUTE ON FUNCTION events.keep_topics_edit TO meetmark_events');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION events.keep_topics_edit');
    await runner.query('DROP TABLE events.topic_follows, events.event_topics, events.topics');
  }
}
