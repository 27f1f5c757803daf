import {
  redisCheck,
  RequestSender,
  RpcModule,
  type ProcessParts,
  type RunningProcess,
} from '@meetmark/platform';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AdmissionControl } from './admission/admission-control.js';
import type { GatewayConfig } from './gateway.config.js';
import { GatewayModule } from './gateway.module.js';
import { RouteInventory } from './http/routes.js';
import { createAdapter, Drain } from './http/server.js';
import { ApiDocument } from './openapi/api-document.js';
import { preparePipeline } from './pipeline.js';
import { SessionCache } from './sessions/session-cache.js';

/**
 * Connections that may wait to be accepted (the system may allow fewer). Beyond it the kernel drops them silently and browsers
 * try again after a second; a refusal with an answer is sooner. Node's own figure is 511.
 */
const BACKLOG = 4_096;

export interface Gateway extends RunningProcess {
  app: NestFastifyApplication;
  inventory: RouteInventory;
  /** `http://localhost:PORT` */
  url: string;
}

/** The gateway without the process around it, also for tests. Listens when it resolves. */
export async function openGateway(parts: ProcessParts<GatewayConfig>): Promise<Gateway> {
  const { config, platform, logger, readiness } = parts;
  const admission = new AdmissionControl(config.trustedProxies);
  const adapter = createAdapter(
    config,
    (handle) => admission.before(handle),
    () => admission.headers(),
  );
  const root = {
    module: class Gateway {},
    imports: [platform, RpcModule.forProcess('gateway', config), GatewayModule],
  };
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    bodyParser: false,
    logger,
    abortOnError: false,
  });
  const inventory = new RouteInventory();
  const drain = new Drain(config.farewell);
  drain.watch(adapter.getInstance());
  await preparePipeline(app, config, inventory, admission);
  readiness.add('sessions', () => app.get(SessionCache).check());
  readiness.add('redis', redisCheck(app.get(RequestSender)));
  app.get(ApiDocument).describe(app);
  await app.listen({ port: config.port, host: config.host, backlog: BACKLOG });
  // The headers of all answers are made with the first one; what cannot be read at all has none of its own.
  await app.inject({ method: 'GET', url: '/robots.txt', headers: { host: new URL(config.publicUrl).host } });
  // Not before: the first request that is made within the process ends the time in which routes can be added.
  readiness.add('answers', () => answers(app, config));
  return { app, inventory, url: `http://localhost:${portOf(app)}`, stop: () => drain.stop(app) };
}

function portOf(app: NestFastifyApplication): number {
  const address = app.getHttpServer().address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

const FAILED = 500;

/**
 * Makes one request through everything before a controller, for an answer that is made of the settings and needs no other process: no check
 * of a dependency fails when no answer can be made.
 */
async function answers(app: NestFastifyApplication, { publicUrl }: GatewayConfig): Promise<void> {
  const headers = { host: new URL(publicUrl).host };
  const { statusCode } = await app.inject({ method: 'GET', url: '/manifest.webmanifest', headers });
  if (statusCode === FAILED) throw new Error('requests fail');
}
