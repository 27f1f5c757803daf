import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/** A search of the guest list finds people without an account by an index of their names and addresses, as it does members. */
export class NamedGuestsSearch1795514328000 implements Migration {
  name = 'NamedGuestsSearch1795514328000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX event_registrations_named_search_idx ON events.event_registrations
      USING gin (lower(coalesce(guest_name, added_as) || ' ' || coalesce(guest_email, '')) public.gin_trgm_ops)
      WHERE guest_name IS NOT NULL OR added_as IS NOT NULL`);
  }
}
