import type { SessionUser } from './auth/users.js';

// Values of `user:{generation}:{id}` in Redis. Only auth writes them. Gateways read them together with the
// session, in one round trip.
//
//   JSON of SessionUser   the user after the last acknowledged change
//   gone                  the account was deleted; ids are never used again
//   changing:<token>      a change is being committed; ask auth (GetSessionUser) and store nothing
//   reading:<token>       auth is about to write the entry; ask auth (GetSessionUser) and store nothing
//   (absent)              ask auth (GetSessionUser), which writes the entry

/**
 * The key contains Redis's generation. After a failover the generation is new, because acknowledged changes
 * may be lost.
 */
export const userCacheKey = (userId: string, generation: string) =>
  `user:${generation}:${userId.toLowerCase()}`;

export const USER_CACHE = {
  gone: 'gone',
  changing: 'changing:',
  reading: 'reading:',
  /** Milliseconds. Limits how long an outdated entry is used if Redis loses a write. */
  lifetime: 10 * 60_000,
  /**
   * Milliseconds. Longer than any transaction, so that the marker of a change never expires before the
   * commit.
   */
  markerLifetime: 15_000,
} as const;

export function readUserCache(entry: string | null | undefined): SessionUser | null | 'ask' {
  if (entry === USER_CACHE.gone) return null;
  if (!entry?.startsWith('{')) return 'ask';
  return JSON.parse(entry) as SessionUser;
}

/**
 * Redis counter; 0 if absent. The events service increments it before and after each commit of a public
 * change. Caches read the counter before they request a response, and store the response under that value. So
 * nobody sees a response older than an acknowledged change.
 */
export const PUBLIC_EVENTS_VERSION = 'events:version';
