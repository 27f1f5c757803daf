import { DomainError, type Access as CallAccess } from '@meetmark/contracts';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../gateway.config.js';
import type { ApiLimits } from '../rate-limits/rate-limiter.js';
import type { RateLimitName } from '../rate-limits/rate-limits.js';
import type { Sessions } from '../sessions/sessions.js';
import type { BodyKind } from './body.js';

/** Properties of a route that the hooks read before the body. */
export interface RouteTraits {
  /** Who may call. A route without it stops the process at start. */
  access: Exclude<CallAccess, 'internal'>;
  /** Bytes; 64 kB by default. */
  bodyLimit: number;
  /** JSON by default. */
  body: BodyKind;
  /** Called by other sites by design: one-click unsubscribe from a mail program. */
  fromAnywhere: boolean;
  /** Needs a sign-in, or a new proof of one, within the last ten minutes. */
  fresh: boolean;
  /** Counted for the account besides the limit of every call, in the same round trip. */
  limit: RateLimitName;
  /** Without session and rate limit: files and pages that are the same for everybody. */
  anonymous: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<RouteTraits> {}
}

const TRAITS = Symbol('route traits');

export const traitsOf = (handler: object): Partial<RouteTraits> =>
  (Reflect.getMetadata(TRAITS, handler) as Partial<RouteTraits> | undefined) ?? {};

/** Adds traits to a route. Unlike Nest's RouteConfig it can be used more than once on a method. */
export function routeTraits(traits: Partial<RouteTraits>): MethodDecorator {
  return (target, name, descriptor) => {
    const handler = descriptor.value as object;
    const merged = { ...traitsOf(handler), ...traits };
    Reflect.defineMetadata(TRAITS, merged, handler);
    RouteConfig(merged)(target, name, descriptor);
  };
}

/** Who may call a route. Every route needs it, otherwise the process does not start. */
export const Access = (access: RouteTraits['access']) => routeTraits({ access });

/** Counts each request against this limit of the caller's account. */
export const Limited = (limit: RateLimitName) => routeTraits({ limit });

/** The caller must have proved who they are within the last ten minutes; otherwise 403 FRESH_SIGN_IN_REQUIRED. */
export const FreshSignIn = () => routeTraits({ fresh: true });

/**
 * Finds the caller, counts the request against their rate limit and checks their access: 401 before 403, and both before the body is
 * read. The hook belongs to the matched route, so no spelling of the address, HEAD or slash at its end avoids it.
 */
export function guardAccess(
  server: FastifyInstance,
  sessions: Sessions,
  limits: ApiLimits,
  { adminSecondFactor }: Pick<GatewayConfig, 'adminSecondFactor'>,
): void {
  server.addHook('onRequest', async (request) => {
    const { config } = request.routeOptions;
    if (request.is404 || config.anonymous) return;
    identify(request, sessions.confirmedAt(request), adminSecondFactor === 'required');
    if (sessions.needsUpkeep(request)) await sessions.keepUp(request);
    await limits.count(request);
    allow(config.access, request);
    if (config.fresh && !sessions.isFresh(request)) throw new DomainError('FRESH_SIGN_IN_REQUIRED');
  });
}

/** Where administrators need a second factor, one without it has a member's rights. */
function identify(
  request: FastifyRequest,
  confirmedAt: number | undefined,
  secondFactorRequired: boolean,
): void {
  if (request.session === null) return;
  const { user, epoch } = request.session.user;
  const isAdmin = user.isAdmin && (user.hasSecondFactor || !secondFactorRequired);
  request.caller = user;
  request.call.identity = { sub: user.id, isAdmin, epoch, confirmedAt };
}

/** RouteInventory refuses routes without access; if there were one, it would be closed. */
function allow(access: RouteTraits['access'] | undefined, { caller, call }: FastifyRequest): void {
  if (access === 'public') return;
  if (caller === null) throw new DomainError('UNAUTHORIZED');
  if (access === 'member') return;
  if (access !== 'admin' || !caller.isAdmin) throw new DomainError('FORBIDDEN');
  if (!call.identity?.isAdmin) throw new DomainError('SECOND_FACTOR_SETUP_REQUIRED');
}
