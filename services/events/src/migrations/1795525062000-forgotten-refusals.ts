import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/** With an account goes what a phone at the door has typed beside its address once the link had ended. */
export class ForgottenRefusals1795525062000 implements Migration {
  name = 'ForgottenRefusals1795525062000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION events.forget_refusals() RETURNS trigger
      LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        -- of an address that nobody has proved the account may be a stranger's
        IF OLD.email_verified_at IS NOT NULL THEN
          DELETE FROM events.door_refusals WHERE lower(guest_email) = lower(OLD.email);
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER users_forget_refusals AFTER DELETE ON auth.users
      FOR EACH ROW EXECUTE FUNCTION events.forget_refusals()`);
    await runner.query(`
      CREATE INDEX door_refusals_guest_email_idx ON events.door_refusals (lower(guest_email)) WHERE guest_email IS NOT NULL`);
  }
}
