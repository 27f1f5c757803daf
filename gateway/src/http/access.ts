import {
  DomainError,
  type FreshSignInFor,
  LIMITS,
  MayManage,
  UUID_PATTERN,
  type Access as CallAccess,
} from '@meetmark/contracts';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiLimits } from '../rate-limits/api-limits.js';
import type { RateLimitName } from '../rate-limits/rate-limits.js';
import type { Services } from '../services.js';
import type { Sessions } from '../sessions/sessions.js';
import type { AdminSecondFactorRule } from './admin-second-factor.js';
import type { BodyKind } from './body.js';
import type { ConsentRule } from './consent-rule.js';

interface RouteTraits {
  /**
   * `manager` means someone who manages the event in `:id`. A route without a rule prevents the gateway's
   * start.
   */
  access: Exclude<CallAccess, 'internal'>;
  /** Maximum bytes of the body, by default 64 kB. */
  bodyLimit: number;
  body: BodyKind;
  /** Also works before the caller has accepted required legal pages. */
  beforeConsent: boolean;
  /** Accepts calls from other sites, such as one-click unsubscribe in an email program. */
  fromAnywhere: boolean;
  fresh: FreshSignInFor;
  /** Additional rate limit per account, counted in the same round trip to Redis as the other limits. */
  limit: RateLimitName;
  heavy: boolean;
  door: boolean;
  /** Maximum values in a JSON body, by default 1,000. */
  values: number;
  /** The response is the same for everyone, so no session is loaded. */
  anonymous: boolean;
  /** Rate limit per network for an anonymous route. Null for files, which cost nothing. */
  network: RateLimitName | null;
}

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<RouteTraits> {}
  interface FastifyInstance {
    /** Loads the session on an anonymous route whose response sometimes depends on the caller. */
    findCaller: (request: FastifyRequest) => Promise<void>;
  }
}

const TRAITS = Symbol('route traits');

export const getTraits = (handler: object): Partial<RouteTraits> =>
  (Reflect.getMetadata(TRAITS, handler) as Partial<RouteTraits> | undefined) ?? {};

/** Unlike Nest's RouteConfig, this decorator can be used several times on a method. */
export function routeTraits(traits: Partial<RouteTraits>): MethodDecorator {
  return (target, name, descriptor) => {
    const handler = descriptor.value as object;
    const merged = { ...getTraits(handler), ...traits };
    Reflect.defineMetadata(TRAITS, merged, handler);
    RouteConfig(merged)(target, name, descriptor);
  };
}

export const Access = (access: RouteTraits['access']) => routeTraits({ access });

export const BeforeConsent = () => routeTraits({ beforeConsent: true });

export const Limited = (limit: RateLimitName) => routeTraits({ limit });

/** An account runs at most two `heavy` calls at a time, across all gateways. */
export const Heavy = () => routeTraits({ heavy: true });

export const SameForAll = (network: RateLimitName | null) => routeTraits({ anonymous: true, network });

/** Maximum JSON values in each check-in that a phone sends. */
const VALUES_OF_ITEM = 6;

export const AtDoor = () => routeTraits({ door: true, values: LIMITS.doorItems * (VALUES_OF_ITEM + 1) });

/**
 * Responds with 403 FRESH_SIGN_IN_REQUIRED unless the user recently signed in or confirmed their identity.
 * `fresh` sets how recent that must be.
 */
export const FreshSignIn = (fresh: FreshSignInFor) => routeTraits({ fresh });

/**
 * Checks access before the body is read: first the rate limit (429), then the sign-in (401), then the rights
 * (403). Checks the matched route, so that neither HEAD nor another spelling of the path bypasses the check.
 */
export function guardAccess(
  server: FastifyInstance,
  sessions: Sessions,
  limits: ApiLimits,
  services: Services,
  secondFactorRule: AdminSecondFactorRule,
  consentRule: ConsentRule,
): void {
  const findCaller = (request: FastifyRequest) => {
    identify(request, sessions.confirmedAt(request), secondFactorRule.isRequired);
    const consentNeeded = request.session ? consentRule.getMissing(request.session.user) : undefined;
    if (request.caller && consentNeeded) request.caller = { ...request.caller, consentNeeded };
  };
  server.decorate('findCaller', async (request) => {
    await server.loadSession(request);
    findCaller(request);
  });
  server.addHook('onRequest', async (request) => {
    const { config } = request.routeOptions;
    if (request.is404) return;
    if (config.anonymous) return limits.countReader(request);
    findCaller(request);
    if (sessions.needsUpkeep(request)) await sessions.keepUp(request);
    await limits.count(request);
    allow(config.access, request);
    if (request.caller?.consentNeeded && config.access !== 'public' && !config.beforeConsent)
      throw new DomainError('CONSENT_REQUIRED');
    if (config.access === 'manager' && !request.call.identity?.isAdmin)
      await requireManager(services, request);
    if (config.fresh && !sessions.isFresh(request, config.fresh))
      throw new DomainError('FRESH_SIGN_IN_REQUIRED');
  });
}

function identify(
  request: FastifyRequest,
  confirmedAt: number | undefined,
  secondFactorRequired: boolean,
): void {
  if (request.session === null) return;
  const { user, epoch } = request.session.user;
  const isAdmin = user.isAdmin && (user.hasSecondFactor || !secondFactorRequired);
  request.caller = user;
  request.call.identity = {
    sub: user.id,
    isAdmin,
    isOrganiser: user.role === 'organiser',
    adminSecondFactorRequired: secondFactorRequired,
    epoch,
    confirmedAt,
  };
}

/** Denies routes without access rules, although RouteInventory already refuses them. */
function allow(access: RouteTraits['access'] | undefined, { caller, call }: FastifyRequest): void {
  if (access === 'public') return;
  if (caller === null) throw new DomainError('UNAUTHORIZED');
  if (access === 'member') return;
  // `requireManager` checks whether an organiser or member may manage the event.
  if (caller.isAdmin) {
    if (!call.identity?.isAdmin) throw new DomainError('SECOND_FACTOR_SETUP_REQUIRED');
  } else if (access !== 'manager' && !(access === 'organiser' && call.identity?.isOrganiser))
    throw new DomainError('FORBIDDEN');
}

/** Asks the service on every request, so that a withdrawn right ends immediately. */
async function requireManager(services: Services, { call, params }: FastifyRequest): Promise<void> {
  const { id: eventId = '' } = params as { id?: string };
  if (!UUID_PATTERN.test(eventId))
    throw new DomainError(call.identity?.isOrganiser ? 'MALFORMED_ID' : 'FORBIDDEN');
  await services.read(MayManage, { eventId });
}
