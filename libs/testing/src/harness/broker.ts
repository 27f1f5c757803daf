import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { expectNothingRefused } from '../embedded/redis-users.js';
import { Guardian } from './guardian.js';
import { type SharedServers, chooseServers } from './shared-servers.js';

/** Environment variable through which Jest's workers find the broker. */
export const BROKER_URL = 'MEETMARK_TEST_BROKER';
export const TEMPLATE_DATABASE = 'meetmark_template';

/** What the broker answers to `GET /postgres`. */
export interface SharedPostgres {
  /** Owner's connection string of the maintenance database. */
  url: string;
  rolePasswords: Record<string, string>;
}

/** Creates every schema and role in the database at `url`; resolves with the password of each role. */
type PrepareTemplate = (url: string) => Promise<Record<string, string>>;

const REDIS_DATABASES = 4096;

/**
 * Runs beside Jest's workers: brings up the run's one PostgreSQL and one Redis when the first test asks, and ends them.
 */
export class Broker {
  private readonly directory = fs.mkdtempSync(path.join(os.tmpdir(), 'meetmark-test-'));
  private readonly guardian = new Guardian();
  private readonly server = http.createServer((request, response) => void this.answer(request, response));
  private readonly shutdowns: (() => Promise<void>)[] = [];
  private postgres: Promise<SharedPostgres> | undefined;
  private redis: Promise<string> | undefined;
  private redisDatabases = 0;

  constructor(private readonly prepareTemplate: PrepareTemplate) {
    // The account that PostgreSQL runs as under root has to enter it.
    fs.chmodSync(this.directory, 0o755);
    this.guardian.removeAtEnd(this.directory);
  }

  /** Resolves with the address for the workers. */
  async listen(): Promise<string> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.server.unref();
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** @throws Error when Redis refused a process something in this run */
  async close(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    const [, redis] = await Promise.allSettled([this.postgres, this.redis]);
    try {
      if (redis.status === 'fulfilled' && redis.value !== undefined) await expectNothingRefused(redis.value);
    } finally {
      await Promise.all(this.shutdowns.map((shutdown) => shutdown()));
      await this.guardian.finish();
    }
  }

  private async answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    try {
      const body = await this.route(request.url ?? '/');
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? null));
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      response.writeHead(500, { 'content-type': 'text/plain' }).end(message);
    }
  }

  private async route(url: string): Promise<unknown> {
    const [, what, pid] = url.split('/');
    if (what === 'postgres') return (this.postgres ??= this.startPostgres());
    if (what === 'redis') {
      const base = await (this.redis ??= this.startRedis());
      // A numbered database of its own for each that asks: queues of parallel tests never meet.
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
