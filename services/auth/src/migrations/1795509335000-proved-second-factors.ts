import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/** A second factor keeps others out, so it is its owner's to add: of an account whose address nobody has proved it may be a stranger's. */
export class ProvedSecondFactors1795509335000 implements Migration {
  name = 'ProvedSecondFactors1795509335000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION auth.refuse_unproved_factor() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM FROM auth.users WHERE id = NEW.user_id AND email_verified_at IS NOT NULL FOR NO KEY UPDATE;
        IF NOT FOUND AND EXISTS (SELECT FROM auth.users WHERE id = NEW.user_id) THEN
          RAISE EXCEPTION 'a second factor before the address is verified'
            USING ERRCODE = 'check_violation', SCHEMA = 'auth', TABLE = 'second_factors',
                  CONSTRAINT = 'second_factors_verified';
        END IF;
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER second_factors_verified BEFORE INSERT ON auth.second_factors
      FOR EACH ROW EXECUTE FUNCTION auth.refuse_unproved_factor()`);
  }
}
