import type { Type } from '@nestjs/common';
import { messagesOf, type Message, type ServiceName } from '@meetmark/contracts';
import { NestFactory } from '@nestjs/core';
import type { ConfigClass } from '../config/load-config.js';
import type { ServiceConfig } from '../config/service.config.js';
import { IdentityKeys } from '../identity/keys.js';
import { useIdentityTokens } from '../identity/identity.strategy.js';
import { CALLERS, MessageVerifier, type CallerName } from '../identity/message-signing.js';
import { AnswerModule, QueueServer } from '../rpc/server.js';
import { RedisClock } from '../redis/clock.js';
import type { RequestSender } from '../rpc/sender.js';
import { RpcModule } from '../rpc/client.js';
import { runProcess, type ProcessParts, type RunningProcess } from './run-process.js';

interface ServiceDefinition<C extends ServiceConfig> {
  name: ServiceName;
  module: Type;
  config: ConfigClass<C>;
  /** What has to be handled; all messages of the service unless a test says otherwise. */
  messages?: Message[];
}

/** The whole main of a service: answers its messages until it has to stop. */
export const startService = <C extends ServiceConfig>(definition: ServiceDefinition<C>): Promise<void> =>
  runProcess({
    name: definition.name,
    config: definition.config,
    open: (parts) => openService(definition, parts),
  });

/** The service without the process around it: for tests that run several in one. */
export async function openService<C extends ServiceConfig>(
  { name, module, messages = messagesOf(name) }: ServiceDefinition<C>,
  { config, platform, logger, readiness }: ProcessParts<C>,
): Promise<RunningProcess> {
  const clock = new RedisClock();
  const strategy = new QueueServer({
    service: name,
    redisUrl: config.redisUrl,
    prefix: config.rpcPrefix,
    concurrency: config.rpcConcurrency,
    batch: config.rpcBatch,
    clock,
    verifier: new MessageVerifier(name, config),
    messages,
  });
  useIdentityTokens(name, new IdentityKeys(config.identityPublicKeys), clock);
  readiness.add('redis', () => answering(strategy.ready));
  readiness.restartWhen('the queue is not heard any more', () => strategy.stalled);
  const calls = isCaller(name) ? [RpcModule.forProcess(name, config, clock)] : [];
  const root = {
    module: class Service {},
    imports: [platform, AnswerModule.over(strategy.commands), ...calls, module],
  };
  const app = await NestFactory.createMicroservice(root, { strategy, logger, abortOnError: false });
  try {
    await app.listen();
  } catch (error) {
    await app.close();
    throw error;
  }
  return { stop: () => app.close() };
}

/** A readiness check of a process that only calls others: `readiness.add('redis', redisCheck(app.get(RequestSender)))` */
export const redisCheck = (sender: RequestSender) => () => answering(sender.ready);

const isCaller = (name: string): name is CallerName => (CALLERS as readonly string[]).includes(name);

async function answering(ready: boolean): Promise<void> {
  if (!ready) throw new Error('not connected');
}
