import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expectNothingRefused } from '../embedded/redis-users.js';
import { until } from '../embedded/wait.js';
import { Guardian } from './guardian.js';
import { type SharedServers, chooseServers } from './shared-servers.js';

export const BROKER_URL = 'MEETMARK_TEST_BROKER';
export const TEMPLATE_DATABASE = 'meetmark_template';

export interface SharedPostgres {
  url: string;
  rolePasswords: Record<string, string>;
}

/** Creates all schemas and roles in the database at `url`. Returns the roles' passwords. */
type PrepareTemplate = (url: string) => Promise<Record<string, string>>;

const REDIS_DATABASES = 4096;
/** Milliseconds that workers have to end what spec files share. */
const ENDING_MS = 60_000;

/**
 * Runs next to Jest's workers. Starts the shared PostgreSQL and Redis when a test needs them, and stops them
 * at the end.
 */
export class Broker {
  private readonly directory = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-test-'));
  private readonly guardian = new Guardian();
  private readonly server = http.createServer((request, response) => void this.answer(request, response));
  private readonly shutdowns: (() => Promise<void>)[] = [];
  private readonly ends: (() => Promise<unknown>)[] = [];
  /** Unanswered requests of workers that must end something before the servers stop. */
  private readonly held = new Set<http.ServerResponse>();
  private postgres: Promise<SharedPostgres> | undefined;
  private redis: Promise<string> | undefined;
  private redisDatabases = 0;

  constructor(private readonly prepareTemplate: PrepareTemplate) {
    // PostgreSQL's account must be able to enter the directory.
    fs.chmodSync(this.directory, 0o755);
    this.guardian.removeAtEnd(this.directory);
  }

  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.server.unref();
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Runs `end` before the servers stop. */
  endFirst(end: () => Promise<unknown>): void {
    this.ends.push(end);
  }

  /** @throws Error if Redis has rejected a command of a process in this run */
  async close(): Promise<void> {
    const ended = Promise.all(this.ends.map((end) => end()));
    for (const response of this.held) response.flushHeaders();
    const released = until('the end of all workers', ENDING_MS, async () => this.held.size === 0);
    const [end] = await Promise.allSettled([Promise.all([ended, released])]);
    this.server.close();
    this.server.closeAllConnections();
    const [, redis] = await Promise.allSettled([this.postgres, this.redis]);
    try {
      if (end.status === 'rejected') throw end.reason;
      if (redis.status === 'fulfilled' && redis.value !== undefined) await expectNothingRefused(redis.value);
    } finally {
      await Promise.all(this.shutdowns.map((shutdown) => shutdown()));
      await this.guardian.finish();
    }
  }

  private async answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    if (request.url === '/hold') return this.hold(response);
    try {
      const body = await this.route(request.url ?? '/');
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? null));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      response.writeHead(500, { 'content-type': 'text/plain' }).end(message);
    }
  }

  private hold(response: http.ServerResponse): void {
    this.held.add(response);
    response.once('close', () => this.held.delete(response));
  }

  private async route(url: string): Promise<unknown> {
    const [, what, pid] = url.split('/');
    if (what === 'postgres') return (this.postgres ??= this.startPostgres());
    if (what === 'redis') {
      const base = await (this.redis ??= this.startRedis());
      // Each caller gets its own database, so that parallel tests don't share queues.
      return { url: `${base}/${this.redisDatabases++ % REDIS_DATABASES}` };
    }
    if (what === 'guard') return this.guardian.guard(Number(pid));
    if (what === 'release') return this.guardian.release(Number(pid));
    throw new Error(`The test broker knows nothing about ${url}`);
  }

  private async startPostgres(): Promise<SharedPostgres> {
    const { url, stop } = await (await this.servers()).postgres(TEMPLATE_DATABASE);
    this.shutdowns.push(stop);
    const rolePasswords = await this.prepareTemplate(url);
    return { url: url.replace(new RegExp(`${TEMPLATE_DATABASE}$`), 'postgres'), rolePasswords };
  }

  private async startRedis(): Promise<string> {
    const { url, stop } = await (await this.servers()).redis(REDIS_DATABASES);
    this.shutdowns.push(stop);
    return url;
  }

  private servers(): Promise<SharedServers> {
    return chooseServers(this.directory, (pid) => this.guardian.guard(pid));
  }
}
