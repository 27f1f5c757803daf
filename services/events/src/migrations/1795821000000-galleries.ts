import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/** Pictures of an event for afterwards, each with its words. */
export class Galleries1795821000000 implements Migration {
  name = 'Galleries1795821000000';

  async up(runner: QueryRunner): Promise<void> {
    // counted: what lacks a property, or has another kind there, is in none of the conditions; the length bounds what else there may be
    await runner.query(`
      ALTER TABLE events.events ADD COLUMN gallery_pictures jsonb NOT NULL DEFAULT '[]',
        ADD CONSTRAINT events_gallery_pictures_check CHECK (
          CASE WHEN jsonb_typeof(gallery_pictures) = 'array' THEN
            jsonb_array_length(gallery_pictures) <= 8 AND octet_length(gallery_pictures::text) <= 20000
            AND jsonb_array_length(gallery_pictures) = jsonb_array_length(jsonb_path_query_array(gallery_pictures,
              'strict $[*] ? (@.id like_regex "^[0-9a-f-]{36}$" && @.hash like_regex "^[0-9a-f]{64}$" && @.alt like_regex "^.{1,250}$")'))
          ELSE false END)`);
    await runner.query(`GRANT UPDATE (gallery_pictures) ON events.events TO meetmark_events`);
    // asked whenever a picture is shown, and before one is collected; events are written seldom
    await runner.query(`
      CREATE INDEX events_gallery_pictures_idx ON events.events USING gin (gallery_pictures jsonb_path_ops)
      WITH (fastupdate = off) WHERE gallery_pictures <> '[]'`);
  }
}
