import { DomainError, messagesOf, type Message, type ServiceName } from '@meetmark/contracts';
import { Server, type CustomTransportStrategy } from '@nestjs/microservices';
import { isObservable, lastValueFrom } from 'rxjs';
import { rpcDropped, rpcHandledSeconds, rpcRejected } from '../operations/metrics.js';
import { runInCall } from './call.js';
import { checkHandlers } from './handler-check.js';
import type { CallerName } from './message-keys.js';
import { QueueConsumer, type ConsumerOptions } from './queue.consumer.js';
import { ReceivedCall } from './received-call.js';
import { sendTogether } from './redis-connection.js';
import { asDomainError } from './refusal.filter.js';
import { BLOB_OVER, redisNames, TRANSPORT, type WireReply, type WireRequest } from './wire.js';

export interface QueueServerOptions extends ConsumerOptions {
  service: ServiceName;
  /** What has to be handled; all messages of the service unless a test says otherwise. */
  messages?: Message[];
}

/** Nest's side of a service: requests from the queue to @Handles methods, their results to the callers. */
export class QueueServer extends Server implements CustomTransportStrategy {
  private readonly consumer: QueueConsumer;
  private readonly names;
  /** Messages that change nothing: to handle one of them twice does no harm. */
  private readonly reads: Set<string>;

  constructor(private readonly options: QueueServerOptions) {
    super();
    this.names = redisNames(options.prefix);
    const { service, messages = messagesOf(service) } = options;
    this.reads = new Set(messages.filter(({ reads }) => reads === true).map(({ name }) => name));
    this.consumer = new QueueConsumer(options, (request, sender, timeLeft) =>
      this.answer(request, sender, timeLeft),
    );
  }

  listen(done: (error?: unknown) => void): void {
    const { service, messages = messagesOf(service) } = this.options;
    try {
      checkHandlers(service, messages, this.messageHandlers.keys());
    } catch (error) {
      done(error);
      return;
    }
    this.consumer.start().then(() => done(), done);
  }

  get ready(): boolean {
    return this.consumer.ready;
  }

  /** Hears nothing of its queue any more, although Redis answers. */
  get deaf(): boolean {
    return this.consumer.hearing.deaf;
  }

  close(): Promise<void> {
    return this.consumer.stop();
  }

  on(): never {
    throw new Error('the queue server has no events of its own');
  }

  unwrap<T>(): T {
    return this.consumer as T;
  }

  private async answer(request: WireRequest, sender: CallerName, timeLeft: number): Promise<void> {
    const call = new ReceivedCall(request, sender, timeLeft, (id, until) => this.consumer.isFirst(id, until));
    if (!this.reads.has(request.pattern) && !(await this.claim(request, call))) return;
    const observe = rpcHandledSeconds.startTimer({ message: request.pattern });
    const reply = await runInCall(call, () => this.handle(request, call));
    observe({ outcome: reply.error?.code ?? 'ok' });
    // nobody waits any longer for an answer after the deadline
    if (request.replyTo !== undefined && Date.now() < call.deadline)
      await this.reply(sender, request.replyTo, reply);
  }

  /** Whether the message may be begun: a copy of one that was begun already must not act a second time. */
  private async claim({ nonce, pattern, deadline }: WireRequest, call: ReceivedCall): Promise<boolean> {
    try {
      if (!(await this.consumer.isFirst(nonce, deadline))) {
        rpcRejected.inc({ reason: 'repeated' });
        this.logger.error(`a copy of a message that was begun before was rejected: ${pattern}`);
        return false;
      }
    } catch (error) {
      this.logger.warn({ err: error, msg: 'a message was not begun; its caller will run into the deadline' });
      return false;
    }
    if (Date.now() < call.deadline) return true;
    rpcDropped.inc({ message: pattern }); // Redis was away meanwhile
    return false;
  }

  private async handle(request: WireRequest, call: ReceivedCall): Promise<WireReply> {
    const { nonce, pattern, data } = request;
    try {
      // not getHandlerByPattern(), which parses each pattern as JSON: ours are plain names
      const handler = this.messageHandlers.get(pattern);
      if (handler === undefined) throw new Error(`no handler for ${pattern}`);
      const result: unknown = await handler(data, call);
      // Nest answers failures, and methods with interceptors, with an observable
      return {
        nonce,
        value: isObservable(result) ? await lastValueFrom(result, { defaultValue: undefined }) : result,
      };
    } catch (error) {
      // failures within a handler were logged by its filter; this one happened outside of it
      if (!(error instanceof DomainError))
        this.logger.error({ err: error, msg: 'a message could not be handled' });
      const { code, details } = asDomainError(error);
      return { nonce, error: { code, details } };
    }
  }

  private async reply(caller: CallerName, client: string, reply: WireReply): Promise<void> {
    const { commands } = this.consumer;
    const { service } = this.options;
    try {
      let text = JSON.stringify(reply);
      if (text.length > BLOB_OVER) {
        const blob = this.names.blob(caller, service, reply.nonce);
        await commands.set(blob, text, 'PX', TRANSPORT.blobLife);
        text = JSON.stringify({ nonce: reply.nonce, blob: true } satisfies WireReply);
      }
      sendTogether(commands);
      await commands.publish(this.names.replies(caller, service, client), text);
    } catch (error) {
      this.logger.warn({ err: error, msg: 'a reply was lost; its caller will run into the deadline' });
    }
  }
}
