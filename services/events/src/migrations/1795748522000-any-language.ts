import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/** Any language: which ones the product has is said in one place, and readers of the column leave out what they do not know. */
export class AnyLanguage1795748522000 implements Migration {
  name = 'AnyLanguage1795748522000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events.subscription_requests DROP CONSTRAINT subscription_requests_locale_check,
        ADD CONSTRAINT subscription_requests_locale_check CHECK (locale ~ '^[a-z]{2,3}(-[A-Z]{2})?$');
      ALTER TABLE events.subscriptions DROP CONSTRAINT subscriptions_locale_check,
        ADD CONSTRAINT subscriptions_locale_check CHECK (locale ~ '^[a-z]{2,3}(-[A-Z]{2})?$');`);
  }
}
