import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Answers about a deleted account that were kept for another one's Idempotency-Key; its own go by the foreign key. */
export class Deletion20261122081000 implements MigrationInterface {
  name = 'Deletion20261122081000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE FUNCTION gateway.forget_user() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
      BEGIN
        DELETE FROM gateway.idempotency_keys WHERE strpos(body::text, OLD.id::text) > 0;
        RETURN NULL;
      END $$`);
    await queryRunner.query(`
      CREATE TRIGGER users_forget_in_gateway AFTER DELETE ON auth.users
      FOR EACH ROW EXECUTE FUNCTION gateway.forget_user()`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TRIGGER users_forget_in_gateway ON auth.users');
    await queryRunner.query('DROP FUNCTION gateway.forget_user');
  }
}
