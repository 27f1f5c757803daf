import { fastifyCookie, Signer, type SerializeOptions } from '@fastify/cookie';
import { type Community, SESSION } from '@meetmark/contracts';
import { closestLocale, isLocale, LOCALES, type ProductLocale } from '@meetmark/i18n/locales';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { GatewayConfig } from '../gateway.config.js';
import type { GatewaySessionStore } from '../sessions/session-store.js';
import type { LoadedSession } from '../sessions/session.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Loads the session on an anonymous route, without changing the cookie. */
    loadSession: (request: FastifyRequest) => Promise<void>;
  }
  interface FastifyRequest {
    /** Null for visitors and after the session has ended. */
    session: LoadedSession | null;
    /** Session id in the signed cookie, even if the session has ended. */
    claimedSid: string | null;
    /** Undefined leaves the cookie unchanged. Null removes it. */
    newCookie: SessionCookie | null | undefined;
    moreCookies: Map<string, KeptCookie | null> | null;
  }
}

interface KeptCookie {
  value: string;
  /** Seconds. */
  maxAge: number;
}

interface SessionCookie {
  sid: string;
  /** Milliseconds since 1970. */
  expire: number;
}

const { parse, serialize } = fastifyCookie;

/**
 * Maximum number of cookies whose signature check is cached. The check takes a tenth of a short request's
 * time.
 */
const REMEMBERED_CLAIMS = 10_000;

const GONE = { expires: new Date(0), maxAge: 0 };

/** `__Host-` makes browsers accept the cookie only from this host, over TLS and for path /. */
export const cookieName = (config: GatewayConfig, name: string = SESSION.cookie) =>
  isSecure(config) ? `__Host-${name}` : name;

const isSecure = ({ publicUrl }: GatewayConfig) => publicUrl.startsWith('https:');

export function setCookie(request: FastifyRequest, name: string, kept: KeptCookie | null): void {
  (request.moreCookies ??= new Map()).set(name, kept);
}

export const readCookie = ({ headers }: FastifyRequest, name: string): string | undefined =>
  parse(headers.cookie ?? '')[name];

/**
 * Returns the language chosen in this browser (web/src/api/language.ts), or else one from Accept-Language.
 * Undefined means the community's language.
 */
export function readerLocale(request: FastifyRequest, community: Offer): ProductLocale | undefined {
  const locale = readCookie(request, 'locale');
  return isLocale(locale) ? locale : askedLocale(request.headers['accept-language'], community);
}

const LONGEST_HEADER = 500;

type Offer = Partial<Pick<Community, 'locale' | 'languages'>>;

/** Returns, for example, `de` for `de-AT,de;q=0.9,en;q=0.8`. Undefined means the community's language. */
export function askedLocale(
  acceptLanguage = '',
  { locale: own = '', languages }: Offer,
): ProductLocale | undefined {
  const offered: readonly ProductLocale[] = languages ?? LOCALES;
  const wanted = acceptLanguage
    .slice(0, LONGEST_HEADER)
    .split(',')
    .map((entry) => /^\s*([a-z]{2,3})((?:-[a-z\d]{1,8})*)\s*(?:;\s*q=([\d.]+))?\s*$/i.exec(entry))
    .filter((match) => match !== null)
    .map(([, language, rest, weight]) => ({
      language: language!.toLowerCase(),
      tag: `${language}${rest}`,
      weight: Number(weight ?? 1),
    }))
    .filter(({ weight }) => weight > 0)
    .toSorted((one, other) => other.weight - one.weight);
  for (const { language, tag } of wanted) {
    if (getLanguage(own) === language) return undefined;
    const known = offered.filter((locale) => getLanguage(locale) === language);
    if (known.length > 0) return known.includes(closestLocale(tag)) ? closestLocale(tag) : known[0];
  }
  return undefined;
}

const getLanguage = (tag: string) => tag.toLowerCase().split('-')[0];

export function useSessions(
  server: FastifyInstance,
  config: GatewayConfig,
  store: GatewaySessionStore,
): void {
  const signer = new Signer(config.sessionSecrets);
  const claims = new LRUCache<string, ReturnType<Signer['unsign']>>({ max: REMEMBERED_CLAIMS });
  const name = cookieName(config);
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(config) } as const;
  server.decorateRequest('session', null);
  server.decorateRequest('claimedSid', null);
  server.decorateRequest('newCookie', undefined);
  server.decorateRequest('moreCookies', null);

  server.decorate('loadSession', async (request) => {
    const claim = claimIn(request);
    if (claim?.valid) request.session = await store.load(claim.value);
  });

  server.addHook('onRequest', (request, _reply, done) => {
    if (request.is404 || request.routeOptions.config.anonymous) return done();
    const claim = claimIn(request);
    if (claim === undefined) return done();
    request.newCookie = null;
    if (!claim.valid) return done();
    const { value, renew } = claim;
    request.claimedSid = value;
    store.load(value).then(
      (session) => {
        request.session = session;
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
      const changed = kept === null ? GONE : { maxAge: kept.maxAge };
      send(reply, cookieName(config, other), kept?.value ?? '', changed);
    }
    done();
  });

  function claimIn(request: FastifyRequest) {
    const signed = readCookie(request, name);
    if (!signed) return undefined;
    const remembered = claims.get(signed);
    if (remembered !== undefined) return remembered;
    const claim = signer.unsign(signed);
    if (claim.valid) claims.set(signed, claim);
    return claim;
  }

  function write(reply: FastifyReply, change: SessionCookie | null): void {
    if (change === null) send(reply, name, '', GONE);
    else send(reply, name, signer.sign(change.sid), { expires: new Date(change.expire) });
  }

  function send(reply: FastifyReply, cookie: string, value: string, life: SerializeOptions): void {
    void reply.header('set-cookie', serialize(cookie, value, { ...options, ...life }));
  }
}
