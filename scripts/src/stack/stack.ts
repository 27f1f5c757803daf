import { EarlierDatabaseError } from '@meetmark/platform/database/migrate';
import { anyFreePort } from '@meetmark/testing';
import fs from 'node:fs';
import path from 'node:path';
import { migrateAll } from '../migrations.js';
import { type BackingOptions, startBackingServers, type BackingServers } from './backing-servers.js';
import { poolSizeFor } from './connections.js';
import { siteUrl, type Surroundings } from './environment.js';
import { closeContents } from './private-directory.js';
import { PROCESSES, type ProcessName, type Replicas } from './processes.js';
import { type Replica, createReplica, type ReplicaOptions } from './replica.js';
import type { Secrets } from './secrets.js';

export type ServerUrls = Pick<BackingServers, 'databaseUrl' | 'redisUrl' | 'smtpUrl'>;

export interface StackOptions
  extends
    Omit<BackingOptions, 'redisPasswords'>,
    Pick<Surroundings, 'root' | 'host' | 'listenAt' | 'inherited' | 'secrets'>,
    Pick<ReplicaOptions, 'isBundled' | 'nodeArguments'> {
  replicas: Replicas;
  /** Port of the first gateway. The other gateways use higher ports. */
  port: number;
  /** Public URL, if it differs from the first gateway's URL. */
  publicUrl?: string;
  proxyServers?: (servers: ServerUrls) => Promise<ServerUrls>;
  prepareData?: (urls: { databaseUrl: string; redisUrl: string }) => Promise<void>;
}

/** @throws Error that names the folder to move, if an incompatible earlier build created the database */
export async function migrateDatabase(
  { databaseUrl, dataFolder }: Pick<BackingServers, 'databaseUrl' | 'dataFolder'>,
  { databasePasswords }: Pick<Secrets, 'databasePasswords'>,
): Promise<string[]> {
  try {
    return await migrateAll(databaseUrl, databasePasswords);
  } catch (error) {
    if (!(error instanceof EarlierDatabaseError) || dataFolder === undefined) throw error;
    throw new Error(
      `${error.message}\nMove its folder away and start again: mv ${dataFolder} ${dataFolder}-before`,
      { cause: error },
    );
  }
}

export class Stack {
  readonly replicas: Replica[] = [];
  private stopped: Promise<void> | undefined;

  private constructor(
    readonly servers: BackingServers,
    private readonly options: StackOptions,
  ) {}

  static async start(options: StackOptions): Promise<Stack> {
    const { redisPasswords } = options.secrets;
    const webRoot = keepWebFiles(options);
    const servers = await startBackingServers({ ...options, redisPasswords });
    const stack = new Stack(servers, options);
    try {
      const done = await migrateDatabase(servers, options.secrets);
      options.note(
        done.length > 0 ? `${done.length} migrations run` : 'The database is up to date',
        'migrate',
      );
      await stack.prepareReplicas(webRoot);
      const starting = [
        ...stack.replicas.map(({ process }) => process.start()),
        ...(options.prepareData ? [options.prepareData(servers)] : []),
      ];
      const failed = (await Promise.allSettled(starting)).find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
      return stack;
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  get gatewayUrls(): string[] {
    return this.replicas.flatMap(({ publicUrl }) => publicUrl ?? []);
  }

  replica(name: ProcessName, index = 0): Replica {
    const found = this.replicas.find((replica) => replica.name === name && replica.index === index);
    if (!found) throw new Error(`There is no ${name} number ${index}`);
    return found;
  }

  async kill(name: ProcessName, index: number, signal: NodeJS.Signals): Promise<void> {
    await this.replica(name, index).process.kill(signal);
  }

  async restart(name: ProcessName, index = 0): Promise<void> {
    await this.replica(name, index).process.restart();
  }

  onUnexpectedExit(listener: (name: string, how: string) => void): void {
    const processes = [
      ...Object.values(this.servers.processes).filter((each) => each !== undefined),
      ...this.replicas.map((replica) => replica.process),
    ];
    for (const each of processes) each.onUnexpectedExit((how) => listener(each.name, how));
  }

  stop(): Promise<void> {
    return (this.stopped ??= this.stopInOrder());
  }

  private async stopInOrder(): Promise<void> {
    const stopAll = (chosen: Replica[]) => Promise.all(chosen.map((replica) => replica.process.stop()));
    await stopAll(this.replicas.filter(({ name }) => name === 'gateway'));
    await stopAll(this.replicas.filter(({ name }) => name !== 'gateway'));
    await this.servers.stop();
  }

  private async prepareReplicas(webRoot: string): Promise<void> {
    const { options, servers } = this;
    const count = Object.values(options.replicas).reduce((sum, each) => sum + each, 0);
    const { databaseUrl, redisUrl, smtpUrl } = (await options.proxyServers?.(servers)) ?? servers;
    const around: Surroundings = {
      ...options,
      webRoot,
      databaseUrl,
      redisUrl,
      hasRedisUsers: servers.processes.redis !== undefined,
      smtpUrl,
      poolSize: await poolSizeFor(servers.databaseUrl, count),
      hasFront: options.publicUrl !== undefined,
      publicUrl: options.publicUrl ?? siteUrl(options.host, options.port),
    };
    for (const name of PROCESSES) {
      for (let index = 0; index < options.replicas[name]; index++) {
        const operations = await anyFreePort();
        const ports =
          name === 'gateway' ? { operations, public: await this.gatewayPort(index) } : { operations };
        const logDirectory = path.join(options.directory, 'logs');
        this.replicas.push(createReplica(name, index, { ...options, around, logDirectory, ports }));
      }
    }
  }

  private async gatewayPort(index: number): Promise<number> {
    return index === 0 ? this.options.port : this.options.pickPort(this.options.port + index);
  }
}

/**
 * Copies the built web application, so that a new build doesn't change the files in use. Returns the folder.
 */
export function keepWebFiles({ root, directory }: Pick<StackOptions, 'root' | 'directory'>): string {
  const built = path.join(root, 'web/dist');
  const kept = path.join(directory, 'web');
  fs.rmSync(kept, { recursive: true, force: true });
  fs.mkdirSync(kept, { recursive: true });
  // In development, Vite serves the web application, so the build may be missing.
  if (fs.existsSync(built)) fs.cpSync(built, kept, { recursive: true, preserveTimestamps: true });
  closeContents(kept);
  return kept;
}
