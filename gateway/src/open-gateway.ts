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
 * Maximum connections that wait to be accepted. If this queue is full, browsers retry after a second, which
 * is slower than a refusal. The system may set a lower limit.
 */
const BACKLOG = 4_096;

export interface Gateway extends RunningProcess {
  app: NestFastifyApplication;
  inventory: RouteInventory;
  url: string;
}

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
    imports: [platform, RpcModule.forGateway(config), GatewayModule],
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
  // Added last, because it sends an internal request, after which no routes can be added.
  readiness.add('answers', () => answers(app, config));
  return { app, inventory, url: `http://localhost:${getPort(app)}`, stop: () => drain.stop(app) };
}

function getPort(app: NestFastifyApplication): number {
  const address = app.getHttpServer().address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

const FAILED = 500;

/** Requests a file that needs no other process. Detects failures that the checks of dependencies miss. */
async function answers(app: NestFastifyApplication, { publicUrl }: GatewayConfig): Promise<void> {
  const headers = { host: new URL(publicUrl).host };
  const { statusCode } = await app.inject({ method: 'GET', url: '/manifest.webmanifest', headers });
  if (statusCode === FAILED) throw new Error('requests fail');
}
