import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Identity, Message } from '@meetmark/contracts';
import { databaseOptions } from '@meetmark/platform';
import { openCaller } from '@meetmark/platform/testing/open-service';
import { createConfig, serve } from '@meetmark/platform/testing/test-service';
import { testDatabase, testRedis } from '@meetmark/testing';
import { insertAdministrator } from '@meetmark/testing/factories/users';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { AdminConfig } from '../admin.config.js';
import { AdminModule } from '../admin.module.js';
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

/** Starts replicas of the admin service and inserts an administrator named Ada Byron. */
export async function openAdmin(values: Partial<AdminConfig> = {}, replicas = 1) {
  const stores = await openAdminStores();
  Object.assign(stores.config, values);
  const definition = { name: 'admin', module: AdminModule, config: AdminConfig } as const;
  const running = await Promise.all(Array.from({ length: replicas }, () => serve(definition, stores.config)));
  const caller = await openCaller(stores.config);
  const administrator: Identity = {
    ...{ sub: randomUUID(), isAdmin: true, isOrganiser: false, epoch: 1, confirmedAt: Date.now() },
  };
  await insertAdministrator(stores.owner, { id: administrator.sub, firstName: 'Ada', lastName: 'Byron' });
  return {
    ...stores,
    administrator,
    send: <Req extends object, Res>(
      message: Message<Req, Res>,
      request: Req,
      identity: Identity | null = administrator,
    ) => caller.rpc.call(message, request, { identity }),
    close: async () => {
      caller.close();
      await Promise.all(running.map((service) => service.stop()));
      await stores.close();
    },
  };
}
