import type { Migration } from '@meetmark/platform/database/migrate';
import type { QueryRunner } from 'typeorm';

/**
 * The mail to a member who got a place from a waiting list that lapses: a link that verifies the address, for a week. It is all that the
 * worker may do, for an account that is not verified; asked again for the same flow it does nothing.
 */
export class HeldPlaces1795511222000 implements Migration {
  name = 'HeldPlaces1795511222000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE FUNCTION auth.mail_held_place(account_id uuid, place_event uuid, flow_id uuid, link bytea, sealed_link text, job text)
      RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
      BEGIN
        INSERT INTO auth.code_flows (id, purpose, user_id, email, event_id, link_hash, sealed, mail_at, expires_at, link_expires_at)
        SELECT flow_id, 'verify', u.id, lower(u.email), place_event, link, sealed_link, now(), now(), now() + interval '7 days'
        FROM auth.users u WHERE u.id = account_id AND u.email_verified_at IS NULL
        ON CONFLICT (id) DO NOTHING;
        IF FOUND THEN
          INSERT INTO auth.outbox (id, job, payload) VALUES (gen_random_uuid(), job, jsonb_build_object('flowId', flow_id));
          PERFORM pg_notify('outbox', 'auth');
        END IF;
      END $$`);
    const signature = 'auth.mail_held_place(uuid, uuid, uuid, bytea, text, text)';
    await runner.query(`REVOKE EXECUTE ON FUNCTION ${signature} FROM PUBLIC`);
    await runner.query(`GRANT EXECUTE ON FUNCTION ${signature} TO meetmark_worker`);
  }
}
