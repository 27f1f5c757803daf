import { setTimeout as wait } from 'node:timers/promises';
import type { Type } from '@nestjs/common';
import type { Message, ServiceName } from '@meetmark/contracts';
import { redisUrlAs } from '@meetmark/testing';
import { pino } from 'pino';
import { ServiceConfig } from '../config/service.config.js';
import { IdentityIssuer } from '../identity/credentials.js';
import { useIdentityTokens } from '../identity/identity.strategy.js';
import { IdentityKey, IdentityKeys } from '../identity/keys.js';
import { confirmRightBy } from '../identity/rights.js';
import { NestLogger } from '../log/logger.js';
import { Readiness } from '../operations/readiness.js';
import { PlatformModule, type RunningProcess } from '../process/run-process.js';
import { openService } from '../process/start-service.js';
import { RedisClock } from '../redis/clock.js';
import { RpcCipher } from '../rpc/cipher.js';
import { RpcClient, type RpcOptions } from '../rpc/client.js';
import { RequestSender } from '../rpc/sender.js';
import { TEST_KEYS } from './test-keys.js';

export function testConfig(values: Partial<ServiceConfig>): ServiceConfig {
  return Object.assign(new ServiceConfig(), TEST_KEYS, { logLevel: 'silent' }, values);
}

export interface OpenedService extends RunningProcess {
  readiness: Readiness;
}

/**
 * Makes a service without a database accept tokens of the test keys and trust the rights in them. Lasts until
 * another service with this name opens in this process.
 */
export function believeTokensIn(service: ServiceName): void {
  useIdentityTokens(service, new IdentityKeys(TEST_KEYS.identityPublicKeys), new RedisClock());
  for (const right of ['admin', 'organiser', 'manager'] as const)
    confirmRightBy(service, right, () => Promise.resolve());
}

/** Opens a service in this process, without a database and with its own Redis user. */
export async function openTestService(
  name: ServiceName,
  module: Type,
  messages: Message[],
  config: ServiceConfig,
): Promise<OpenedService> {
  const readiness = new Readiness();
  const redisUrl = redisUrlAs(config.redisUrl, name);
  const own = Object.assign(new ServiceConfig(), config, { redisUrl });
  const platform = PlatformModule.forProcess(ServiceConfig, own, readiness);
  const logger = new NestLogger(pino({ level: config.logLevel }));
  const definition = { name, module, messages, config: ServiceConfig };
  believeTokensIn(name);
  const running = await openService(definition, { config: own, platform, logger, readiness });
  readiness.started();
  return { ...running, readiness };
}

export interface TestCaller {
  rpc: RpcClient;
  issuer: IdentityIssuer;
  sender: RequestSender;
  replicas(service: ServiceName, count: number): Promise<void>;
  close(): void;
}

const LOOK_EVERY = 50;

/** Opens a caller that acts as the gateway. Uses the test keys by default. */
export async function openCaller(options: RpcOptions): Promise<TestCaller> {
  const config = { ...TEST_KEYS, ...options };
  const clock = new RedisClock();
  const { rpcPrefix: prefix, rpcMaxQueue: maxQueue } = config;
  const redisUrl = redisUrlAs(config.redisUrl, 'gateway');
  const cipher = new RpcCipher(config.rpcSecrets);
  const sender = new RequestSender({ redisUrl, prefix, maxQueue, clock, cipher });
  const issuer = new IdentityIssuer(new IdentityKey(config.identityPrivateKey), clock);
  await sender.open();
  const rpc = new RpcClient(sender, issuer);
  const replicas = async (service: ServiceName, count: number) => {
    while ((await rpc.replicas(service)) !== count) await wait(LOOK_EVERY);
  };
  return { rpc, issuer, sender, replicas, close: () => sender.close() };
}
