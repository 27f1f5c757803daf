import { randomUUID } from 'node:crypto';
import { type DynamicModule, Global, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import {
  DEADLINES,
  type DomainError,
  type Identity,
  type Message,
  type ServiceName,
} from '@meetmark/contracts';
import { type Call, currentCall } from '../call/call.js';
import { asDomainError } from '../database/database-errors.js';
import { CredentialSource, IdentityIssuer } from '../identity/credentials.js';
import { IdentityKey } from '../identity/keys.js';
import { type CallerName, ISSUER, type MessageSecrets, MessageSigner } from '../identity/message-signing.js';
import { GrantedCredentials } from '../identity/passed-on-of-1.0.0.js';
import { rpcCallSeconds } from '../operations/metrics.js';
import { RedisClock } from '../redis/clock.js';
import { refusals } from './protocol.js';
import { type OutgoingRequest, RequestSender } from './sender.js';

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

/** Calls other services by their contract's messages. Not over Nest's ClientProxy: its Observables cost 3 % of a gateway. */
@Injectable()
export class RpcClient implements OnApplicationShutdown {
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
    try {
      return await this.ask(message, request, options);
    } catch (error) {
      const known = withoutUnknown(request, message, error as DomainError);
      if (known === null) throw error;
      return this.ask(message, known, options);
    }
  }

  private async ask<Req extends object, Res>(
    message: Message<Req, Res>,
    request: Req,
    options: CallOptions,
  ): Promise<Res> {
    const observe = rpcCallSeconds.startTimer({ service: message.service, message: message.name });
    try {
      const response = await this.sender.request(message.service, this.outgoing(message, request, options));
      observe({ outcome: 'ok' });
      return (message.defaults === undefined ? response : completed(message.defaults, response)) as Res;
    } catch (error) {
      const refusal = asDomainError(error);
      observe({ outcome: refusal.code });
      throw refusal;
    }
  }

  /** Replicas of a service whose heartbeat is fresh. */
  replicas(service: ServiceName): Promise<number> {
    return this.sender.replicas(service);
  }

  onApplicationShutdown(): void {
    this.sender.close();
  }

  private outgoing(message: Message, request: object, options: CallOptions): OutgoingRequest {
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
    return { pattern: message.name, data: request, headers, timeLeft };
  }
}

const timeLeftOf = (call: Call | undefined) => (call === undefined ? Infinity : call.deadline - Date.now());

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

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The request as the version before knows it; null when it was refused for anything else. It was refused before anything was done. */
function withoutUnknown<Req extends object>(
  request: Req,
  { dispensable = [] }: Pick<Message, 'dispensable'>,
  { code, details }: DomainError,
): Req | null {
  const unknown = code === 'VALIDATION_FAILED' ? Object.keys(details?.fields ?? {}) : [];
  if (unknown.length === 0 || unknown.some((path) => !dispensable.includes(path))) return null;
  const known = structuredClone(request) as Record<string, unknown>;
  for (const path of unknown) {
    const [name, within] = path.split('.') as [string, string?];
    if (within === undefined) delete known[name];
    else delete (known[name] as Record<string, unknown>)[within];
  }
  return known as Req;
}

/** The answer with what it lacks, also within the objects that it has. */
function completed(defaults: object, answer: unknown): object {
  const given = answer as Record<string, unknown>;
  const within = Object.entries(defaults)
    .filter(([name, value]) => isObject(value) && isObject(given[name]))
    .map(([name, value]: [string, object]) => [name, { ...value, ...(given[name] as object) }]);
  return { ...defaults, ...given, ...Object.fromEntries(within) };
}
