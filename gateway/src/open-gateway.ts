import {
  redisCheck,
  RequestSender,
  RpcModule,
  type ProcessParts,
  type RunningProcess,
} from '@meetmark/platform';
import { resolve } from 'node:path';
import { constants } from 'node:zlib';
import type { Community } from '@meetmark/contracts';
import compress from '@fastify/compress';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { guardAccess } from './access/access-gate.js';
import { RouteInventory } from './access/route-inventory.js';
import type { GatewayConfig } from './gateway.config.js';
import { COMMUNITY } from './community/community.token.js';
import { GatewayModule } from './gateway.module.js';
import { createAdapter } from './http/adapter.js';
import { BodyBudget } from './http/body-budget.js';
import { Drain } from './http/drain.js';
import { guardGate, readBodies } from './http/gate.js';
import { logRequests } from './http/request-log.js';
import { scopeRequests } from './http/request-scope.js';
import { securityHeaders } from './http/security-headers.js';
import { ApiLimits } from './limits/api-limits.js';
import { ApiDocument } from './openapi/api-document.js';
import { SecurityEvents } from './security/security-events.js';
import { GatewaySessionStore } from './sessions/session-store.js';
import { useSessions } from './sessions/session-plugin.js';
import { Doorkeeper } from './overload/doorkeeper.js';
import { Sessions } from './sessions/sessions.js';
import { serveWebFiles } from './site/web-files.js';

/** Bytes from which an answer is compressed on its way out; what is the same for all is compressed once, elsewhere. */
const COMPRESS_FROM = 1_024;
const BROTLI_QUALITY = 4;
/**
 * Connections that may wait to be accepted (the system may allow fewer). Beyond it the kernel drops them in silence and browsers
 * try again after a second: a refusal that says so comes sooner. Node's own figure is 511.
 */
const BACKLOG = 4_096;

export interface Gateway extends RunningProcess {
  app: NestFastifyApplication;
  inventory: RouteInventory;
  /** `http://localhost:PORT` */
  url: string;
}

/** The gateway without the process around it: for tests too. Listens when it resolves. */
export async function openGateway(parts: ProcessParts<GatewayConfig>): Promise<Gateway> {
  const { config, platform, logger, readiness } = parts;
  const adapter = createAdapter(config);
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
  const drain = new Drain();
  drain.watch(adapter.getInstance());
  await prepare(adapter.getInstance(), app, config, inventory);
  readiness.add('redis', redisCheck(app.get(RequestSender)));
  app.get(ApiDocument).describe(app);
  await app.listen({ port: config.port, host: config.host, backlog: BACKLOG });
  return { app, inventory, url: `http://localhost:${portOf(app)}`, stop: () => drain.stop(app) };
}

/** The order of the checks of every request (reliability page, B.2); the controllers' routes come after. */
async function prepare(
  server: FastifyInstance,
  app: NestFastifyApplication,
  config: GatewayConfig,
  inventory: RouteInventory,
): Promise<void> {
  inventory.watch(server);
  scopeRequests(server);
  logRequests(server);
  app.get(SecurityEvents).watch(server);
  const fixedHeaders = await securityHeaders(server, config, app.get<Community>(COMMUNITY));
  app.get(Doorkeeper).guard(server, fixedHeaders); // it looks at every request before any of this
  guardGate(server, config, inventory);
  readBodies(server);
  await useSessions(server, config, app.get(GatewaySessionStore));
  guardAccess(server, app.get(Sessions), app.get(ApiLimits), config);
  new BodyBudget().watch(server);
  await server.register(compress, {
    threshold: COMPRESS_FROM,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
    globalDecompression: false, // a compressed body could be a bomb
  });
  if (config.webRoot !== undefined) await serveWebFiles(server, resolve(config.webRoot));
}

function portOf(app: NestFastifyApplication): number {
  const address = app.getHttpServer().address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}
