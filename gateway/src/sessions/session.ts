import { SESSION, type SessionUser } from '@meetmark/contracts';

/** What is kept of a session: in `gateway.sessions.sess`, and in Redis as a copy. */
export interface StoredSession {
  userId: string;
  /** The user's session epoch when the session began: the session is over once the user's is higher. */
  epoch: number;
  /** Milliseconds since 1970, as is `expire`. */
  createdAt: number;
  expire: number;
}

/** A session that stands, with its user as of now. */
export interface LoadedSession extends StoredSession {
  sid: string;
  user: SessionUser;
}

/** When a session that is used now ends if it is not used again: 7 days on, but 30 days after its beginning at most. */
export const expiryFrom = (now: number, createdAt: number) =>
  Math.min(now + SESSION.idle, createdAt + SESSION.absolute);

/** Whether the expiry should be moved on. Rarely, so that reading does not mean writing. */
export const needsTouch = (session: StoredSession, now: number) =>
  expiryFrom(now, session.createdAt) - session.expire > SESSION.touchEvery;

export const isOver = (session: StoredSession, now: number) => session.expire <= now;
