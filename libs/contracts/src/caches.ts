import type { SessionUser } from './users.js';

// The auth service alone writes `user:{generation}:{id}` in Redis; gateways only read it, together with the session, in one round trip.
//
//   JSON of SessionUser   the user as of their last acknowledged change
//   gone                  the account was deleted; ids are never used again
//   changing:<token>      a change is being committed        } ask auth by GetSessionUser and keep nothing
//   reading:<token>       auth is about to fill the entry    }
//   (absent)              ask auth by GetSessionUser, which fills it

/**
 * Ids come in any letter case; their entry has one name. It is one of a generation of Redis: what was written before a failover is not
 * found after it, because an acknowledged change may be missing there.
 */
export const userCacheKey = (userId: string, generation: string) =>
  `user:${generation}:${userId.toLowerCase()}`;

export const USER_CACHE = {
  gone: 'gone',
  changing: 'changing:',
  reading: 'reading:',
  /** Milliseconds an entry lives. A write that was lost with Redis itself can mislead for no longer than this. */
  lifetime: 10 * 60_000,
  /** Milliseconds a marker lives: longer than any transaction may take, so that it outlives a process that died in one. */
  markerLifetime: 15_000,
} as const;

/** What an entry says: the user, null when the account is gone, or that only the auth service knows. */
export function readUserCache(entry: string | null | undefined): SessionUser | null | 'ask' {
  if (entry === USER_CACHE.gone) return null;
  if (!entry?.startsWith('{')) return 'ask';
  return JSON.parse(entry) as SessionUser;
}

/**
 * Redis counter behind the cached public answers about events. The events service raises it before and again after the
 * commit of whatever those answers show, and before the writer is answered. Who caches reads it first and keeps the answer
 * under the number read: what was loaded before the commit is then never shown after the writer was answered. Absent means 0.
 */
export const PUBLIC_EVENTS_VERSION = 'events:version';
