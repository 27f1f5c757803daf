import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/** A pattern by its number, so that it follows the community's colours, and which part of a picture is shown in two shapes. */
export class Covers1795799551000 implements Migration {
  name = 'Covers1795799551000';

  async up(runner: QueryRunner): Promise<void> {
    // strict: no list stands for what is in it; the length bounds what else an object may have
    const isCrop = (column: string) => `CHECK (octet_length(${column}::text) <= 100 AND ${column} @?
        'strict $ ? (@.x >= 0 && @.x <= 1 && @.y >= 0 && @.y <= 1 && @.zoom >= 1 && @.zoom <= 3)')`;
    await runner.query(`
      ALTER TABLE events.events ADD COLUMN cover_pattern smallint, ADD COLUMN cover_square jsonb, ADD COLUMN cover_wide jsonb,
        ADD CONSTRAINT events_cover_pattern_check CHECK (cover_pattern BETWEEN 1 AND 8),
        ADD CONSTRAINT events_cover_square_check ${isCrop('cover_square')},
        ADD CONSTRAINT events_cover_wide_check ${isCrop('cover_wide')}`);
    await runner.query(
      `GRANT INSERT (cover_pattern, cover_square, cover_wide), UPDATE (cover_pattern, cover_square, cover_wide)
       ON events.events TO meetmark_events`,
    );
  }
}
