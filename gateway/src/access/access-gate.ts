import { DomainError } from '@meetmark/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../gateway.config.js';
import type { ApiLimits } from '../limits/api-limits.js';
import type { Sessions } from '../sessions/sessions.js';
import type { RouteTraits } from '../http/route.js';

/**
 * Who calls and whether they may: 401 before 403, and both before the body is read (B.2). A hook of the route itself, so
 * that no spelling of the address, HEAD or trailing slash goes round it (T1).
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

/** A route without a mark cannot exist (RouteInventory); were there one, nobody could call it. */
function allow(access: RouteTraits['access'] | undefined, { caller, call }: FastifyRequest): void {
  if (access === 'public') return;
  if (caller === null) throw new DomainError('UNAUTHORIZED');
  if (access === 'member') return;
  if (access !== 'admin' || !caller.isAdmin) throw new DomainError('FORBIDDEN');
  if (!call.identity?.isAdmin) throw new DomainError('SECOND_FACTOR_SETUP_REQUIRED');
}
