import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/**
 * Pictures of maps, as their provider drew them. `key` is the hash of what was asked for, so another address of a venue, or of the
 * provider, has another row, and none names an event. The worker removes old ones.
 */
export class Maps1795822000000 implements Migration {
  name = 'Maps1795822000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE gateway.maps (
        key bytea PRIMARY KEY,
        picture bytea NOT NULL,
        fetched_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT maps_key_check CHECK (octet_length(key) = 32),
        CONSTRAINT maps_picture_check CHECK (octet_length(picture) BETWEEN 1 AND 358400)
      )`);
    await runner.query('CREATE INDEX maps_fetched_at_idx ON gateway.maps (fetched_at)');
    await runner.query('GRANT SELECT, INSERT (key, picture) ON gateway.maps TO meetmark_gateway');
    await runner.query('GRANT SELECT (key, fetched_at), DELETE ON gateway.maps TO meetmark_worker');
  }
}
