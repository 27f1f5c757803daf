import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/** What is under way at a moment, without reading all that began before it. */
export class RunningEvents1795537775000 implements Migration {
  name = 'RunningEvents1795537775000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX events_running_idx ON events.events USING gist (tstzrange(start_date, end_date))',
    );
  }
}
