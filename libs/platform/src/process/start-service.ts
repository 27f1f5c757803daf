import type { Type } from '@nestjs/common';
import { listMessages, type Message, type ServiceName } from '@meetmark/contracts';
import { NestFactory } from '@nestjs/core';
import type { ConfigClass } from '../config/load-config.js';
import type { ServiceConfig } from '../config/service.config.js';
import { IdentityKeys } from '../identity/keys.js';
import { useIdentityTokens } from '../identity/identity.strategy.js';
import { RpcCipher } from '../rpc/cipher.js';
import { AnswerModule, QueueServer } from '../rpc/server.js';
import { RedisClock } from '../redis/clock.js';
import type { RequestSender } from '../rpc/sender.js';
import { runProcess, type ProcessParts, type RunningProcess } from './run-process.js';

interface ServiceDefinition<C extends ServiceConfig> {
  name: ServiceName;
  module: Type;
  config: ConfigClass<C>;
  messages?: Message[];
}

export const startService = <C extends ServiceConfig>(definition: ServiceDefinition<C>): Promise<void> =>
  runProcess({
    name: definition.name,
    config: definition.config,
    open: (parts) => openService(definition, parts),
  });

/** Exported for tests, which run several services in one process. */
export async function openService<C extends ServiceConfig>(
  { name, module, messages = listMessages(name) }: ServiceDefinition<C>,
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
    cipher: new RpcCipher(config.rpcSecrets),
    messages,
  });
  useIdentityTokens(name, new IdentityKeys(config.identityPublicKeys), clock);
  readiness.add('redis', () => answering(strategy.ready));
  readiness.restartWhen('the queue is no longer read', () => strategy.stalled);
  const root = {
    module: class Service {},
    imports: [platform, AnswerModule.over(strategy.commands, clock), module],
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

export const redisCheck = (sender: RequestSender) => () => answering(sender.ready);

async function answering(ready: boolean): Promise<void> {
  if (!ready) throw new Error('not connected');
}
