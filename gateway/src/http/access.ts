import { DomainError, LIMITS, MayManage, UUID_PATTERN, type Access as CallAccess } from '@meetmark/contracts';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../gateway.config.js';
import type { ApiLimits } from '../rate-limits/api-limits.js';
import type { RateLimitName } from '../rate-limits/rate-limits.js';
import type { Services } from '../services.js';
import type { Sessions } from '../sessions/sessions.js';
import type { BodyKind } from './body.js';

/** Properties of a route that the hooks read before the body. */
interface RouteTraits {
  /** Who may call; `manager`: of the event that `:id` names. A route without it stops the process at start. */
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
  /** Called by phones that know a door link: counted for link and network, not as other visitors. */
  door: boolean;
  /** Values in a JSON body; 1,000 by default. */
  values: number;
  /** Whether the request is answered without its session: files and pages that are the same for everybody. */
  anonymous: boolean;
  /** The limit of a network for what is the same for everybody, counted before any work; null for a file, which costs none. */
  network: RateLimitName | null;
}

declare module 'fastify' {
  interface FastifyContextConfig extends Partial<RouteTraits> {}
  interface FastifyInstance {
    /** Finds the caller of a request on a route that is the same for everybody, where one answer depends on them after all. */
    findCaller: (request: FastifyRequest) => Promise<void>;
  }
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

/** The same for everybody: read without a session, and counted for the network that asks. Null: a file, which costs no work. */
export const SameForAll = (network: RateLimitName | null) => routeTraits({ anonymous: true, network });

/** The most values that an item of a phone at the door has. */
const VALUES_OF_ITEM = 6;

/** Opens the route to phones at the door, which may send many items at once. */
export const AtDoor = () => routeTraits({ door: true, values: LIMITS.doorItems * (VALUES_OF_ITEM + 1) });

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
  services: Services,
  { adminSecondFactor }: Pick<GatewayConfig, 'adminSecondFactor'>,
): void {
  const findCaller = (request: FastifyRequest) =>
    identify(request, sessions.confirmedAt(request), adminSecondFactor === 'required');
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
    if (config.access === 'manager' && !request.call.identity?.isAdmin)
      await requireManager(services, request);
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
  request.call.identity = {
    sub: user.id,
    isAdmin,
    isOrganiser: user.role === 'organiser',
    epoch,
    confirmedAt,
  };
}

/** RouteInventory refuses routes without access; if there were one, it would be closed. */
function allow(access: RouteTraits['access'] | undefined, { caller, call }: FastifyRequest): void {
  if (access === 'public') return;
  if (caller === null) throw new DomainError('UNAUTHORIZED');
  if (access === 'member') return;
  if (caller.isAdmin) {
    if (!call.identity?.isAdmin) throw new DomainError('SECOND_FACTOR_SETUP_REQUIRED');
  } else if (access !== 'manager' && !(access === 'organiser' && call.identity?.isOrganiser))
    throw new DomainError('FORBIDDEN');
}

/**
 * The events service knows who manages an event, and is asked each time: a right that is lost is lost at the next request.
 * @throws DomainError FORBIDDEN, EVENT_NOT_FOUND
 */
async function requireManager(services: Services, { call, params }: FastifyRequest): Promise<void> {
  const { id: eventId = '' } = params as { id?: string };
  if (!UUID_PATTERN.test(eventId))
    throw new DomainError(call.identity?.isOrganiser ? 'MALFORMED_ID' : 'FORBIDDEN');
  await services.read(MayManage, { eventId });
}
