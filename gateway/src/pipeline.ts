import { resolve } from 'node:path';
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SecurityEvents } from './admin/security-events.js';
import type { AdmissionControl } from './admission/admission-control.js';
import type { GatewayConfig } from './gateway.config.js';
import { guardAccess } from './http/access.js';
import { AdminSecondFactorRule } from './http/admin-second-factor.js';
import { ConsentRule } from './http/consent-rule.js';
import { BodyBudget } from './http/body-budget.js';
import { checkBodyHeaders, readBodies } from './http/body.js';
import { originCheck } from './http/csrf.js';
import { logRequests, scopeRequests } from './http/request.js';
import { ResponseBudget } from './http/response-budget.js';
import type { RouteInventory } from './http/routes.js';
import { securityHeaders } from './http/security-headers.js';
import { useSessions } from './http/session.js';
import { ApiLimits } from './rate-limits/api-limits.js';
import { HeavyCalls } from './rate-limits/heavy-calls.js';
import { GatewaySessionStore } from './sessions/session-store.js';
import { Sessions } from './sessions/sessions.js';
import { Services } from './services.js';
import { CommunityFollower } from '@meetmark/platform';
import { isPage } from './site/pages.js';
import { serveWebFiles } from './site/site.controller.js';

/** Minimum bytes of a response to compress. Cached responses are compressed by the code in cache/. */
const COMPRESS_FROM = 1_024;
const BROTLI_QUALITY = 4;

/**
 * Registers the checks that each request must pass. Their order matters. They are hooks, because Nest's
 * guards run only after Fastify has read the body. Hooks also cover unknown routes and every spelling of a
 * URL. Fields of the body are checked in http/fields.ts, and ErrorsFilter handles errors.
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
  new ResponseBudget().watch(server);
  const checks = [originCheck(config), routes.check(isPage), checkBodyHeaders];
  server.addHook('onRequest', (request, _reply, done) => {
    for (const check of checks) check(request);
    done();
  });
  useSessions(server, config, app.get(GatewaySessionStore));
  guardAccess(
    server,
    app.get(Sessions),
    app.get(ApiLimits),
    app.get(Services),
    app.get(AdminSecondFactorRule),
    app.get(ConsentRule),
  );
  new BodyBudget().watch(server);
  readBodies(server);
  app.get(HeavyCalls).watch(server);
  await server.register(compress, {
    threshold: COMPRESS_FROM,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } },
    globalDecompression: false, // A small compressed body could expand to a huge one.
  });
  if (config.webRoot !== undefined) await serveWebFiles(server, resolve(config.webRoot));
}
