import { resolve } from 'node:path';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SecurityEvents } from './admin/security-events.js';
import type { AdmissionControl } from './admission/admission-control.js';
import type { GatewayConfig } from './gateway.config.js';
import { guardAccess } from './http/access.js';
import { BodyBudget } from './http/body-budget.js';
import { checkBodyHeaders, readBodies } from './http/body.js';
import { originCheck } from './http/csrf.js';
import { logRequests, scopeRequests } from './http/request.js';
import type { RouteInventory } from './http/routes.js';
import { securityHeaders } from './http/security-headers.js';
import { useSessions } from './http/session.js';
import { ApiLimits } from './rate-limits/api-limits.js';
import { GatewaySessionStore } from './sessions/session-store.js';
import { Sessions } from './sessions/sessions.js';
import { Services } from './services.js';
import { CommunityFollower } from '@meetmark/platform';
import { isPage } from './site/pages.js';
import { serveWebFiles } from './site/site.controller.js';

/** Bytes from which an answer is compressed on its way out; cached answers are compressed once, in cache/. */
const COMPRESS_FROM = 1_024;
const BROTLI_QUALITY = 4;

/**
 * Everything that runs before a controller, in its order; AdmissionControl runs before all of it. These checks are Fastify hooks
 * rather than Nest guards, pipes and interceptors: Fastify reads the body before it calls Nest, and host, origin, session, rate
 * limit and access have to refuse a request before its body is read. A hook also holds for routes that Nest does not know (files, 404s)
 * and for every spelling of an address. What needs the body is Nest's: the pipes of http/fields.ts, and ErrorsFilter (APP_FILTER).
 */
export async function preparePipeline(
  app: NestFastifyApplication,
  config: GatewayConfig,
  routes: RouteInventory,
  admission: AdmissionControl,
): Promise<void> {
  const server = app.getHttpAdapter().getInstance();
  routes.watch(server);
  scopeRequests(server);
  logRequests(server, config);
  app.get(SecurityEvents).watch(server);
  admission.watch(server, await securityHeaders(server, config, app.get(CommunityFollower)));
  const checks = [originCheck(config), routes.check(isPage), checkBodyHeaders];
  server.addHook('onRequest', (request, _reply, done) => {
    for (const check of checks) check(request);
    done();
  });
  useSessions(server, config, app.get(GatewaySessionStore));
  guardAccess(server, app.get(Sessions), app.get(ApiLimits), app.get(Services), config);
  new BodyBudget().watch(server);
  readBodies(server);
  await server.register(compress, {
    threshold: COMPRESS_FROM,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
    globalDecompression: false, // a compressed body could be a bomb
  });
  if (config.webRoot !== undefined) await serveWebFiles(server, resolve(config.webRoot));
}
