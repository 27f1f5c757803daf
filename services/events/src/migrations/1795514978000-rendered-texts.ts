import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/**
 * What an event's Markdown became, beside what was typed. `source` says of which text: a row of another one, which a replica of the version
 * before this leaves behind, is made anew in the background, as is one of another renderer.
 */
export class RenderedTexts1795514978000 implements Migration {
  name = 'RenderedTexts1795514978000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE events.rendered_texts (
        event_id uuid CONSTRAINT rendered_texts_pkey PRIMARY KEY,
        source text NOT NULL,
        renderer smallint NOT NULL,
        made_at timestamptz(3) NOT NULL DEFAULT now(),
        description_html text,
        description_text text,
        recap_html text,
        CONSTRAINT rendered_texts_event_id_fkey FOREIGN KEY (event_id) REFERENCES events.events (id) ON DELETE CASCADE,
        CONSTRAINT rendered_texts_source_check CHECK (source ~ '^[0-9a-f]{32}$')
      )`);
    const columns = 'source, renderer, made_at, description_html, description_text, recap_html';
    await runner.query(`
      GRANT SELECT, INSERT (event_id, ${columns}), UPDATE (${columns}) ON events.rendered_texts TO meetmark_events`);
  }
}
