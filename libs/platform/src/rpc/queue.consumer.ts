import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { ServiceName } from '@meetmark/contracts';
import type { Redis } from 'ioredis';
import { rpcDropped, rpcRejected } from '../operations/metrics.js';
import type { RedisClock } from './redis-clock.js';
import type { Hearing } from './hearing.js';
import { InFlight } from './in-flight.js';
import { Presence } from './presence.js';
import type { CallerName, MessageVerifier } from './message-keys.js';
import { answerWithin, connectForever, redisConnection, sendTogether } from './redis-connection.js';
import { redisNames, TRANSPORT, type RedisNames, type WireRequest } from './wire.js';

export interface ConsumerOptions {
  service: ServiceName;
  redisUrl: string;
  prefix: string;
  /** Requests worked on at the same time. */
  concurrency: number;
  /** Requests taken at once. */
  batch: number;
  clock: RedisClock;
  verifier: MessageVerifier;
}

type Work = (request: WireRequest, sender: CallerName, timeLeft: number) => Promise<void>;

/** Takes requests from a service's queue, which is shared by all its replicas: each request goes to one of them. */
export class QueueConsumer {
  /** For everything but the blocking pull; keeps replies while Redis is away. */
  readonly commands: Redis;
  private readonly puller: Redis;
  private readonly presence: Presence;
  private readonly inFlight: InFlight;
  private readonly names: RedisNames;
  private readonly queue: string;
  private readonly logger = new Logger('Rpc');
  private pullerId = 0;
  private stopping = false;
  private started = false;
  private loop = Promise.resolve();
  private wakeUp: () => void = () => undefined;

  constructor(
    private readonly options: ConsumerOptions,
    private readonly work: Work,
  ) {
    this.names = redisNames(options.prefix);
    this.queue = this.names.queue(options.service);
    this.inFlight = new InFlight(options.concurrency);
    this.commands = redisConnection(options.redisUrl, { maxRetriesPerRequest: null });
    // a pull that was cut off must fail, not be sent again: the loop decides
    this.puller = redisConnection(options.redisUrl, { maxRetriesPerRequest: 0, enableOfflineQueue: false });
    this.presence = new Presence(options, this.commands, this.puller);
  }

  /** Waits for Redis however long it takes, then begins to work. */
  async start(): Promise<void> {
    this.puller.on('ready', () => this.learnPullerId());
    await Promise.all([connectForever(this.commands), connectForever(this.puller)]);
    if (this.stopping) return;
    await this.presence.begin();
    this.started = true;
    this.loop = this.run();
  }

  get hearing(): Hearing {
    return this.presence.hearing;
  }

  /** Connected, as far as is known. */
  get ready(): boolean {
    return (
      this.started && !this.stopping && this.commands.status === 'ready' && this.puller.status === 'ready'
    );
  }

  /** Takes no more work, finishes what it has, within TRANSPORT.drain. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.presence.end();
    if (this.started && this.commands.status === 'ready') {
      // ends the pull that is waiting; whatever it had already been given is worked on
      const unblock = this.commands.client('UNBLOCK', this.pullerId);
      await this.attempt(
        answerWithin(this.commands, Promise.all([this.presence.leave(), unblock]), TRANSPORT.silence),
      );
    }
    this.inFlight.release();
    this.wakeUp();
    await this.loop;
    if (!(await this.inFlight.ended(TRANSPORT.drain)))
      this.logger.warn(`stopping with ${this.inFlight.count} requests unfinished`);
    this.commands.disconnect();
    this.puller.disconnect();
  }

  /** Whether nothing with this id was begun before, by any replica; what comes after `until` (by Redis's clock) is too late anyway. */
  async isFirst(id: string, until: number): Promise<boolean> {
    const remembered = Math.max(0, Math.ceil(until - this.options.clock.now())) + TRANSPORT.seenMargin;
    sendTogether(this.commands);
    const key = this.names.seen(this.options.service, id);
    return (await this.commands.set(key, '', 'PX', remembered, 'NX')) === 'OK';
  }

  private async run(): Promise<void> {
    while (!this.stopping) {
      const { room } = this.inFlight;
      if (room <= 0) await this.inFlight.roomOrRelease();
      else for (const raw of await this.pull(Math.min(room, this.options.batch))) this.take(raw);
    }
  }

  private async pull(count: number): Promise<string[]> {
    try {
      const seconds = TRANSPORT.pull / 1_000;
      const pulled = this.puller.blmpop(seconds, 1, this.queue, 'LEFT', 'COUNT', count);
      const found = await answerWithin(this.puller, pulled, TRANSPORT.pull + TRANSPORT.silence);
      this.hearing.heard();
      return found?.[1] ?? [];
    } catch (error) {
      if (!this.stopping) await this.pullerBack(error);
      return [];
    }
  }

  /** Waits until another pull may succeed, or this replica stops. */
  private async pullerBack(error: unknown): Promise<void> {
    const stopped = new Promise<void>((resolve) => (this.wakeUp = resolve));
    if (this.puller.status !== 'ready') return Promise.race([connectForever(this.puller), stopped]);
    // Redis answers, but with an error: loading, out of memory, a script that runs too long
    this.logger.warn({ err: error, msg: 'the queue could not be read' });
    return Promise.race([wait(TRANSPORT.reconnectMax), stopped]);
  }

  private take(raw: string): void {
    const opened = this.options.verifier.open(raw);
    if (opened === undefined) {
      rpcRejected.inc({ reason: 'unsigned' });
      this.logger.error('a message that none of our processes has signed was dropped');
      return;
    }
    const request = JSON.parse(opened.body) as WireRequest;
    const timeLeft = request.deadline - this.options.clock.now();
    if (!(timeLeft > 0)) {
      rpcDropped.inc({ message: request.pattern });
      return;
    }
    this.inFlight.begin(this.work(request, opened.caller, timeLeft));
  }

  private learnPullerId(): void {
    void this.attempt(this.puller.client('ID').then((id) => (this.pullerId = id)));
  }

  /** For what is repeated anyway when the connection comes back. */
  private async attempt(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => this.logger.debug({ err: error, msg: 'Redis did not answer' }));
  }
}
