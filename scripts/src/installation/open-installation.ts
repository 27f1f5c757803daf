import { fileURLToPath } from 'node:url';
import { AdminConfig } from '@meetmark/admin/admin.config';
import { AdminModule } from '@meetmark/admin/admin.module';
import { AuthConfig } from '@meetmark/auth/auth.config';
import { AuthModule } from '@meetmark/auth/auth.module';
import { EventsConfig } from '@meetmark/events/events.config';
import { EventsServiceModule } from '@meetmark/events/events-service.module';
import { GatewayConfig } from '@meetmark/gateway/gateway.config';
import { openGateway } from '@meetmark/gateway/open-gateway';
import { createLogger, NestLogger, PlatformModule, Readiness, type ServiceConfig } from '@meetmark/platform';
import { TEST_KEYS } from '@meetmark/platform/testing/test-keys';
import { createConfig, serve, serviceForTests } from '@meetmark/platform/testing/test-service';
import { testDatabase, testRedis } from '@meetmark/testing';
import { insertAdministrator } from '@meetmark/testing/factories/users';
import pg from 'pg';
import { ApiDescription } from './api-description.js';
import { openPeople, type People } from './people.js';

const findFile = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const SITE = {
  communityConfig: findFile('config/demo/community.json'),
  publicUrl: 'https://meetmark.example',
};
const POOL = 5;

/**
 * An installation without a worker. `visitor` and other clients fail the test if the API description doesn't
 * describe a response.
 */
interface Installation extends People {
  api: ApiDescription;
  publicUrl: string;
  close(): Promise<void>;
}

/** Starts the gateway and the services in this process, with an empty database. */
async function openInstallation(): Promise<Installation> {
  const [database, redis] = await Promise.all([testDatabase(), testRedis()]);
  const owner = new pg.Pool({ connectionString: database.url, max: 3 });
  // Without an administrator, nobody could sign up.
  await insertAdministrator(owner);
  const open = <Config extends ServiceConfig>(
    definition: Pick<Parameters<typeof serve<Config>>[0], 'name' | 'module' | 'config'>,
    values: Partial<Config>,
  ) => serve(definition, createConfig({ ...definition, pool: POOL, values }, database, redis));
  const services = await Promise.all([
    open<AuthConfig>(
      { name: 'auth', module: AuthModule, config: AuthConfig },
      {
        resetCodeSecrets: ['a-reset-code-secret-for-tests-of-installations'],
        secondFactorSecrets: ['a-second-factor-secret-for-tests-of-installations'],
      },
    ),
    open<EventsConfig>(
      { name: 'events', module: EventsServiceModule, config: EventsConfig },
      { ...SITE, guestCodeSecrets: ['a secret of the codes of guests in tests'], rateLimitProfile: 'test' },
    ),
    open<AdminConfig>({ name: 'admin', module: AdminModule, config: AdminConfig }, SITE),
  ]);
  const config = Object.assign(new GatewayConfig(), {
    ...{ ...SITE, ...TEST_KEYS, ...database.configFor('meetmark_gateway', POOL) },
    redisUrl: redis.urlFor('gateway'),
    sessionSecrets: ['a-session-secret-for-tests-of-installations'],
    linkSecrets: ['a-link-secret-for-tests-of-installations'],
    webRoot: findFile('web/dist'),
    ...{ nodeEnv: 'test', logLevel: 'silent', rateLimitProfile: 'test' },
    ...{ host: '127.0.0.1', port: 0, farewell: 0 },
  });
  const readiness = new Readiness();
  const gateway = await openGateway({
    config,
    platform: PlatformModule.forProcess(GatewayConfig, config, readiness),
    logger: new NestLogger(createLogger({ name: 'gateway', level: 'silent' })),
    readiness,
  });
  const api = await ApiDescription.read(gateway.url);
  const people = await openPeople(gateway.url, owner, async (call, answer) => {
    if (!/^\/(api|media)\//i.test(call.path)) return;
    const faults = api.faults(call, answer);
    if (faults.length > 0) throw new Error(`${faults.join('\n')}\n${answer.text.slice(0, 500)}`);
  });
  return {
    ...people,
    api,
    publicUrl: SITE.publicUrl,
    close: async () => {
      await gateway.stop();
      await Promise.all(services.map((service) => service.stop()));
      await owner.end();
      await database.drop();
    },
  };
}

export const installationForTests = () => serviceForTests(openInstallation);
