import { randomUUID } from 'node:crypto';
import { type DynamicModule, Global, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DEADLINES, type Identity, type Message, type ServiceName } from '@meetmark/contracts';
import { lastValueFrom } from 'rxjs';
import { ClientProxy, type ReadPacket, type WritePacket } from '@nestjs/microservices';
import { type Call, currentCall } from '../call/call.js';
import { asDomainError } from '../database/database-errors.js';
import { CredentialSource, GrantedCredentials, IdentityIssuer } from '../identity/credentials.js';
import { IdentityKey } from '../identity/keys.js';
import { type CallerName, ISSUER, type MessageSecrets, MessageSigner } from '../identity/message-signing.js';
import { rpcCallSeconds } from '../operations/metrics.js';
import { RedisClock } from '../redis/clock.js';
import { refusals, type WireHeaders } from './protocol.js';
import { RequestSender } from './sender.js';

export interface CallOptions {
  /** On whose behalf; by default that of the running call. */
  identity?: Identity | null;
  /** A token already signed for the service, instead of `identity`. */
  identityToken?: string;
  /** By default that of the running call, or a new one. */
  requestId?: string;
  /** Milliseconds; by default DEADLINES.call, and never more than the running call has left. */
  deadlineMs?: number;
}

/** Calls other services by their contract's messages. This is where Nest's Observables end. */
@Injectable()
export class RpcClient implements OnApplicationShutdown {
  private readonly clients = new Map<ServiceName, QueueClient>();

  constructor(
    private readonly sender: RequestSender,
    private readonly source: CredentialSource,
  ) {}

  /**
   * The service's answer.
   * @throws DomainError the service's refusal; SERVICE_UNAVAILABLE, SERVICE_OVERLOADED or DEADLINE_EXCEEDED with
   * `details.outcome` when there is no answer: 'not-started' if the message was certainly not handled, else 'unknown'
   */
  async call<Req extends object, Res>(
    message: Message<Req, Res>,
    request: Req,
    options: CallOptions = {},
  ): Promise<Res> {
    const observe = rpcCallSeconds.startTimer({ service: message.service, message: message.name });
    try {
      const outgoing = this.outgoing(message, request, options);
      const answer = this.client(message.service).send<Res>(message.name, outgoing);
      const response = await lastValueFrom(answer, { defaultValue: undefined as Res });
      observe({ outcome: 'ok' });
      return response;
    } catch (error) {
      const refusal = asDomainError(error);
      observe({ outcome: refusal.code });
      throw refusal;
    }
  }

  /** One replica handles the message, without a reply and at most once. What must not get lost goes to the outbox. */
  async emit<Req extends object>(
    message: Message<Req>,
    request: Req,
    options: CallOptions = {},
  ): Promise<void> {
    const outgoing = this.outgoing(message, request, options);
    await lastValueFrom(this.client(message.service).emit(message.name, outgoing), {
      defaultValue: undefined,
    });
  }

  /** Replicas of a service whose heartbeat is fresh. */
  replicas(service: ServiceName): Promise<number> {
    return this.sender.replicas(service);
  }

  onApplicationShutdown(): void {
    this.sender.close();
  }

  private client(service: ServiceName): QueueClient {
    let client = this.clients.get(service);
    if (client === undefined) this.clients.set(service, (client = new QueueClient(service, this.sender)));
    return client;
  }

  private outgoing(message: Message, request: object, options: CallOptions): OutgoingMessage {
    const parent = currentCall();
    const timeLeft = Math.min(options.deadlineMs ?? DEADLINES.call, timeLeftOf(parent));
    if (timeLeft <= 0) throw refusals.tooLate('not-started');
    const identity = options.identity === undefined ? (parent?.identity ?? null) : options.identity;
    const requestId = options.requestId ?? parent?.requestId ?? randomUUID();
    const credentials =
      options.identityToken === undefined
        ? this.source.credentialsFor({ message, request, identity, requestId })
        : { token: options.identityToken };
    const headers = { requestId, traceparent: parent?.traceparent, ...credentials };
    return new OutgoingMessage(request, headers, timeLeft);
  }
}

const timeLeftOf = (call: Call | undefined) => (call === undefined ? Infinity : call.deadline - Date.now());

/** Data with what travels beside it. `client.send(pattern, new OutgoingMessage(…))` */
export class OutgoingMessage {
  constructor(
    readonly data: unknown,
    readonly headers: WireHeaders,
    readonly timeLeft: number,
  ) {}
}

/** Nest's client for one service over the queue transport. */
export class QueueClient extends ClientProxy {
  constructor(
    private readonly service: ServiceName,
    private readonly sender: RequestSender,
  ) {
    super();
  }

  connect(): Promise<void> {
    return this.sender.prepare(this.service);
  }

  /** The clients of all services share the connection: its owner closes it. */
  close(): void {}

  unwrap<T>(): T {
    return this.sender as T;
  }

  protected publish(packet: ReadPacket, callback: (packet: WritePacket) => void): () => void {
    return this.sender.request(this.service, this.outgoing(packet), callback);
  }

  protected dispatchEvent<T>(packet: ReadPacket): Promise<T> {
    return this.sender.emit(this.service, this.outgoing(packet)) as Promise<T>;
  }

  private outgoing({ pattern, data }: ReadPacket) {
    const message =
      data instanceof OutgoingMessage
        ? data
        : new OutgoingMessage(data, { requestId: randomUUID() }, DEADLINES.call);
    return {
      pattern: this.normalizePattern(pattern),
      data: message.data,
      headers: message.headers,
      timeLeft: message.timeLeft,
    };
  }
}

export interface RpcOptions extends MessageSecrets {
  redisUrl: string;
  rpcPrefix: string;
  rpcMaxQueue: number;
  /** Only of the process that signs identities. */
  identityPrivateKey?: string;
}

/** RpcClient for a whole process that calls services. Its configuration can be given as the options. */
@Global()
@Module({})
export class RpcModule {
  static forProcess(name: CallerName, options: RpcOptions, clock = new RedisClock()): DynamicModule {
    const { redisUrl, rpcPrefix: prefix, rpcMaxQueue: maxQueue, identityPrivateKey } = options;
    const signer = new MessageSigner(name, options);
    return {
      module: RpcModule,
      providers: [
        { provide: RedisClock, useValue: clock },
        {
          provide: RequestSender,
          useFactory: () => {
            const sender = new RequestSender({ redisUrl, prefix, maxQueue, clock, signer });
            void sender.open(); // continues in the background: a process without Redis starts, and answers 503
            return sender;
          },
        },
        {
          provide: CredentialSource,
          useFactory: () =>
            name === ISSUER
              ? new IdentityIssuer(new IdentityKey(identityPrivateKey ?? ''), clock)
              : new GrantedCredentials(),
        },
        RpcClient,
      ],
      exports: [RedisClock, RpcClient, RequestSender],
    };
  }
}
