import { randomUUID } from 'node:crypto';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { DEADLINES, type Identity, type Message, type ServiceName } from '@meetmark/contracts';
import { lastValueFrom } from 'rxjs';
import { CredentialSource } from '../identity/identity.issuer.js';
import { rpcCallSeconds } from '../operations/metrics.js';
import { currentCall, type Call } from './call.js';
import { OutgoingMessage, QueueClient } from './queue.client.js';
import { asDomainError } from './refusal.filter.js';
import { refusals } from './refusals.js';
import { RequestSender } from './request-sender.js';

export interface CallOptions {
  /** Who the call is made for; by default whoever the running call is made for, or nobody. */
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

  /** Has one replica handle the message at some time, unanswered and at most once. What must not get lost goes to the outbox. */
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
