import { SECOND_FACTOR, SESSION, type SessionUser } from '@meetmark/contracts';

/** A session in `gateway.sessions.sess`, and its copy in Redis. */
export interface StoredSession {
  userId: string;
  /** The user's session epoch when the session began; a higher one of the user ends the session. */
  epoch: number;
  /** Milliseconds since 1970, as is `expire`. */
  createdAt: number;
  expire: number;
  /** When its user last proved who they are; sessions of older versions lack it and the fields below. */
  confirmedAt?: number;
  /** When it was last prolonged, to the hour. */
  usedAt?: number;
  /** Browser and system, such as 'Firefox on Windows'. */
  device?: string;
  /** The /24 or /48 that it began in. */
  network?: string;
}

/** A valid session with its present user. */
export interface LoadedSession extends StoredSession {
  sid: string;
  user: SessionUser;
}

/** When the session's user last proved who they are. */
export const confirmedAt = (session: StoredSession) => session.confirmedAt ?? session.createdAt;

/** Whether that is recent enough for a dangerous action. */
export const isFresh = (session: StoredSession, now: number) =>
  now - confirmedAt(session) < SECOND_FACTOR.freshFor;

/** The end of a session that is used now: after 7 days without use, and 30 days after its beginning at most. */
export const expiryFrom = (now: number, createdAt: number) =>
  Math.min(now + SESSION.idle, createdAt + SESSION.absolute);

/** Whether the session should be prolonged: rarely, so that reading does not mean writing. */
export const needsTouch = (session: StoredSession, now: number) =>
  expiryFrom(now, session.createdAt) - session.expire > SESSION.touchEvery;

export const isOver = (session: StoredSession, now: number) => session.expire <= now;
