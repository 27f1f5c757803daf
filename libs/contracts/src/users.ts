import type { ProductLocale } from './locales.js';
import { defineMessage, Nothing } from './message.js';
import { IsEmailAddress, IsId, IsName } from './validation.js';

/** What other people who are coming learn of a member: nothing, their name and picture, or LinkedIn as well. */
export const SHOW_ME = ['no', 'name', 'linkedin'] as const;
export type ShowMe = (typeof SHOW_ME)[number];

/** The same of one place. `public`: visitors learn name and picture too, where the community lets them; no place begins with it. */
export const PLACE_SHOWS = [...SHOW_ME, 'public'] as const;
export type PlaceShows = (typeof PLACE_SHOWS)[number];

/** What a person may do in the community: an owner everything, an organiser what belongs to events. */
export const ROLES = ['owner', 'organiser', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** A user as every answer shows it to themselves and to administrators; never a password. Dates are ISO 8601 UTC. */
export interface User {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  profileImageUrl: string | null;
  description: string | null;
  linkedInUrl: string | null;
  role: Role;
  /** Whether `role` is 'owner'. */
  isAdmin: boolean;
  /** Whether signing in takes a second step. */
  hasSecondFactor: boolean;
  /** Null until somebody has shown that the address is theirs. */
  emailVerifiedAt: string | null;
  /** The address that the account is to have once it is confirmed. */
  pendingEmail: string | null;
  /** False for an account that is opened by mailed codes alone. */
  hasPassword: boolean;
  /** What a registration of theirs begins with. */
  showMe: ShowMe;
  /** The language that they chose for the screens; null: the community's. */
  locale: ProductLocale | null;
  createdAt: string;
  updatedAt: string;
  /** Raised by every change of what a form edits; sent back with a change. */
  version: number;
}

/** What the gateway keeps beside a session: the user and what decides whether the session still stands. */
export interface SessionUser {
  user: User;
  /** Raised when the password changes or every other browser is signed out: sessions made under a lower epoch are over. */
  epoch: number;
  /** Raised by every change of the row: a cache never replaces a newer value by an older one. */
  version: number;
}

export class UserIdRequest {
  @IsId()
  userId!: string;
}

/** The session's user, or null when the account is gone. */
export const GetSessionUser = defineMessage({
  service: 'auth',
  name: 'users.getSessionUser',
  access: 'internal',
  reads: true,
  request: UserIdRequest,
})<SessionUser | null>();

/** Raises the epoch: every other session of the caller ends, the gateway renews the caller's own. */
export const EndSessions = defineMessage({
  service: 'auth',
  name: 'users.endSessions',
  access: 'member',
  request: Nothing,
})<SessionUser>();

/** Who an account belongs to, wherever a form asks for it. */
export class PersonFields {
  @IsEmailAddress()
  email!: string;

  @IsName('First name is required')
  firstName!: string;

  @IsName('Last name is required')
  lastName!: string;
}
