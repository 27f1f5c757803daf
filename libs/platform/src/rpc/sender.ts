import { randomUUID } from 'node:crypto';
import { DomainError, SERVICES, type ServiceName } from '@meetmark/contracts';
import { Logger } from '@nestjs/common';
import { ReplyError } from 'ioredis';
import { rpcRejected } from '../operations/metrics.js';
import type { RedisClock } from '../redis/clock.js';
import { answerWithin, REDIS, sendTogether } from '../redis/connection.js';
import type { RpcCipher } from './cipher.js';
import { RpcConnection } from './connection.js';
import { ReplicaWatch } from './heartbeat.js';
import { redisNames, refusals, type WireHeaders, type WireReply, type WireRequest } from './protocol.js';

/**
 * Milliseconds for which a caller sends nothing to a full queue, because each attempt takes two Redis
 * commands.
 */
const FULL_FOR = 20;

interface RequestSenderOptions {
  redisUrl: string;
  prefix: string;
  maxQueue: number;
  clock: RedisClock;
  cipher: RpcCipher;
}

export interface OutgoingRequest {
  pattern: string;
  data: unknown;
  headers: WireHeaders;
  /** Milliseconds until the deadline. */
  timeLeft: number;
  /** Called with the number of characters of the reply. */
  onReply?: (size: number) => void;
}

/**
 * Sends each request only once. If a connection is lost, rejects pending calls, because their replies can't
 * arrive.
 */
export class RequestSender {
  private readonly id = randomUUID();
  private readonly names;
  private readonly pending = new PendingCalls();
  private readonly connection: RpcConnection;
  private readonly watch: ReplicaWatch;
  /**
   * Maps each reply channel to the service that answers on it. Redis's rules keep other services from
   * publishing there.
   */
  private readonly answering: Map<string, ServiceName>;
  private readonly logger = new Logger('Rpc');
  private readonly fullUntil = new Map<ServiceName, number>();

  constructor(private readonly options: RequestSenderOptions) {
    this.names = redisNames(options.prefix);
    this.answering = new Map(SERVICES.map((service) => [this.names.replies(service, this.id), service]));
    this.connection = new RpcConnection(
      { redisUrl: options.redisUrl, clock: options.clock, replyChannels: [...this.answering.keys()] },
      {
        onReply: (channel, bytes) => this.onReply(this.answering.get(channel)!, channel, bytes),
        onReady: () => this.watch.lookAgain(),
        onLook: () => this.watch.lookAgain(),
        onLost: () => this.pending.rejectAll(refusals.connectionLost()),
      },
    );
    this.watch = new ReplicaWatch(this.connection.commands, this.names, options.clock, (service) =>
      this.takeBackAll(service),
    );
  }

  get ready(): boolean {
    return this.connection.ready;
  }

  open(): Promise<void> {
    return this.connection.open();
  }

  close(): void {
    this.connection.close();
  }

  async replicas(service: ServiceName): Promise<number> {
    await this.connection.waitUntilUsable();
    await this.watch.look(service);
    return this.watch.count(service) ?? 0;
  }

  /** @throws DomainError */
  async request(service: ServiceName, outgoing: OutgoingRequest): Promise<unknown> {
    await this.makeReady(service);
    const nonce = randomUUID();
    const bytes = this.encode(service, nonce, outgoing);
    return new Promise((resolve, reject) => {
      const { onReply, timeLeft } = outgoing;
      this.pending.add(nonce, { service, bytes, resolve, reject, onReply }, timeLeft, () => {
        // Removes the request, which would use space in the queue until a replica drops it. Fails without
        // Redis.
        void this.takeBack(service, bytes, 1).catch(() => false);
      });
      this.push(service, bytes).catch((error: Error) => this.pending.reject(nonce, error));
    });
  }

  private async makeReady(service: ServiceName): Promise<void> {
    if (!this.connection.ready) await this.connection.waitUntilUsable();
    if (this.watch.count(service) === undefined) await this.firstLook(service);
    const refusal = this.refusal(service);
    if (refusal !== undefined) throw refusal;
  }

  private async firstLook(service: ServiceName): Promise<void> {
    const look = answerWithin(this.connection.commands, this.watch.look(service), REDIS.silence);
    await look.catch((error: unknown) => {
      throw refusals.noRedis(error);
    });
  }

  private refusal(service: ServiceName): DomainError | undefined {
    if (!this.connection.ready) return refusals.noRedis();
    if (this.watch.count(service) === 0) return refusals.noReplica();
    return performance.now() < (this.fullUntil.get(service) ?? 0) ? refusals.queueFull() : undefined;
  }

  private encode(
    service: ServiceName,
    nonce: string,
    { timeLeft, pattern, data, headers }: OutgoingRequest,
  ): Buffer {
    const sent = Math.floor(this.options.clock.now());
    const deadline = Math.floor(sent + timeLeft);
    const body: WireRequest = { nonce, pattern, data, headers, sent, deadline, replyTo: this.id };
    return this.options.cipher.encrypt(JSON.stringify(body), this.names.queue(service));
  }

  private async push(service: ServiceName, bytes: Buffer): Promise<void> {
    sendTogether(this.connection.commands);
    const length = await this.connection.commands
      .rpush(this.names.queue(service), bytes)
      .catch((error: unknown) => {
        // An error from Redis (out of memory, loading) means that nothing was queued. After a lost
        // connection, this is unknown.
        throw error instanceof ReplyError ? refusals.noRedis(error) : refusals.connectionLost(error);
      });
    if (length <= this.options.maxQueue) return;
    this.fullUntil.set(service, performance.now() + FULL_FOR);
    // If a replica has already taken the request, the call waits for the reply.
    if (await this.takeBack(service, bytes, -1)) throw refusals.queueFull();
  }

  /**
   * Removes a request from the queue. Searches from the oldest request if `side` is 1, from the newest if it
   * is -1.
   */
  private async takeBack(service: ServiceName, bytes: Buffer, side: 1 | -1): Promise<boolean> {
    return (await this.connection.commands.lrem(this.names.queue(service), side, bytes)) === 1;
  }

  /** Rejects calls that no replica has taken. Calls that a replica has taken wait until their deadline. */
  private takeBackAll(service: ServiceName): void {
    for (const [nonce, { bytes }] of this.pending.of(service))
      void this.takeBack(service, bytes, 1).then(
        (back) => back && this.pending.reject(nonce, refusals.noReplica()),
        () => false, // If the connection was lost, onLost rejects all pending calls.
      );
  }

  /**
   * Ignores replies unless their nonce belongs to a pending call to this service.
   * @param name channel or key of the reply
   */
  private onReply(service: ServiceName, name: string, bytes: Buffer): void {
    const text = this.options.cipher.decrypt(bytes, name);
    if (text === undefined) {
      rpcRejected.inc({ reason: 'undecryptable' });
      this.logger.error(`Dropped a reply from ${service} that no secret in RPC_SECRETS decrypts`);
      return;
    }
    const reply = readReply(text);
    if (reply === undefined || !this.pending.has(reply.nonce, service)) return;
    const { nonce, blob, error, value } = reply;
    if (blob === true) this.fetchBlob(service, nonce);
    else if (error !== undefined) this.pending.reject(nonce, new DomainError(error.code, error.details));
    else this.pending.resolve(nonce, value, text.length);
  }

  private fetchBlob(service: ServiceName, nonce: string): void {
    const blob = this.names.blob(service, nonce);
    this.connection.commands.getdelBuffer(blob).then(
      (bytes) =>
        bytes === null
          ? this.pending.reject(nonce, refusals.replyLost())
          : this.onReply(service, blob, bytes),
      (error: unknown) => this.pending.reject(nonce, refusals.connectionLost(error)),
    );
  }
}

function readReply(text: string): WireReply | undefined {
  try {
    const reply: unknown = JSON.parse(text);
    return typeof (reply as WireReply | null)?.nonce === 'string' ? (reply as WireReply) : undefined;
  } catch {
    return undefined;
  }
}

interface PendingCall {
  service: ServiceName;
  /** Bytes of the request as queued. LREM needs exactly these bytes to remove the request. */
  bytes: Buffer;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  onReply?: (size: number) => void;
}

/** Each call ends once: by its reply, its deadline or the loss of the connection. */
class PendingCalls {
  private readonly calls = new Map<string, PendingCall & { timer: NodeJS.Timeout }>();

  add(nonce: string, call: PendingCall, timeLeft: number, onDeadline: () => void): void {
    const timer = setTimeout(() => {
      this.reject(nonce, refusals.tooLate('unknown'));
      onDeadline();
    }, timeLeft);
    this.calls.set(nonce, { ...call, timer });
  }

  resolve(nonce: string, response: unknown, size: number): void {
    const call = this.take(nonce);
    call?.onReply?.(size);
    call?.resolve(response);
  }

  reject(nonce: string, err: Error): void {
    this.take(nonce)?.reject(err);
  }

  rejectAll(err: Error): void {
    for (const nonce of [...this.calls.keys()]) this.reject(nonce, err);
  }

  has(nonce: string, service: ServiceName): boolean {
    return this.calls.get(nonce)?.service === service;
  }

  of(service: ServiceName): [nonce: string, call: PendingCall][] {
    return [...this.calls].filter(([, call]) => call.service === service);
  }

  private take(nonce: string): PendingCall | undefined {
    const call = this.calls.get(nonce);
    clearTimeout(call?.timer);
    this.calls.delete(nonce);
    return call;
  }
}
