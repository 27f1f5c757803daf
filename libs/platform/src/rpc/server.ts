import { DomainError, type Message } from '@meetmark/contracts';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { type CustomTransportStrategy, Server } from '@nestjs/microservices';
import type { Redis } from 'ioredis';
import { isObservable, lastValueFrom } from 'rxjs';
import { runInCall } from '../call/call.js';
import { asDomainError } from '../database/database-errors.js';
import { rpcHandledSeconds } from '../operations/metrics.js';
import { RedisClock } from '../redis/clock.js';
import { sendTogether } from '../redis/connection.js';
import { type ConsumerOptions, QueueConsumer } from './consumer.js';
import { ReceivedCall } from './handles.js';
import { BLOB_OVER, redisNames, TRANSPORT, type WireReply, type WireRequest } from './protocol.js';

interface QueueServerOptions extends ConsumerOptions {
  messages: Message[];
}

/**
 * Redis connection that sends the answers. Redis runs the commands of a connection in order. So a handler's
 * commands on this connection take effect before its answer is sent.
 */
export class AnswerConnection {
  constructor(readonly redis: Redis) {}
}

@Global()
@Module({})
export class AnswerModule {
  static over(redis: Redis, clock: RedisClock): DynamicModule {
    const providers = [
      { provide: AnswerConnection, useValue: new AnswerConnection(redis) },
      { provide: RedisClock, useValue: clock },
    ];
    return { module: AnswerModule, providers, exports: providers };
  }
}

export class QueueServer extends Server implements CustomTransportStrategy {
  private readonly consumer: QueueConsumer;
  private readonly names;

  constructor(private readonly options: QueueServerOptions) {
    super();
    this.names = redisNames(options.prefix);
    this.consumer = new QueueConsumer(options, (request, timeLeft) => this.answer(request, timeLeft));
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

  get stalled(): boolean {
    return this.consumer.health.stalled;
  }

  close(): Promise<void> {
    return this.consumer.stop();
  }

  on(): never {
    throw new Error('the queue server has no events of its own');
  }

  get commands(): Redis {
    return this.consumer.commands;
  }

  unwrap<T>(): T {
    return this.consumer as T;
  }

  private async answer(request: WireRequest, timeLeft: number): Promise<void> {
    const call = new ReceivedCall(request, timeLeft);
    const observe = rpcHandledSeconds.startTimer({ message: request.pattern });
    const reply = await runInCall(call, () => this.handle(request, call));
    observe({ outcome: reply.error?.code ?? 'ok' });
    if (Date.now() < call.deadline) await this.reply(request.replyTo, reply);
  }

  private async handle(request: WireRequest, call: ReceivedCall): Promise<WireReply> {
    const { nonce, pattern, data } = request;
    try {
      // getHandlerByPattern() would parse each pattern as JSON, but ours are plain names.
      const handler = this.messageHandlers.get(pattern);
      if (handler === undefined) throw new Error(`no handler for ${pattern}`);
      const result: unknown = await handler(data, call);
      // Nest returns an observable for failures and for intercepted methods.
      return {
        nonce,
        value: isObservable(result) ? await lastValueFrom(result, { defaultValue: undefined }) : result,
      };
    } catch (error) {
      // A handler's own errors arrive as DomainErrors, already logged by RefusalFilter. Log any other error
      // here.
      if (!(error instanceof DomainError))
        this.logger.error({ err: error, msg: 'Could not handle a message' });
      const { code, details } = asDomainError(error);
      return { nonce, error: { code, details } };
    }
  }

  private async reply(client: string, reply: WireReply): Promise<void> {
    const { commands } = this.consumer;
    const { service, cipher } = this.options;
    try {
      const channel = this.names.replies(service, client);
      let text = JSON.stringify(reply);
      if (text.length > BLOB_OVER) {
        const blob = this.names.blob(service, reply.nonce);
        await commands.set(blob, cipher.encrypt(text, blob), 'PX', TRANSPORT.blobLife);
        text = JSON.stringify({ nonce: reply.nonce, blob: true } satisfies WireReply);
      }
      sendTogether(commands);
      await commands.publish(channel, cipher.encrypt(text, channel));
    } catch (error) {
      this.logger.warn({ err: error, msg: 'Could not send a reply; its caller will time out' });
    }
  }
}

function checkHandlers({ service, messages }: QueueServerOptions, patterns: Iterable<string>): void {
  const handled = new Set(patterns);
  const expected = new Set(messages.map((message) => message.name));
  const problems = [
    ...[...expected].filter((name) => !handled.has(name)).map((name) => `${name} has no handler`),
    ...[...handled]
      .filter((name) => !expected.has(name))
      .map((name) => `${name} is handled here but is not a message of ${service}`),
  ];
  if (problems.length > 0) throw new Error(`service ${service} cannot start: ${problems.join('; ')}`);
}
