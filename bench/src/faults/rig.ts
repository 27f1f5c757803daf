import type { Replicas } from '@meetmark/scripts/stack/processes';
import { startTestStack, type TestStack } from '@meetmark/scripts/stack/test-stack';
import {
  expectNothingRefused,
  inTurns,
  type ManagedProcess,
  type PostgresServer,
  type RedisServer,
} from '@meetmark/testing';
import { daysFromNow, insertEvent } from '@meetmark/testing/factories/events';
import { SmtpSink } from '@meetmark/testing/mailbox/smtp-sink';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { insertCopies } from '../support/demo-rows.js';
import { Gateways, HIDDEN, Member } from './caller.js';
import { COLLECTING } from './process-watch.js';
import { FaultProxy } from './fault-proxy.js';

const PASSWORD = 'correct horse';
export const MEMBERS = 16;
const REPLICAS: Replicas = { gateway: 2, auth: 3, events: 3, admin: 1, worker: 2 };
/** Maximum concurrent sign-ins, because each hashes a password. */
const SIGN_INS = 4;
const OWNER_CONNECTIONS = 4;
const SIGNED_OUT = 204;

/**
 * Meetmark with several replicas on durable servers, with a proxy before each server. It also has signed-in
 * members and direct access to the database.
 */
export class Rig {
  private constructor(
    readonly stack: TestStack,
    readonly database: FaultProxy,
    readonly redis: FaultProxy,
    readonly smtp: FaultProxy,
    readonly sink: SmtpSink,
    readonly gateways: Gateways,
    private directly: pg.Pool,
    readonly members: Member[],
    readonly administrator: Member,
    readonly leaver: Member,
  ) {
    stack.stack.onUnexpectedExit((name, how) => this.ended.push({ name, how }));
  }

  private readonly ended: { name: string; how: string }[] = [];
  private readonly successors: { postgres?: ManagedProcess; redis?: RedisServer } = {};

  static async start(): Promise<Rig> {
    const undo: (() => Promise<unknown>)[] = [];
    try {
      return await Rig.build(undo);
    } catch (error) {
      for (const each of undo.toReversed()) await each();
      throw error;
    }
  }

  /** Builds the rig. Adds functions to `undo` that close everything after a failure. */
  private static async build(undo: (() => Promise<unknown>)[]): Promise<Rig> {
    const proxyBefore = async (url: string) => {
      const proxy = await FaultProxy.before(url);
      undo.push(() => proxy.close());
      return proxy;
    };
    const sink = await SmtpSink.start();
    undo.push(() => sink.close());
    const smtp = await proxyBefore(sink.url);
    const between: FaultProxy[] = [];
    const stack = await startTestStack({
      replicas: REPLICAS,
      durable: true,
      nodeArguments: () => COLLECTING,
      environment: { LOG_LEVEL: 'warn', FAREWELL: '1000', DATABASE_POOL_READY: '100' },
      proxyServers: async ({ databaseUrl, redisUrl }) => {
        for (const url of [databaseUrl, redisUrl]) between.push(await proxyBefore(url));
        return { databaseUrl: between[0]?.url ?? '', redisUrl: between[1]?.url ?? '', smtpUrl: smtp.url };
      },
    });
    undo.push(() => stack.stop());
    const [database, redis] = between as [FaultProxy, FaultProxy];
    const gateways = new Gateways(stack.gatewayUrls);
    const owner = ownerPool(stack.databaseUrl);
    undo.push(() => owner.end());
    const people = await createPeople(gateways, owner);
    return new Rig(stack, database, redis, smtp, sink, gateways, owner, ...people);
  }

  async stop(): Promise<void> {
    this.gateways.close();
    await this.owner.end();
    try {
      if (this.successors.redis !== undefined) await expectNothingRefused(this.redisUrl);
      await this.stack.stop();
    } finally {
      await this.successors.postgres?.stop();
      await this.successors.redis?.process.stop();
      await Promise.all([this.database.close(), this.redis.close(), this.smtp.close()]);
      await this.sink.close();
    }
  }

  get owner(): pg.Pool {
    return this.directly;
  }

  get databaseUrl(): string {
    return this.directly.options.connectionString ?? '';
  }

  async moveDatabaseTo({ url, process }: Pick<PostgresServer, 'url' | 'process'>): Promise<void> {
    const before = this.directly;
    this.directly = ownerPool(url);
    this.successors.postgres = process;
    process.onUnexpectedExit((how) => this.ended.push({ name: process.name, how }));
    this.database.leadTo(url);
    await before.end();
  }

  get redisUrl(): string {
    return this.successors.redis?.url ?? this.stack.redisUrl;
  }

  moveRedisTo(server: RedisServer): void {
    this.successors.redis = server;
    server.process.onUnexpectedExit((how) => this.ended.push({ name: server.process.name, how }));
    this.redis.leadTo(server.url);
  }

  endings(): string[] {
    return this.ended
      .splice(0)
      .map(({ name, how }) => `${name} (${how}) ended: ${lastWords(this.stack.logDirectory, name)}`);
  }

  get visitor(): Member {
    return new Member(this.gateways, '', '');
  }

  async newcomers(count: number, areAdministrators: boolean): Promise<Member[]> {
    const rows = await insertCopies(this.owner, this.administrator.id, count, areAdministrators);
    const people = rows.map(({ id, email }) => new Member(this.gateways, id, email));
    await inTurns(people, SIGN_INS, (each) => this.signIn(each));
    return people;
  }

  async signIn(member: Member): Promise<void> {
    await member.signIn({ email: member.email, password: PASSWORD });
  }

  async events(count: number, capacity: number | null = null): Promise<string[]> {
    const createdById = this.administrator.id;
    const rows = await inTurns(Array.from({ length: count }), OWNER_CONNECTIONS, () =>
      insertEvent(this.owner, { createdById, capacity, waitlistEnabled: true }),
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Adds drafts, which only administrators may see. They start early, so a list that leaked them would show
   * them first.
   */
  async drafts(count: number): Promise<string[]> {
    const given = {
      createdById: this.administrator.id,
      title: HIDDEN,
      status: 'draft',
      startDate: daysFromNow(0.5),
    } as const;
    const rows = await inTurns(Array.from({ length: count }), OWNER_CONNECTIONS, () =>
      insertEvent(this.owner, given),
    );
    return rows.map(({ id }) => id);
  }

  async strangers(count: number): Promise<string[]> {
    const people = await insertCopies(this.owner, this.administrator.id, count, false);
    return people.map(({ email }) => email);
  }

  async restore(): Promise<void> {
    for (const proxy of [this.database, this.redis, this.smtp]) await proxy.set({ kind: 'pass' });
    Object.assign(this.sink, { manners: 'take', slowness: 0 });
    for (const server of [this.server('postgres'), this.server('redis')])
      if (!server.running) await server.restart();
    for (const { process } of this.stack.stack.replicas) if (!process.running) await process.restart();
  }

  server(name: 'postgres' | 'redis') {
    const successor = name === 'postgres' ? this.successors.postgres : this.successors.redis?.process;
    const server = successor ?? this.stack.stack.servers.processes[name];
    if (server === undefined) throw new Error(`the stack has no ${name} of its own`);
    return server;
  }
}

/** Number of last lines to show if a log has no fatal line. */
const LAST_LINES = 5;
const LAST_WORDS = 2_000;

function lastWords(logDirectory: string, name: string): string {
  const file = path.join(logDirectory, `${name}.log`);
  if (!existsSync(file)) return 'it has no log';
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const said =
    lines.findLast((line) => line.includes('"level":"fatal"')) ?? lines.slice(-LAST_LINES).join(' ');
  return said.slice(0, LAST_WORDS);
}

function ownerPool(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: OWNER_CONNECTIONS });
  pool.on('error', () => undefined);
  return pool;
}

async function createPeople(gateways: Gateways, owner: pg.Pool): Promise<[Member[], Member, Member]> {
  const first = new Member(gateways, '', `first-${randomUUID()}@example.org`);
  const person = { firstName: 'First', lastName: 'Member', email: first.email, password: PASSWORD };
  const { id } = await first.signUp(person);
  const administrators = await insertCopies(owner, id, 1, true);
  const others = await insertCopies(owner, id, MEMBERS + 1, false);
  const everybody = [...administrators, ...others].map((row) => new Member(gateways, row.id, row.email));
  await inTurns(everybody, SIGN_INS, (each) => each.signIn({ email: each.email, password: PASSWORD }));
  const [administrator, leaver, ...members] = everybody as [Member, Member, ...Member[]];
  await leaver.expect(SIGNED_OUT, 'POST', '/api/logout');
  return [members, administrator, leaver];
}
