import { DomainError } from './errors.js';
import { DEADLINES, SECOND_FACTOR } from './limits.js';

/** Who the caller is, as a service may believe it: the verified content of the signed token on each message. */
export interface Identity {
  /** User id. */
  sub: string;
  /** An owner, with the second factor where owners need one. */
  isAdmin: boolean;
  /** An organiser who is no owner. Absent, as in the tokens of an older gateway, counts as none. */
  isOrganiser?: boolean;
  /** The user's session epoch when the token was signed. */
  epoch: number;
  /** When the user last proved who they are, in milliseconds since 1970. Absent counts as long ago. */
  confirmedAt?: number;
}

/** Milliseconds that a message may be under way since the gateway looked whether the sign-in is fresh. */
const ON_THE_WAY = DEADLINES.gateway;

/**
 * The gateway asks first; a service asks again, so that no path around the gateway's check needs less.
 * @throws DomainError FRESH_SIGN_IN_REQUIRED
 */
export function requireFreshSignIn(identity: Identity | null): void {
  const age = Date.now() - (identity?.confirmedAt ?? -Infinity);
  if (!(age < SECOND_FACTOR.freshFor + ON_THE_WAY)) throw new DomainError('FRESH_SIGN_IN_REQUIRED');
}
