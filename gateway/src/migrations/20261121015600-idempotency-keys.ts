import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Answers of requests that carried an Idempotency-Key; `status` and `body` are null while the first is at work. */
export class IdempotencyKeys20261121015600 implements MigrationInterface {
  name = 'IdempotencyKeys20261121015600';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE gateway.idempotency_keys (
        user_id uuid NOT NULL
          CONSTRAINT idempotency_keys_user_id_fkey REFERENCES auth.users (id) ON DELETE CASCADE,
        key text NOT NULL,
        request_hash text NOT NULL,
        status smallint,
        body json,
        created_at timestamptz NOT NULL DEFAULT now(),
        expire timestamptz NOT NULL,
        CONSTRAINT idempotency_keys_pkey PRIMARY KEY (user_id, key),
        CONSTRAINT idempotency_keys_answer_check CHECK ((status IS NULL) = (body IS NULL))
      )`);
    await queryRunner.query('CREATE INDEX idempotency_keys_expire_idx ON gateway.idempotency_keys (expire)');
    await queryRunner.query(
      'GRANT SELECT, INSERT, UPDATE, DELETE ON gateway.idempotency_keys TO meetmark_gateway',
    );
    await queryRunner.query('GRANT SELECT, DELETE ON gateway.idempotency_keys TO meetmark_worker');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE gateway.idempotency_keys');
  }
}
