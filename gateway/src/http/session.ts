import { fastifyCookie, Signer, type SerializeOptions } from '@fastify/cookie';
import {
  closestLocale,
  type Community,
  isLocale,
  LOCALES,
  type ProductLocale,
  SESSION,
} from '@meetmark/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { GatewayConfig } from '../gateway.config.js';
import type { GatewaySessionStore } from '../sessions/session-store.js';
import type { LoadedSession } from '../sessions/session.js';

declare module 'fastify' {
  interface FastifyInstance {
    /** Loads the session of a request on a route that is the same for everybody; the answer leaves its cookie as it is. */
    loadSession: (request: FastifyRequest) => Promise<void>;
  }
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
type Claim = ReturnType<Signer['unsign']>;

/** Removes a cookie. */
const GONE = { expires: new Date(0), maxAge: 0 };
const REMEMBERED = 10_000;
/** Characters of a Cookie header that is remembered: a browser sends three hundred, a hostile client as many as it may. */
const REMEMBERED_LENGTH = 1_024;

/** Over https the browser itself binds the cookie to this host, to TLS and to path /. */
export const cookieName = (config: GatewayConfig, name: string = SESSION.cookie) =>
  isSecure(config) ? `__Host-${name}` : name;

const isSecure = ({ publicUrl }: GatewayConfig) => publicUrl.startsWith('https:');

/** Sets or, with null, removes a cookie that no other site and no script can read. */
export function setCookie(request: FastifyRequest, name: string, kept: KeptCookie | null): void {
  (request.moreCookies ??= new Map()).set(name, kept);
}

/** The value of a cookie of the browser. Only a few routes need one besides the session. */
export const readCookie = ({ headers }: FastifyRequest, name: string): string | undefined =>
  parse(headers.cookie ?? '')[name];

/**
 * The language in which somebody reads this site, where it is not the community's: the one that they chose for this browser
 * (web/src/api/language.ts), else the browser's.
 */
export function readerLocale(request: FastifyRequest, community: Offer): ProductLocale | undefined {
  const locale = readCookie(request, 'locale');
  return isLocale(locale) ? locale : askedLocale(request.headers['accept-language'], community);
}

/** Characters of Accept-Language that are read. */
const LONGEST_HEADER = 500;

type Offer = Partial<Pick<Community, 'locale' | 'languages'>>;

/**
 * The first language that a browser asks for (`de-AT,de;q=0.9,en;q=0.8`) of those that a community offers; undefined where that is the
 * community's own, in its own spelling.
 */
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
    if (languageOf(own) === language) return undefined;
    const known = offered.filter((locale) => languageOf(locale) === language);
    if (known.length > 0) return known.includes(closestTo(tag)) ? closestTo(tag) : known[0];
  }
  return undefined;
}

const languageOf = (tag: string) => tag.toLowerCase().split('-')[0];

/** A browser may send what is no tag. */
function closestTo(tag: string): ProductLocale {
  try {
    return closestLocale(tag);
  } catch {
    return closestLocale(languageOf(tag)!);
  }
}

/**
 * Reads and writes the cookies, and loads the session. A request without a session cookie costs no look-up. @fastify/cookie reads,
 * signs and writes; as a plugin it would read every header anew, for 3 % of the processor time of GET /api/user.
 */
export function useSessions(
  server: FastifyInstance,
  config: GatewayConfig,
  store: GatewaySessionStore,
): void {
  const signer = new Signer(config.sessionSecrets);
  const name = cookieName(config);
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(config) } as const;
  // a signature stays valid; whether the session exists is checked every time
  const known = new LRUCache<string, Claim>({ max: REMEMBERED });
  server.decorateRequest('session', null);
  server.decorateRequest('claimedSid', null);
  server.decorateRequest('newCookie', undefined);
  server.decorateRequest('moreCookies', null);

  server.decorate('loadSession', async (request) => {
    const claim = claimIn(request.headers.cookie ?? '');
    if (claim?.valid) request.session = await store.load(claim.value);
  });

  server.addHook('onRequest', (request, _reply, done) => {
    const { cookie } = request.headers;
    if (!cookie || request.is404 || request.routeOptions.config.anonymous) return done();
    const claim = known.get(cookie) ?? claimIn(cookie);
    if (claim === undefined) return done();
    request.newCookie = null; // unless the session exists
    if (!claim.valid) return done();
    const { value, renew } = claim;
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
      const changed = kept === null ? GONE : { maxAge: kept.maxAge };
      send(reply, cookieName(config, other), kept?.value ?? '', changed);
    }
    done();
  });

  function claimIn(header: string): Claim | undefined {
    const { [name]: signed } = parse(header);
    if (!signed) return undefined;
    const claim = signer.unsign(signed);
    if (claim.valid && header.length <= REMEMBERED_LENGTH) known.set(header, claim);
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
