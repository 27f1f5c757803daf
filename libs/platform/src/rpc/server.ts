import { DomainError, type Message } from '@meetmark/contracts';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { type CustomTransportStrategy, Server } from '@nestjs/microservices';
import type { Redis } from 'ioredis';
import { isObservable, lastValueFrom } from 'rxjs';
import { runInCall } from '../call/call.js';
import { asDomainError } from '../database/database-errors.js';
import type { CallerName } from '../identity/message-signing.js';
import { rpcDropped, rpcHandledSeconds, rpcRejected } from '../operations/metrics.js';
import { sendTogether } from '../redis/connection.js';
import { type ConsumerOptions, QueueConsumer } from './consumer.js';
import { ReceivedCall } from './handles.js';
import { BLOB_OVER, redisNames, TRANSPORT, type WireReply, type WireRequest } from './protocol.js';

interface QueueServerOptions extends ConsumerOptions {
  /** What has to be handled. */
  messages: Message[];
}

/**
 * The connection over which a service answers. Redis executes its commands in their order: what a handler sends here, without waiting for
 * it, is done before its caller gets the answer.
 */
export class AnswerConnection {
  constructor(readonly redis: Redis) {}
}

/** AnswerConnection for a whole service. */
@Global()
@Module({})
export class AnswerModule {
  static over(redis: Redis): DynamicModule {
    const connection = { provide: AnswerConnection, useValue: new AnswerConnection(redis) };
    return { module: AnswerModule, providers: [connection], exports: [connection] };
  }
}

/** Nest's side of a service: requests from the queue to @Handles methods, their results to the callers. */
export class QueueServer extends Server implements CustomTransportStrategy {
  private readonly consumer: QueueConsumer;
  private readonly names;
  /** Messages that change nothing: handling one of them twice does no harm. */
  private readonly reads: Set<string>;

  constructor(private readonly options: QueueServerOptions) {
    super();
    this.names = redisNames(options.prefix);
    this.reads = new Set(options.messages.filter(({ reads }) => reads === true).map(({ name }) => name));
    this.consumer = new QueueConsumer(options, (request, sender, timeLeft) =>
      this.answer(request, sender, timeLeft),
    );
  }

  listen(done: (error?: unknown) => void): void {
    try {
      checkHandlers(this.options, this.messageHandlers.keys());
    } catch (error) {
      done(error);
      return;
    }
    this.consumer.start().then(() => done(), done);
  }

  get ready(): boolean {
    return this.consumer.ready;
  }

  /** Receives nothing from its queue any more, although Redis answers. */
  get stalled(): boolean {
    return this.consumer.health.stalled;
  }

  close(): Promise<void> {
    return this.consumer.stop();
  }

  on(): never {
    throw new Error('the queue server has no events of its own');
  }

  /** For AnswerModule. */
  get commands(): Redis {
    return this.consumer.commands;
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
    // the caller has given up after the deadline
    if (request.replyTo !== undefined && Date.now() < call.deadline)
      await this.reply(sender, request.replyTo, reply);
  }

  /** Whether the message may begin: a copy of one that began before must not act a second time. */
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
      // getHandlerByPattern() would parse each pattern as JSON: ours are plain names
      const handler = this.messageHandlers.get(pattern);
      if (handler === undefined) throw new Error(`no handler for ${pattern}`);
      const result: unknown = await handler(data, call);
      // Nest answers failures, and methods with interceptors, with an observable
      return {
        nonce,
        value: isObservable(result) ? await lastValueFrom(result, { defaultValue: undefined }) : result,
      };
    } catch (error) {
      // the filter has logged what fails within a handler; this failed outside of it
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

/** A process refuses to start when a message of its service has no handler, or a handler belongs to another service. */
function checkHandlers({ service, messages }: QueueServerOptions, patterns: Iterable<string>): void {
  const handled = new Set(patterns);
  const expected = new Set(messages.map((message) => message.name));
  const problems = [
    ...[...expected].filter((name) => !handled.has(name)).map((name) => `${name} has no handler`),
    ...[...handled]
      .filter((name) => !expected.has(name))
      .map((name) => `${name} is handled here but is no message of ${service}`),
  ];
  if (problems.length > 0) throw new Error(`service ${service} cannot start: ${problems.join('; ')}`);
}
