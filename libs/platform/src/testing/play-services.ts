import { Controller, Module } from '@nestjs/common';
import type { Message, ServiceName } from '@meetmark/contracts';
import type { ServiceConfig } from '../config/service.config.js';
import type { Call } from '../call/call.js';
import { Handles } from '../rpc/handles.js';
import { openTestService, type OpenedService } from './open-service.js';

type Handler<Req extends object, Res> = (request: Req, call: Call) => Res | Promise<Res>;

/** What one message is answered with: change `handler` during a test. */
export interface Played<Req extends object = object, Res = unknown> {
  message: Message<Req, Res>;
  handler: Handler<Req, Res>;
}

export const played = <Req extends object, Res>(
  message: Message<Req, Res>,
  handler: Handler<Req, Res>,
): Played<Req, Res> => ({ message, handler });

/** Several of them as one list; each has been checked against its own message. */
export const scenes = (...parts: unknown[]) => parts as Played[];

/** Answers messages in the place of a service, over the real transport: requests are validated and identities verified. */
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
