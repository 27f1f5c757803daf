import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { REGISTRATION_STATUSES, type RegistrationStatus } from './events.js';
import { LIMITS } from './limits.js';
import { defineMessage } from './message.js';
import { PageRequest, type Page } from './paging.js';
import type { Answers } from './questions.js';
import {
  EmptyAsNull,
  IfGiven,
  IsEmailAddress,
  IsId,
  IsName,
  ListOfIds,
  PlainText,
  SingleLine,
} from './validation.js';

// The guest list of an event: everybody who has, had or waits for a place, members and people without an account alike.

/** How somebody came in: let in at the door, by the event's own code, or as who manages the event says. */
export const CHECKED_IN_BY = ['door', 'self', 'organiser'] as const;
export type CheckedInBy = (typeof CHECKED_IN_BY)[number];

/** Somebody on the guest list, as those who manage the event see them. */
export interface Guest {
  /** The registration's id. */
  id: string;
  name: string;
  email: string | null;
  /** Null of somebody whom an organiser added, whether or not the address has an account. */
  userId: string | null;
  profileImageUrl: string | null;
  state: RegistrationStatus;
  registeredAt: string;
  /** What organisers note of the guest, for organisers alone. */
  note: string | null;
  paidAt: string | null;
  checkedInAt: string | null;
  checkedInBy: CheckedInBy | null;
  /** Had a place at an event that is over and where others were checked in, and did not come. */
  noShow: boolean;
  /** Empty where nothing was asked, or an organiser or the door added the person. */
  answers: Answers;
}

export class GuestFilter extends PageRequest {
  @IsOptional()
  @IsIn(REGISTRATION_STATUSES)
  state?: RegistrationStatus;

  @IsOptional()
  @IsIn(['true', 'false'])
  checkedIn?: 'true' | 'false';

  /** Part of the name or address, any letter case. */
  @IsOptional()
  @SingleLine(LIMITS.search)
  q?: string;
}

/** POST /api/admin/events/{id}/guests.csv: whose rows. */
export class GuestSelection {
  @ListOfIds(LIMITS.guestsChosen)
  ids!: string[];
}

export class ListGuestsRequest extends GuestFilter {
  @IsId()
  eventId!: string;
}

/** In the order of arrival. */
export const ListGuests = defineMessage({
  service: 'events',
  name: 'guests.list',
  access: 'manager',
  reads: true,
  request: ListGuestsRequest,
})<Page<Guest>>();

/** Gives somebody a place; `raiseCapacity` adds one where none is free. */
export class PlaceFields {
  /** Left out: EVENT_FULL, with the number of those who wait. */
  @IsOptional()
  @IsBoolean()
  raiseCapacity?: boolean;
}

/** POST /api/admin/events/{id}/guests. */
export class GuestFields extends PlaceFields {
  @IsName('Name is required')
  name!: string;

  /** Is mailed the confirmation, by which its owner can take the place over. */
  @EmptyAsNull()
  @IsEmailAddress()
  email?: string | null = null;
}

export class AddGuestRequest extends GuestFields {
  @IsId()
  eventId!: string;
}

/** GUEST_EXISTS, EVENT_FULL, EVENT_CANCELLED, EVENT_NOT_PUBLISHED. */
export const AddGuest = defineMessage({
  service: 'events',
  name: 'guests.add',
  access: 'manager',
  request: AddGuestRequest,
})<Guest>();

/** PATCH /api/admin/events/{id}/guests/{guestId}: what is left out stays. */
export class GuestChangeFields {
  @IfGiven()
  @EmptyAsNull()
  @PlainText(LIMITS.note)
  note?: string | null;

  @IfGiven()
  @IsBoolean()
  paid?: boolean;

  /** Whether they came: `false` takes every check-in back, `true` is one of now for who has a place. */
  @IfGiven()
  @IsBoolean()
  checkedIn?: boolean;
}

export class ChangeGuestRequest extends GuestChangeFields {
  @IsId()
  eventId!: string;

  @IsId()
  guestId!: string;
}

/** GUEST_NOT_FOUND; of a check-in EVENT_NOT_PUBLISHED, EVENT_CANCELLED, NOT_REGISTERED. */
export const ChangeGuest = defineMessage({
  service: 'events',
  name: 'guests.change',
  access: 'manager',
  request: ChangeGuestRequest,
})<Guest>();

/** DELETE /api/admin/events/{id}/guests/{guestId}. */
export class RemovalFields {
  /** For the mail to the person. */
  @EmptyAsNull()
  @PlainText(LIMITS.note)
  reason?: string | null = null;
}

export class RemoveGuestRequest extends RemovalFields {
  @IsId()
  eventId!: string;

  @IsId()
  guestId!: string;
}

/** Takes a place or the waiting for one away, and tells the person; does nothing where it was given up. GUEST_NOT_FOUND. */
export const RemoveGuest = defineMessage({
  service: 'events',
  name: 'guests.remove',
  access: 'manager',
  request: RemoveGuestRequest,
})<void>();

export class PlaceGuestRequest extends PlaceFields {
  @IsId()
  eventId!: string;

  @IsId()
  guestId!: string;
}

/** To somebody who waits or was removed; does nothing for who has a place. GUEST_NOT_FOUND, EVENT_FULL, EVENT_CANCELLED. */
export const PlaceGuest = defineMessage({
  service: 'events',
  name: 'guests.place',
  access: 'manager',
  request: PlaceGuestRequest,
})<Guest>();
