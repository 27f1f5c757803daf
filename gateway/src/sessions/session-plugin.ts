import cookie, { Signer } from '@fastify/cookie';
import session from '@fastify/session';
import { SESSION } from '@meetmark/contracts';
import type { FastifyInstance } from 'fastify';
import type { GatewayConfig } from '../gateway.config.js';
import type { GatewaySessionStore } from './session-store.js';

/** Over https the browser itself holds the cookie to this host, to TLS and to path /. */
export const cookieName = (config: GatewayConfig) =>
  isSecure(config) ? `__Host-${SESSION.cookie}` : SESSION.cookie;

const isSecure = ({ publicUrl }: GatewayConfig) => publicUrl.startsWith('https:');

/** Cookies and sessions. A visitor who never signed in has no session and costs no look-up. */
export async function useSessions(
  server: FastifyInstance,
  config: GatewayConfig,
  store: GatewaySessionStore,
): Promise<void> {
  const signer = new Signer(config.sessionSecrets);
  await server.register(cookie, { secret: signer });
  server.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.anonymous || request.is404) request.cookies = {};
    done();
  });
  await server.register(session, {
    secret: signer,
    cookieName: cookieName(config),
    cookie: { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(config), maxAge: SESSION.idle },
    store,
    saveUninitialized: false,
    rolling: false,
  });
}
