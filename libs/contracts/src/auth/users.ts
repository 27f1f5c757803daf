import type { ProductLocale } from '@meetmark/i18n/locales';
import type { LegalVersions } from '../community.js';
import { messagesTo, Nothing } from '../message.js';
import { About, IsEmailAddress, IsId, IsName } from '../validation.js';

const auth = messagesTo('auth');

/**
 * What other members see: nothing (`no`), the name and image (`name`), or also the LinkedIn profile
 * (`linkedin`).
 */
export const SHOW_ME = ['no', 'name', 'linkedin'] as const;
export type ShowMe = (typeof SHOW_ME)[number];

/** `public` also shows the attendee to visitors, if the community allows it. It is never the default. */
export const PLACE_SHOWS = [...SHOW_ME, 'public'] as const;
export type PlaceShows = (typeof PLACE_SHOWS)[number];

/** Owners can do everything. Organisers can do everything that concerns events. */
export const ROLES = ['owner', 'organiser', 'member'] as const;
export type Role = (typeof ROLES)[number];

/** Never contains the password. Dates are ISO 8601 in UTC. */
export interface User {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  profileImageUrl: string | null;
  description: string | null;
  linkedInUrl: string | null;
  role: Role;
  isAdmin: boolean;
  hasSecondFactor: boolean;
  emailVerifiedAt: string | null;
  pendingEmail: string | null;
  /** False if the user signs in only with emailed codes. */
  hasPassword: boolean;
  showMe: ShowMe;
  locale: ProductLocale | null;
  createdAt: string;
  updatedAt: string;
  version: number;
  /** Versions of legal pages to accept before anything else. Absent if there are none. */
  consentNeeded?: LegalVersions;
}

export interface SessionUser {
  user: User;
  /**
   * Increases when the password changes or the user signs out other browsers. Sessions with a lower epoch are
   * invalid.
   */
  epoch: number;
  /** Increases with every change of the row, so that caches never replace newer data with older data. */
  version: number;
  /** When the account will be deleted. Omitted unless its owner closed it. */
  deletedAt?: string;
  /** Newest version of each legal page that the user accepted. Absent in responses of an older auth service. */
  accepted?: LegalVersions;
}

export class UserIdRequest {
  @IsId()
  userId!: string;
}

export const GetSessionUser = auth.internal('users.getSessionUser', UserIdRequest)<SessionUser | null>();

/**
 * Ends the caller's other sessions by raising the account's epoch. The gateway renews the current session.
 */
export const EndSessions = auth.member('users.endSessions', Nothing)<SessionUser>();

export class PersonFields {
  @About('Stored in lower case', 'ada@example.org')
  @IsEmailAddress()
  email!: string;

  @About('First name', 'Ada')
  @IsName('First name is required')
  firstName!: string;

  @About('Last name', 'Lovelace')
  @IsName('Last name is required')
  lastName!: string;
}
