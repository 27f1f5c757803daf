import { fileURLToPath } from 'node:url';
import { databaseOptions } from '@meetmark/platform';
import { createConfig } from '@meetmark/platform/testing/test-service';
import { testDatabase, testRedis } from '@meetmark/testing';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { AdminConfig } from '../admin.config.js';
import { AuditEntryEntity } from '../audit/audit.repository.js';

export const COMMUNITY = fileURLToPath(new URL('../../../../config/demo/community.json', import.meta.url));

/** Opens a new database and Redis, configured as for the admin service. */
export async function openAdminStores() {
  const database = await testDatabase();
  const own = {
    name: 'admin' as const,
    config: AdminConfig,
    pool: 10,
    values: { communityConfig: COMMUNITY },
  };
  const redis = await testRedis();
  const config = createConfig(own, database, redis);
  const dataSource = await new DataSource(
    databaseOptions(config, { schema: 'admin', entities: [AuditEntryEntity] }),
  ).initialize();
  const owner = new pg.Pool({ connectionString: database.url, max: 3 });
  return {
    config,
    database,
    redis,
    dataSource,
    owner,
    close: async () => {
      await dataSource.destroy();
      await owner.end();
      await database.drop();
    },
  };
}

export type AdminStores = Awaited<ReturnType<typeof openAdminStores>>;
