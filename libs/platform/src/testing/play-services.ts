import { randomUUID } from 'node:crypto';
import { Controller, Module } from '@nestjs/common';
import type { Message, ServiceName } from '@meetmark/contracts';
import { redisUrlAs } from '@meetmark/testing';
import { Redis } from 'ioredis';
import type { ServiceConfig } from '../config/service.config.js';
import type { Call } from '../call/call.js';
import { Handles } from '../rpc/handles.js';
import { redisNames } from '../rpc/protocol.js';
import { openTestService, type OpenedService } from './open-service.js';

type Handler<Req extends object, Res> = (request: Req, call: Call) => Res | Promise<Res>;

/** Fake handler of a message. Tests can replace `handler`. */
export interface Played<Req extends object = object, Res = unknown> {
  message: Message<Req, Res>;
  handler: Handler<Req, Res>;
}

export const played = <Req extends object, Res>(
  message: Message<Req, Res>,
  handler: Handler<Req, Res>,
): Played<Req, Res> => ({ message, handler });

/** Combines fakes of different types in one list. `played` has already checked each type. */
export const scenes = (...parts: unknown[]) => parts as Played[];

const DAY = 86_400_000;

/**
 * Keeps a fake service in the set of live replicas until the returned function is called. Real heartbeats
 * might fail if the test's process is too busy.
 */
export async function keepAlive(
  name: ServiceName,
  { redisUrl, rpcPrefix }: ServiceConfig,
): Promise<() => Promise<void>> {
  const redis = new Redis(redisUrlAs(redisUrl, name)).on('error', () => undefined);
  const replicas = redisNames(rpcPrefix).replicas(name);
  const kept = randomUUID();
  await redis.zadd(replicas, Date.now() + DAY, kept);
  return async () => {
    await redis.zrem(replicas, kept);
    redis.disconnect();
  };
}

/** Runs a fake service over the real transport, which validates messages and verifies identities. */
export function playService(
  name: ServiceName,
  config: ServiceConfig,
  parts: Played[],
): Promise<OpenedService> {
  class Stage {}
  for (const scene of parts) {
    const method = `play_${scene.message.name}`;
    const value = (request: object, call: Call) => scene.handler(request, call);
    Object.defineProperty(Stage.prototype, method, { value, writable: true, configurable: true });
    const descriptor = Object.getOwnPropertyDescriptor(Stage.prototype, method)!;
    Handles(scene.message)(Stage.prototype, method, descriptor as never);
  }
  Controller()(Stage);
  class Play {}
  Module({ controllers: [Stage] })(Play);
  const messages = parts.map(({ message }) => message);
  return openTestService(name, Play, messages, config);
}
