import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CreateEventRequest, Identity, Message, RegistrationStatus } from '@meetmark/contracts';
import { type Call, runInCall, StartedCall } from '@meetmark/platform';
import { validated } from '@meetmark/platform/rpc/validation';
import {
  openServiceContext,
  serviceForTests,
  type TestService,
} from '@meetmark/platform/testing/test-service';
import { emptyTables, type TestDatabase, until } from '@meetmark/testing';
import { insertAdministrator, insertUser, type UserRow } from '@meetmark/testing/factories/users';
import type { Type } from '@nestjs/common';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { EventsConfig } from '../events.config.js';
import { EventsServiceModule } from '../events-service.module.js';

const EVENTS = {
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

/** Id of no row. */
export const UNKNOWN = '0197f000-0000-7000-8000-000000000000';

/** Milliseconds until a test gives up waiting for a lock, on a slow machine. */
const PATIENCE = 60_000;

export interface TestEvents extends TestService<EventsConfig> {
  empty(): Promise<void>;
  /** Runs a statement as the owner and returns its rows. */
  rows<Row extends pg.QueryResultRow = pg.QueryResult['rows'][number]>(
    statement: string,
    ...values: unknown[]
  ): Promise<Row[]>;
  /** Runs a statement as the owner and returns its first row. */
  row(statement: string, ...values: unknown[]): Promise<pg.QueryResult['rows'][number]>;
  /** Inserts members and returns their ids, which increase. */
  members(count: number): Promise<string[]>;
  /** Inserts a user and returns the identity in that user's tokens. */
  person(given?: Partial<UserRow>): Promise<Identity>;
  administrator(): Promise<Identity>;
  deleteUser(id: string): Promise<unknown>;
  /** Inserts registrations in the order of `userIds`, and returns their ids. */
  register(eventId: string, userIds: string[], status?: RegistrationStatus): Promise<string[]>;
  checkIn(...registrationIds: string[]): Promise<unknown>;
  /** Makes a member a co-host who has agreed. */
  addCoHost(eventId: string, userId: string, position?: number): Promise<unknown>;
  /** Returns the capacity, the counts and the version of an event. */
  counts(eventId: string): Promise<EventCounts>;
  /** Runs `work` while a transaction holds the locks of a statement about `id`. */
  whileLocked<T>(statement: string, id: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T>;
  /** Waits until `count` connections wait for a lock. */
  lockWaits(count?: number): Promise<unknown>;
  /**
   * Counts the 8 kB pages that PostgreSQL reads for the queries of `work`, by repeating them. Ignores queries
   * for totals.
   */
  pagesRead<T>(work: () => Promise<T>): Promise<[read: number, result: T]>;
}

interface EventCounts {
  capacity: number | null;
  registered: number;
  waiting: number;
  version: number;
}

export async function openEvents(database?: TestDatabase, pool = EVENTS.pool): Promise<TestEvents> {
  const service = await openServiceContext({ ...EVENTS, pool }, database);
  const { owner } = service;
  const rows: TestEvents['rows'] = async (statement, ...values) =>
    (await owner.query(statement, values)).rows;
  return {
    ...service,
    rows,
    row: async (...given) => (await rows(...given))[0],
    empty: () =>
      emptyTables(owner, ['events.events', 'events.slugs', 'events.deleted_events', 'events.outbox']),
    members: async (count) => {
      const ids = Array.from({ length: count }, () => uuid());
      await owner.query(
        `INSERT INTO auth.users (id, email, password_hash, first_name, last_name, email_verified_at)
         SELECT id, 'member-' || id || '@example.com', '$argon2id$unusable', 'Ada', 'Lovelace', now()
         FROM unnest($1::uuid[]) AS id`,
        [ids],
      );
      return ids;
    },
    person: async (given) => {
      const { id: sub, isAdmin, isOrganiser } = await insertUser(owner, given);
      return { sub, isAdmin, isOrganiser, epoch: 1 };
    },
    administrator: async () => ({ sub: (await insertAdministrator(owner)).id, isAdmin: true, epoch: 1 }),
    deleteUser: (id) => owner.query('DELETE FROM auth.users WHERE id = $1', [id]),
    register: async (eventId, userIds, status = 'registered') => {
      const ids = userIds.map(() => uuid());
      await owner.query(
        `INSERT INTO events.event_registrations (id, event_id, user_id, status, registered_at, show_me)
         SELECT id, $1, user_id, $2, now() + (n - $3) * interval '1 ms', 'name'
         FROM unnest($4::uuid[], $5::uuid[]) WITH ORDINALITY AS given(id, user_id, n)`,
        [eventId, status, ids.length, ids, userIds],
      );
      return ids;
    },
    checkIn: (...ids) =>
      owner.query(
        "UPDATE events.event_registrations SET checked_in_at = now(), checked_in_by = 'door' WHERE id = ANY ($1)",
        [ids],
      ),
    addCoHost: (eventId, userId, position = 0) =>
      owner.query(
        `INSERT INTO events.event_people (event_id, role, position, user_id, agreed_at, manages, manages_agreed_at)
         VALUES ($1, 'host', $2, $3, now(), true, now())`,
        [eventId, position, userId],
      ),
    counts: async (eventId) => {
      const [found] = await rows<EventCounts>(
        `SELECT capacity, registration_count AS registered, waiting_count AS waiting, version
         FROM events.events WHERE id = $1`,
        eventId,
      );
      return found!;
    },
    whileLocked: async (statement, id, work) => {
      const client = await owner.connect();
      try {
        await client.query('BEGIN');
        await client.query(statement, [id]);
        return await work(client);
      } finally {
        await client.query('COMMIT');
        client.release();
      }
    },
    lockWaits: (count = 1) =>
      until(`${count} to wait for a lock`, PATIENCE, async () => {
        const waiting = await rows(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        );
        return waiting.length >= count;
      }),
    pagesRead: (work) => countPages(service, work),
  };
}

async function countPages<T>(
  { get, owner }: TestService<EventsConfig>,
  work: () => Promise<T>,
): Promise<[number, T]> {
  const dataSource = get(DataSource);
  const { logger } = dataSource;
  const sent: [string, unknown[]?][] = [];
  const logQuery = (sql: string, parameters?: unknown[]) => void sent.push([sql, parameters]);
  dataSource.logger = { ...logger, logQuery };
  const result = await work().finally(() => (dataSource.logger = logger));
  let read = 0;
  for (const [sql, parameters] of sent) {
    if (!/^(SELECT|WITH)/.test(sql) || sql.includes('"matching"')) continue;
    const explain = () => owner.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`, parameters);
    await explain(); // the first query of a connection also reads the catalogue
    const { Plan: plan } = (await explain()).rows[0]['QUERY PLAN'][0];
    read += plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  }
  return [read, result];
}

/** A request for a new event of two hours. */
export const eventForm = (given: Partial<CreateEventRequest> = {}): CreateEventRequest => ({
  title: 'Search marketing meetup',
  description: null,
  startDate: '2031-05-01T17:00:00.000Z',
  endDate: '2031-05-01T19:00:00.000Z',
  location: null,
  price: null,
  capacity: null,
  banner: { action: 'remove' },
  ...given,
});

export const eventsForTests = () => serviceForTests(() => openEvents());

/** Returns a stand-in for a service, because the application opens after tests are defined. */
export const inject = <T extends object>(events: Pick<TestEvents, 'get'>, type: Type<T>): T =>
  new Proxy({} as T, {
    get(_, name) {
      const service = events.get(type);
      const value: unknown = Reflect.get(service, name);
      return typeof value === 'function' ? (value.bind(service) as unknown) : value;
    },
  });

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
