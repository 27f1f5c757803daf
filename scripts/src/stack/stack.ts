import { anyFreePort, type ManagedProcess } from '@meetmark/testing';
import fs from 'node:fs';
import path from 'node:path';
import { migrateAll } from '../migrations.js';
import { startBackingServers, type BackingServers } from './backing-servers.js';
import { poolSizeFor } from './connections.js';
import { siteUrl, type Surroundings } from './environment.js';
import { PROCESSES, type ProcessName, type Replicas } from './processes.js';
import { Replica } from './replica.js';
import type { Secrets } from './secrets.js';

/** Where the processes find what they stand on. */
export type ServerUrls = Pick<BackingServers, 'databaseUrl' | 'redisUrl' | 'smtpUrl'>;

export interface StackOptions {
  /** Root of the repository. */
  root: string;
  /** Where data, logs and mail live. */
  directory: string;
  replicas: Replicas;
  secrets: Secrets;
  /** False trades crash safety for speed: throw-away stacks only. */
  durable: boolean;
  /** Hands out a port, near the wanted one when the user will see it. */
  pickPort: (wanted: number) => Promise<number>;
  /** Port of the first gateway; the others follow. */
  port: number;
  /** Where browsers reach the site, when that is not the first gateway itself. */
  publicUrl?: string;
  /** Name or address at which the gateways are reached. */
  host: string;
  /** IP address at which the gateways listen. */
  listenAt: string;
  /** Servers of the user's own, used instead of ours. */
  databaseUrl?: string;
  redisUrl?: string;
  smtpUrl?: string;
  /** Variables for every process, such as LOG_LEVEL. */
  inherited: NodeJS.ProcessEnv;
  /** Unless false, processes run from their bundles: a change of a library needs all of these again. */
  isBundled?: boolean;
  /** For node itself, such as those of its profiler. */
  nodeArguments?: (name: ProcessName) => string[];
  note: (message: string, source: string) => void;
  onSpawn: (name: string, pid: number) => void;
  /** What the processes get in place of the servers' own addresses; by default those. */
  inFrontOf?: (servers: ServerUrls) => Promise<ServerUrls>;
  /** Fills the database before it is migrated. */
  restoreData?: (databaseUrl: string) => Promise<void>;
  /** Runs on the migrated database while the processes start. */
  prepareData?: (urls: { databaseUrl: string; redisUrl: string }) => Promise<void>;
}

/** Meetmark with all its processes: how `npm start`, the browser stories and the benchmarks bring it up. */
export class Stack {
  readonly replicas: Replica[] = [];
  private stopped: Promise<void> | undefined;

  private constructor(
    readonly servers: BackingServers,
    private readonly options: StackOptions,
  ) {}

  /** Resolves when every replica says that it is ready; stops what has been started when one fails. */
  static async start(options: StackOptions): Promise<Stack> {
    const { redisPasswords } = options.secrets;
    const webRoot = keepWebFiles(options);
    const servers = await startBackingServers({ ...options, redisPasswords });
    const stack = new Stack(servers, options);
    try {
      await options.restoreData?.(servers.databaseUrl);
      const done = await migrateAll(servers.databaseUrl, options.secrets.databasePasswords);
      options.note(
        done.length > 0 ? `${done.length} migrations run` : 'the database is up to date',
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

  /** Where each gateway listens. */
  get gatewayUrls(): string[] {
    return this.replicas.flatMap(({ publicUrl }) => publicUrl ?? []);
  }

  /** Health and metrics of every replica. */
  get operationsUrls(): string[] {
    return this.replicas.map(({ operationsUrl }) => operationsUrl);
  }

  /** @throws Error when no such replica was started */
  replica(name: ProcessName, index = 0): Replica {
    const found = this.replicas.find((replica) => replica.name === name && replica.index === index);
    if (!found) throw new Error(`There is no ${name} number ${index}`);
    return found;
  }

  /** Resolves when the process is gone. */
  async kill(name: ProcessName, index: number, signal: NodeJS.Signals): Promise<void> {
    await this.replica(name, index).process.kill(signal);
  }

  /** Starts the replica (again), on the same ports; resolves when it is ready. */
  async restart(name: ProcessName, index = 0): Promise<void> {
    await this.replica(name, index).process.restart();
  }

  /** Calls back when anything ends without being stopped. */
  onUnexpectedExit(listener: (name: string, how: string) => void): void {
    const servers = Object.values(this.servers.processes).filter(
      (each): each is ManagedProcess => each !== undefined,
    );
    for (const each of servers) each.onUnexpectedExit((how) => listener(each.name, how));
    for (const each of this.replicas) each.onUnexpectedExit((how) => listener(each.process.name, how));
  }

  /** Gateways first, then the services, then what they stand on. Safe to call again. */
  stop(): Promise<void> {
    return (this.stopped ??= this.stopInOrder());
  }

  private async stopInOrder(): Promise<void> {
    const stopAll = (chosen: Replica[]) => Promise.all(chosen.map((replica) => replica.stop()));
    await stopAll(this.replicas.filter(({ name }) => name === 'gateway'));
    await stopAll(this.replicas.filter(({ name }) => name !== 'gateway'));
    await this.servers.stop();
  }

  private async prepareReplicas(webRoot: string): Promise<void> {
    const { options, servers } = this;
    const count = Object.values(options.replicas).reduce((sum, each) => sum + each, 0);
    const { databaseUrl, redisUrl, smtpUrl } = (await options.inFrontOf?.(servers)) ?? servers;
    const around: Surroundings = {
      ...options,
      webRoot,
      databaseUrl,
      redisUrl,
      hasRedisUsers: servers.processes.redis !== undefined,
      smtpUrl,
      // A process that is not bundled is replaced while it serves: there are two of it then.
      poolSize: await poolSizeFor(servers.databaseUrl, options.isBundled === false ? 2 * count : count),
      hasFront: options.publicUrl !== undefined,
      publicUrl: options.publicUrl ?? siteUrl(options.host, options.port),
    };
    for (const name of PROCESSES) {
      for (let index = 0; index < options.replicas[name]; index++) {
        const operations = await anyFreePort(); // people do not type it
        const ports =
          name === 'gateway' ? { operations, public: await this.gatewayPort(index) } : { operations };
        const logDirectory = path.join(options.directory, 'logs');
        this.replicas.push(new Replica(name, index, { ...options, around, logDirectory, ports }));
      }
    }
  }

  private async gatewayPort(index: number): Promise<number> {
    return index === 0 ? this.options.port : this.options.pickPort(this.options.port + index);
  }
}

/** The built web application in a folder of this stack's own: a build beside it, which removes and writes files, changes no page. */
export function keepWebFiles({ root, directory }: Pick<StackOptions, 'root' | 'directory'>): string {
  const built = path.join(root, 'web/dist');
  const kept = path.join(directory, 'web');
  fs.rmSync(kept, { recursive: true, force: true });
  fs.mkdirSync(kept, { recursive: true });
  // in development Vite serves it, and there may be no build
  if (fs.existsSync(built)) fs.cpSync(built, kept, { recursive: true, preserveTimestamps: true });
  return kept;
}
