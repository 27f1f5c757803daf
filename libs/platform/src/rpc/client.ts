import { randomUUID } from 'node:crypto';
import { type DynamicModule, Global, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DEADLINES, type Identity, type Message, type ServiceName } from '@meetmark/contracts';
import { type Call, currentCall } from '../call/call.js';
import { asDomainError } from '../database/database-errors.js';
import { IdentityIssuer } from '../identity/credentials.js';
import { IdentityKey } from '../identity/keys.js';
import { rpcCallSeconds } from '../operations/metrics.js';
import { RedisClock } from '../redis/clock.js';
import { refusals } from './protocol.js';
import { RpcCipher } from './cipher.js';
import { type OutgoingRequest, RequestSender } from './sender.js';

export interface CallOptions {
  identity?: Identity | null;
  /** Token that is already signed for the service. Replaces `identity`. */
  identityToken?: string;
  requestId?: string;
  /**
   * Timeout in milliseconds, by default DEADLINES.call. Shortened if the call being handled has less time
   * left.
   */
  deadlineMs?: number;
}

/** Doesn't use Nest's ClientProxy, whose Observables take 3 % of a gateway's processor time. */
@Injectable()
export class RpcClient implements OnApplicationShutdown {
  constructor(
    private readonly sender: RequestSender,
    private readonly issuer: IdentityIssuer,
  ) {}

  /**
   * @throws DomainError the service's own error
   * @throws DomainError SERVICE_UNAVAILABLE, SERVICE_OVERLOADED or DEADLINE_EXCEEDED; `details.outcome` is
   * 'not-started' if the message was certainly not handled, otherwise 'unknown'
   */
  async call<Req extends object, Res>(
    message: Message<Req, Res>,
    request: Req,
    options: CallOptions = {},
  ): Promise<Res> {
    const observe = rpcCallSeconds.startTimer({ service: message.service, message: message.name });
    try {
      const response = await this.sender.request(message.service, this.outgoing(message, request, options));
      observe({ outcome: 'ok' });
      return response as Res;
    } catch (error) {
      const refusal = asDomainError(error);
      observe({ outcome: refusal.code });
      throw refusal;
    }
  }

  replicas(service: ServiceName): Promise<number> {
    return this.sender.replicas(service);
  }

  onApplicationShutdown(): void {
    this.sender.close();
  }

  private outgoing(message: Message, request: object, options: CallOptions): OutgoingRequest {
    const parent = currentCall();
    const timeLeft = Math.min(options.deadlineMs ?? DEADLINES.call, getTimeLeft(parent));
    if (timeLeft <= 0) throw refusals.tooLate('not-started');
    const identity = options.identity === undefined ? (parent?.identity ?? null) : options.identity;
    const requestId = options.requestId ?? parent?.requestId ?? randomUUID();
    const token =
      options.identityToken ??
      (identity === null ? undefined : this.issuer.tokenFor(identity, message.service));
    const headers = { requestId, traceparent: parent?.traceparent, token };
    return { pattern: message.name, data: request, headers, timeLeft, onReply: parent?.onReply };
  }
}

const getTimeLeft = (call: Call | undefined) => (call === undefined ? Infinity : call.deadline - Date.now());

export interface RpcOptions {
  redisUrl: string;
  rpcPrefix: string;
  rpcMaxQueue: number;
  rpcSecrets: string[];
  /** Only the gateway has this key. */
  identityPrivateKey?: string;
}

@Global()
@Module({})
export class RpcModule {
  static forGateway(options: RpcOptions): DynamicModule {
    const clock = new RedisClock();
    const { redisUrl, rpcPrefix: prefix, rpcMaxQueue: maxQueue, identityPrivateKey } = options;
    const cipher = new RpcCipher(options.rpcSecrets);
    return {
      module: RpcModule,
      providers: [
        { provide: RedisClock, useValue: clock },
        {
          provide: RequestSender,
          useFactory: () => {
            const sender = new RequestSender({ redisUrl, prefix, maxQueue, clock, cipher });
            void sender.open(); // Connects in the background, because the process also starts without Redis.
            return sender;
          },
        },
        {
          provide: IdentityIssuer,
          useFactory: () => new IdentityIssuer(new IdentityKey(identityPrivateKey ?? ''), clock),
        },
        RpcClient,
      ],
      exports: [RedisClock, RpcClient, RequestSender],
    };
  }
}
