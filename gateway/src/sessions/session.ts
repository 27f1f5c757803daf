import { FRESH_SIGN_IN, type FreshSignInFor, SESSION, type SessionUser } from '@meetmark/contracts';

export interface StoredSession {
  userId: string;
  /** The session ends when the user's epoch increases. */
  epoch: number;
  /** Milliseconds since 1970, as in the other time fields. */
  createdAt: number;
  expire: number;
  /** Sessions from older versions lack this and the following fields. */
  confirmedAt?: number;
  usedAt?: number;
  device?: string;
  network?: string;
}

export interface LoadedSession extends StoredSession {
  sid: string;
  user: SessionUser;
}

export const confirmedAt = (session: StoredSession) => session.confirmedAt ?? session.createdAt;

export const isFresh = (session: StoredSession, kind: FreshSignInFor, now: number) =>
  now - confirmedAt(session) < FRESH_SIGN_IN[kind];

export const expiryFrom = (now: number, createdAt: number) =>
  Math.min(now + SESSION.idle, createdAt + SESSION.absolute);

/** Whether to extend the session. Rarely true, so that most requests don't write. */
export const needsTouch = (session: StoredSession, now: number) =>
  expiryFrom(now, session.createdAt) - session.expire > SESSION.touchEvery;

export const isOver = (session: StoredSession, now: number) => session.expire <= now;
