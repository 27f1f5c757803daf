import { IsBoolean, IsIn } from 'class-validator';
import { REGISTRATION_STATUSES, type RegistrationStatus } from './events.js';
import { LIMITS } from '../limits.js';
import { messagesTo } from '../message.js';
import { PageRequest, type Page } from '../paging.js';
import type { Answers } from './questions.js';
import {
  About,
  EmptyAsNull,
  IfGiven,
  IsEmailAddress,
  IsId,
  IsName,
  ListOfIds,
  PlainText,
  SingleLine,
  withIds,
} from '../validation.js';

const events = messagesTo('events');

export const CHECKED_IN_BY = ['door', 'self', 'organiser'] as const;
export type CheckedInBy = (typeof CHECKED_IN_BY)[number];

export interface Guest {
  id: string;
  /** Empty for a former member. */
  name: string;
  email: string | null;
  /** Null for guests added by an organiser, even if their email address belongs to an account. */
  userId: string | null;
  /** Always false for guests added by an organiser. */
  unconfirmed: boolean;
  profileImageUrl: string | null;
  state: RegistrationStatus;
  registeredAt: string;
  note: string | null;
  paidAt: string | null;
  checkedInAt: string | null;
  checkedInBy: CheckedInBy | null;
  /** True if this guest wasn't checked in at a past event where other guests were. */
  noShow: boolean;
  answers: Answers;
}

export class GuestFilter extends PageRequest {
  @About('State of the registration')
  @IfGiven()
  @IsIn(REGISTRATION_STATUSES)
  state?: RegistrationStatus;

  @About('Whether the guest was checked in')
  @IfGiven()
  @IsIn(['true', 'false'])
  checkedIn?: 'true' | 'false';

  @About('Whether the member hasn’t verified their email address')
  @IfGiven()
  @IsIn(['true', 'false'])
  unconfirmed?: 'true' | 'false';

  @About('Part of the name or email address. Ignores case and accents')
  @IfGiven()
  @SingleLine(LIMITS.search)
  q?: string;
}

export class GuestSelection {
  @About('IDs of guests')
  @ListOfIds(LIMITS.guestsChosen)
  ids!: string[];
}

export class ListGuestsRequest extends GuestFilter {
  @IsId()
  eventId!: string;

  /** Skips counting, for exports that read all pages anyway. Then `total` is the size of the page. */
  @IfGiven()
  @IsBoolean()
  uncounted?: boolean;
}

export const ListGuests = events.manager('guests.list', ListGuestsRequest, { heavy: true })<Page<Guest>>();

export class PlaceFields {
  @About('Add a place if the event is full. Default: false, a full event is 409 `EVENT_FULL`')
  @IfGiven()
  @IsBoolean()
  raiseCapacity?: boolean;
}

export class GuestFields extends PlaceFields {
  @About('Full name', 'Ada Lovelace')
  @IsName('Name is required')
  name!: string;

  @About(
    'The confirmation is sent here. The owner of the address can take the registration over',
    'ada@example.org',
  )
  @EmptyAsNull()
  @IsEmailAddress()
  email?: string | null = null;
}

export class AddGuestRequest extends withIds(GuestFields, 'eventId') {}

/**
 * @throws GUEST_EXISTS
 * @throws EVENT_FULL
 * @throws EVENT_CANCELLED
 * @throws EVENT_NOT_PUBLISHED
 */
export const AddGuest = events.manager('guests.add', AddGuestRequest)<Guest>();

export class GuestChangeFields {
  @About('Private note, visible to people who manage the event')
  @IfGiven()
  @EmptyAsNull()
  @PlainText(LIMITS.note)
  note?: string | null;

  @About('Whether the guest has paid')
  @IfGiven()
  @IsBoolean()
  paid?: boolean;

  @About('true checks a registered guest in now. false removes every check-in')
  @IfGiven()
  @IsBoolean()
  checkedIn?: boolean;
}

export class ChangeGuestRequest extends withIds(GuestChangeFields, 'eventId', 'guestId') {}

/**
 * @throws GUEST_NOT_FOUND
 * @throws EVENT_NOT_PUBLISHED for a check-in
 * @throws EVENT_CANCELLED for a check-in
 * @throws NOT_REGISTERED for a check-in
 */
export const ChangeGuest = events.manager('guests.change', ChangeGuestRequest)<Guest>();

export class RemovalFields {
  @About('Added to the email to the guest')
  @EmptyAsNull()
  @PlainText(LIMITS.note)
  reason?: string | null = null;
}

export class ManyRemovalFields extends RemovalFields {
  @About('IDs of guests')
  @ListOfIds(LIMITS.guestsChosen)
  ids!: string[];
}

export class RemoveGuestsRequest extends withIds(ManyRemovalFields, 'eventId') {}

/**
 * Notifies the guests. Ignores unknown ids and people who were already removed.
 * @throws GUEST_NOT_FOUND if none of the people is on a list
 */
export const RemoveGuests = events.manager('guests.remove', RemoveGuestsRequest)<void>();

export class PlaceGuestRequest extends withIds(PlaceFields, 'eventId', 'guestId') {}

/**
 * Registers a guest. Does nothing if the guest is already registered.
 * @throws GUEST_NOT_FOUND
 * @throws EVENT_FULL
 * @throws EVENT_CANCELLED
 */
export const PlaceGuest = events.manager('guests.place', PlaceGuestRequest)<Guest>();
