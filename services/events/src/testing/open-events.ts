import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Identity } from '@meetmark/contracts';
import {
  openServiceContext,
  serviceForTests,
  type TestService,
} from '@meetmark/platform/testing/test-service';
import { emptyTables, type TestDatabase } from '@meetmark/testing';
import { insertAdministrator, insertUser } from '@meetmark/testing/factories/users';
import { EventsConfig } from '../events.config.js';
import { EventsServiceModule } from '../events-service.module.js';

/** The service as tests configure it. */
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
  /** Removes every event and what hangs on it. */
  empty(): Promise<void>;
  /** Ids of so many new members. */
  members(count: number): Promise<string[]>;
  /** A new administrator, as a token says. */
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

/** One events service for all tests of a `describe`. */
export const eventsForTests = () => serviceForTests(openEvents);

interface Refusal {
  code?: string;
  cause?: { code?: string; driverError?: { code?: string } };
}

const DEADLOCK = '40P01';

/**
 * Asks again while the service says that it is busy, as a client may: a slow machine is not what is tested. A deadlock is. A refusal may
 * come without waiting for anything: a turn of the event loop between two lets the service catch up.
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
