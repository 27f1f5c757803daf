import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Identity, Message } from '@meetmark/contracts';
import { type Call, runInCall, StartedCall } from '@meetmark/platform';
import { validated } from '@meetmark/platform/rpc/validation';
import {
  openServiceContext,
  serviceForTests,
  type TestService,
} from '@meetmark/platform/testing/test-service';
import { emptyTables, type TestDatabase } from '@meetmark/testing';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import { EventsConfig } from '../events.config.js';
import { EventsServiceModule } from '../events-service.module.js';

export const EVENTS = {
  name: 'events' as const,
  module: EventsServiceModule,
  config: EventsConfig,
  pool: 10,
  values: {
    communityConfig: new URL('../../../../config/demo/community.json', import.meta.url).pathname,
    publicUrl: 'https://meetmark.example',
    guestCodeSecrets: ['a secret of the codes of guests in tests'],
  },
};

export interface TestEvents extends TestService<EventsConfig> {
  empty(): Promise<void>;
  members(count: number): Promise<string[]>;
  administrator(): Promise<Identity>;
}

export async function openEvents(database?: TestDatabase): Promise<TestEvents> {
  const service = await openServiceContext(EVENTS, database);
  return {
    ...service,
    empty: () =>
      emptyTables(service.owner, ['events.events', 'events.slugs', 'events.deleted_events', 'events.outbox']),
    members: async (count) => {
      const ids: string[] = [];
      for (let made = 0; made < count; made += 1) ids.push((await insertUser(service.owner)).id);
      return ids;
    },
    administrator: async () => ({
      sub: (await insertAdministrator(service.owner)).id,
      isAdmin: true,
      epoch: 1,
    }),
  };
}

export const eventsForTests = () => serviceForTests(openEvents);

/** Creates a call. The caller is an identity, the id of a member, or null for a visitor. */
export function createCall(caller: string | (Pick<Identity, 'sub'> & Partial<Identity>) | null): Call {
  const who = typeof caller === 'string' ? { sub: caller } : caller;
  const identity = who && { isAdmin: false, epoch: 1, ...who };
  return new StartedCall({ identity, requestId: 'test', timeLeft: 60_000 });
}

interface Refusal {
  code?: string;
  cause?: { code?: string; driverError?: { code?: string } };
}

const DEADLOCK = '40P01';

/**
 * Retries while the service is busy, because these tests must pass on slow machines. Doesn't retry deadlocks.
 * Yields to the event loop between attempts.
 */
export async function persistently<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const { code = '', cause } = error as Refusal;
      const state = cause?.driverError?.code ?? cause?.code;
      if (!code.startsWith('SERVICE_') || state === DEADLOCK) throw error;
      await nextTurn();
    }
  }
}

type Handle = (request: object, call: StartedCall) => Promise<unknown>;

/** Calls a message handler directly, without transport, guard and deadline. */
export async function askHandler<T>(
  service: Pick<TestEvents, 'get'>,
  message: Message,
  request: object,
  identity: Identity | null,
): Promise<T> {
  const call = new StartedCall({ identity, requestId: 'test', timeLeft: 60_000 });
  const valid = await validated(message.request, request);
  return (await runInCall(call, () => findHandler(service, message)(valid, call))) as T;
}

function findHandler(service: Pick<TestEvents, 'get'>, { name }: Message): Handle {
  const controllers = Reflect.getMetadata('controllers', EventsServiceModule) as (new () => object)[];
  for (const controller of controllers)
    for (const [method, { value }] of Object.entries(
      Object.getOwnPropertyDescriptors(controller.prototype),
    )) {
      const patterns = Reflect.getMetadata('microservices:pattern', value as object) as string[] | undefined;
      if (patterns?.includes(name) !== true) continue;
      const instance = service.get(controller) as Record<string, Handle>;
      return (request, call) => instance[method]!(request, call);
    }
  throw new Error(`no handler for ${name}`);
}
