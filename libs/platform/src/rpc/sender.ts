import { randomUUID } from 'node:crypto';
import { DomainError, type ServiceName } from '@meetmark/contracts';
import { ReplyError } from 'ioredis';
import type { MessageSigner } from '../identity/message-signing.js';
import { noteWork, type RedisClock } from '../redis/clock.js';
import { answerWithin, REDIS, sendTogether } from '../redis/connection.js';
import { RpcConnection } from './connection.js';
import { ReplicaWatch } from './heartbeat.js';
import {
  newNonce,
  redisNames,
  refusals,
  type WireHeaders,
  type WireReply,
  type WireRequest,
} from './protocol.js';

/** Milliseconds for which a caller skips a queue that was full: each attempt costs Redis two commands. */
const FULL_FOR = 20;

interface RequestSenderOptions {
  redisUrl: string;
  prefix: string;
  /** Waiting requests of one service beyond which a call is refused. */
  maxQueue: number;
  clock: RedisClock;
  signer: MessageSigner;
}

export interface OutgoingRequest {
  pattern: string;
  data: unknown;
  headers: WireHeaders;
  /** Milliseconds until the caller gives up. */
  timeLeft: number;
}

/**
 * Queues requests and matches the replies, for all services that this process calls. It never sends a request twice. A lost
 * connection rejects every pending call at once, because its reply can no longer arrive.
 */
export class RequestSender {
  /** Identifies this replica of the caller. */
  private readonly id = randomUUID();
  private readonly names;
  private readonly pending = new PendingCalls();
  private readonly connection: RpcConnection;
  private readonly watch: ReplicaWatch;
  /** The service that answers on each channel: the ACL lets no other one publish there. */
  private readonly answering: Map<string, ServiceName>;
  private readonly fullUntil = new Map<ServiceName, number>();

  constructor(private readonly options: RequestSenderOptions) {
    this.names = redisNames(options.prefix);
    const { caller, services } = options.signer;
    this.answering = new Map(
      services.map((service) => [this.names.replies(caller, service, this.id), service]),
    );
    this.connection = new RpcConnection(
      { redisUrl: options.redisUrl, clock: options.clock, replyChannels: [...this.answering.keys()] },
      {
        onReply: (channel, text) => this.onReply(this.answering.get(channel)!, text),
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

  /** Living replicas of a service, looked up now. */
  async replicas(service: ServiceName): Promise<number> {
    await this.connection.waitUntilUsable();
    await this.watch.look(service);
    return this.watch.count(service) ?? 0;
  }

  /** The reply of one replica. @throws DomainError */
  async request(service: ServiceName, outgoing: OutgoingRequest): Promise<unknown> {
    noteWork();
    await this.makeReady(service);
    const nonce = newNonce();
    const text = this.encode(service, nonce, outgoing, this.id);
    return new Promise((resolve, reject) => {
      this.pending.add(nonce, { service, text, resolve, reject }, outgoing.timeLeft, () => {
        // replicas would drop it unstarted, but until then it takes up a place in the queue; without Redis it stays
        void this.takeBack(service, text, 1).catch(() => false);
      });
      this.push(service, text).catch((error: Error) => this.pending.reject(nonce, error));
    });
  }

  /** @throws DomainError when nothing can be sent to this service now */
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
    { timeLeft, ...request }: OutgoingRequest,
    replyTo?: string,
  ): string {
    const sent = Math.floor(this.options.clock.now());
    const deadline = Math.floor(sent + timeLeft);
    const body: WireRequest = { nonce, ...request, sent, deadline, replyTo };
    return this.options.signer.sign(service, JSON.stringify(body));
  }

  /** @throws DomainError when the request is not in the queue, or may not be */
  private async push(service: ServiceName, text: string): Promise<void> {
    sendTogether(this.connection.commands);
    const length = await this.connection.commands
      .rpush(this.names.queue(service), text)
      .catch((error: unknown) => {
        // an error reply (out of memory, loading) means that nothing was queued; a lost connection leaves it unknown
        throw error instanceof ReplyError ? refusals.noRedis(error) : refusals.connectionLost(error);
      });
    if (length <= this.options.maxQueue) return;
    this.fullUntil.set(service, performance.now() + FULL_FOR);
    // a replica that took it meanwhile has begun: it answers, and the call is not refused
    if (await this.takeBack(service, text, -1)) throw refusals.queueFull();
  }

  /** `side` 1 looks from the oldest end of the queue, -1 from the newest. */
  private async takeBack(service: ServiceName, text: string, side: 1 | -1): Promise<boolean> {
    return (await this.connection.commands.lrem(this.names.queue(service), side, text)) === 1;
  }

  /** The last replica is gone: rejects what still waits in its queue; what it had taken runs into its deadline. */
  private takeBackAll(service: ServiceName): void {
    for (const [nonce, { text }] of this.pending.of(service))
      void this.takeBack(service, text, 1).then(
        (back) => back && this.pending.reject(nonce, refusals.noReplica()),
        () => false, // the connection is lost, which rejects every pending call
      );
  }

  /** Drops what does not carry the nonce of a pending call to this service. */
  private onReply(service: ServiceName, text: string): void {
    const reply = readReply(text);
    if (reply === undefined || !this.pending.has(reply.nonce, service)) return;
    const { nonce, blob, error, value } = reply;
    if (blob === true) this.fetchBlob(service, nonce);
    else if (error !== undefined) this.pending.reject(nonce, new DomainError(error.code, error.details));
    else this.pending.resolve(nonce, value);
  }

  private fetchBlob(service: ServiceName, nonce: string): void {
    const { caller } = this.options.signer;
    this.connection.commands.getdel(this.names.blob(caller, service, nonce)).then(
      (text) =>
        text === null ? this.pending.reject(nonce, refusals.replyLost()) : this.onReply(service, text),
      (error: unknown) => this.pending.reject(nonce, refusals.connectionLost(error)),
    );
  }
}

function readReply(text: string): WireReply | undefined {
  try {
    const reply: unknown = JSON.parse(text);
    return typeof (reply as WireReply | null)?.nonce === 'string' ? (reply as WireReply) : undefined;
  } catch {
    return undefined; // not JSON: not from one of our processes
  }
}

interface PendingCall {
  service: ServiceName;
  /** Exactly as it stands in the queue: LREM needs it to take the request back. */
  text: string;
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** Calls that wait for their reply, by nonce. Each is settled once: by its reply, its deadline or a lost connection. */
class PendingCalls {
  private readonly calls = new Map<string, PendingCall & { timer: NodeJS.Timeout }>();

  add(nonce: string, call: PendingCall, timeLeft: number, onDeadline: () => void): void {
    const timer = setTimeout(() => {
      this.reject(nonce, refusals.tooLate('unknown'));
      onDeadline();
    }, timeLeft);
    this.calls.set(nonce, { ...call, timer });
  }

  resolve(nonce: string, response: unknown): void {
    this.take(nonce)?.resolve(response);
  }

  reject(nonce: string, err: Error): void {
    this.take(nonce)?.reject(err);
  }

  rejectAll(err: Error): void {
    for (const nonce of [...this.calls.keys()]) this.reject(nonce, err);
  }

  /** Whether a call with this nonce waits for a reply of this service. */
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
