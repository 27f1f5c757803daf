import { DomainError, type User } from '@meetmark/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ApiLimits } from '../limits/api-limits.js';
import type { Sessions } from '../sessions/sessions.js';
import type { RouteTraits } from '../http/route.js';

/**
 * Who calls and whether they may: 401 before 403, and both before the body is read (B.2). A hook of the route itself, so
 * that no spelling of the address, HEAD or trailing slash goes round it (T1).
 */
export function guardAccess(server: FastifyInstance, sessions: Sessions, limits: ApiLimits): void {
  server.addHook('onRequest', async (request) => {
    const { config } = request.routeOptions;
    if (request.is404 || config.anonymous) return;
    identify(request);
    if (sessions.needsUpkeep(request)) await sessions.keepUp(request);
    await limits.count(request);
    allow(config.access, request.caller);
  });
}

function identify(request: FastifyRequest): void {
  if (request.session === null) return;
  const { user, epoch } = request.session.user;
  request.caller = user;
  request.call.identity = { sub: user.id, isAdmin: user.isAdmin, epoch };
}

/** A route without a mark cannot exist (RouteInventory); were there one, nobody could call it. */
function allow(access: RouteTraits['access'] | undefined, caller: User | null): void {
  if (access === 'public') return;
  if (caller === null) throw new DomainError('UNAUTHORIZED');
  if (access === 'member') return;
  if (access !== 'admin' || !caller.isAdmin) throw new DomainError('FORBIDDEN');
}
