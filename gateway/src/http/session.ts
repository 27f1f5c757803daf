import cookie, { Signer } from '@fastify/cookie';
import { SESSION } from '@meetmark/contracts';
import { BoundedMap } from '@meetmark/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../gateway.config.js';
import type { GatewaySessionStore } from '../sessions/session-store.js';
import type { LoadedSession } from '../sessions/session.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The session of the browser's cookie; null for a visitor and if it is over. */
    session: LoadedSession | null;
    /** The session that the signed cookie names, also if it is over. */
    claimedSid: string | null;
    /** The session cookie that the answer sets; undefined for none, null removes it. */
    newCookie: SessionCookie | null | undefined;
    /** Other cookies that the answer sets, by name; null removes one. */
    moreCookies: Map<string, KeptCookie | null> | null;
  }
}

export interface KeptCookie {
  value: string;
  /** Seconds. */
  maxAge: number;
}

interface SessionCookie {
  sid: string;
  /** Milliseconds since 1970. */
  expire: number;
}

const REMEMBERED = 10_000;

/** Over https the browser itself binds the cookie to this host, to TLS and to path /. */
export const cookieName = (config: GatewayConfig, name: string = SESSION.cookie) =>
  isSecure(config) ? `__Host-${name}` : name;

const isSecure = ({ publicUrl }: GatewayConfig) => publicUrl.startsWith('https:');

/** Sets or, with null, removes a cookie that no other site and no script can read. */
export function setCookie(request: FastifyRequest, name: string, kept: KeptCookie | null): void {
  (request.moreCookies ??= new Map()).set(name, kept);
}

/** Reads and writes the cookies, and loads the session. A request without a session cookie costs no look-up. */
export async function useSessions(
  server: FastifyInstance,
  config: GatewayConfig,
  store: GatewaySessionStore,
): Promise<void> {
  const signer = new Signer(config.sessionSecrets);
  const name = cookieName(config);
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(config) } as const;
  // a signature stays valid; whether the session exists is checked every time
  const known = new BoundedMap<string, ReturnType<Signer['unsign']>>(REMEMBERED);
  await server.register(cookie);
  server.decorateRequest('session', null);
  server.decorateRequest('claimedSid', null);
  server.decorateRequest('newCookie', undefined);
  server.decorateRequest('moreCookies', null);

  server.addHook('onRequest', (request, _reply, done) => {
    const { [name]: signed } = request.cookies;
    if (!signed || request.is404 || request.routeOptions.config.anonymous) return done();
    const { valid, value, renew } = known.get(signed) ?? signer.unsign(signed);
    request.newCookie = null; // unless the session exists
    if (!valid) return done();
    known.set(signed, { valid, value, renew });
    request.claimedSid = value;
    store.load(value).then(
      (session) => {
        request.session = session;
        // signed with an old secret
        if (session !== null) request.newCookie = renew ? session : undefined;
        done();
      },
      (error: Error) => {
        request.newCookie = undefined;
        done(error);
      },
    );
  });

  server.addHook('onSend', (request, reply, _payload, done) => {
    if (request.newCookie !== undefined) write(reply, request.newCookie);
    for (const [other, kept] of request.moreCookies ?? []) {
      if (kept === null) reply.clearCookie(cookieName(config, other), options);
      else reply.setCookie(cookieName(config, other), kept.value, { ...options, maxAge: kept.maxAge });
    }
    done();
  });

  function write(reply: FastifyReply, change: SessionCookie | null): void {
    if (change === null) return void reply.clearCookie(name, options);
    reply.setCookie(name, signer.sign(change.sid), { ...options, expires: new Date(change.expire) });
  }
}
