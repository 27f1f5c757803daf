import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who got in, who did not, and what changed about how. No name, address or network: what stands for them is keyed. */
export class SecurityEvents20261122084500 implements MigrationInterface {
  name = 'SecurityEvents20261122084500';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE gateway.security_events (
        id uuid CONSTRAINT security_events_pkey PRIMARY KEY,
        kind text NOT NULL,
        account text,
        network text NOT NULL,
        request_id text NOT NULL,
        at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT security_events_kind_check CHECK (char_length(kind) BETWEEN 1 AND 40),
        CONSTRAINT security_events_account_check CHECK (account ~ '^[\\w-]{22}$'),
        CONSTRAINT security_events_network_check CHECK (network ~ '^[\\w-]{22}$'),
        CONSTRAINT security_events_request_id_check CHECK (char_length(request_id) BETWEEN 1 AND 100)
      )`);
    await queryRunner.query(
      'CREATE INDEX security_events_at_idx ON gateway.security_events (at DESC, id DESC)',
    );
    await queryRunner.query(
      'CREATE INDEX security_events_account_idx ON gateway.security_events (account, at DESC, id DESC)',
    );
    await queryRunner.query('GRANT SELECT, INSERT ON gateway.security_events TO meetmark_gateway');
    await queryRunner.query('GRANT SELECT (id, at), DELETE ON gateway.security_events TO meetmark_worker');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE gateway.security_events');
  }
}
