import { IsBoolean, Matches } from 'class-validator';
import { EventIdRequest, type RegistrationStatus } from './events.js';
import { LIMITS } from './limits.js';
import { defineMessage } from './message.js';
import {
  ADDRESS_TOKEN,
  EmptyAsNull,
  IfGiven,
  IsEmailAddress,
  IsId,
  IsMoment,
  IsName,
  ListOf,
} from './validation.js';

// The door of an event: who is let in, by phones that know the door link instead of an account, or by the guests' own phones.

/** Milliseconds after the end of its event until which a door link works. */
export const DOOR_LINK_LIFE = 12 * 3_600_000;

/** 128 bits that only the events service can read: they mean a guest's registration, or the event at its venue. */
export const DOOR_CODE = /^[A-Za-z0-9_-]{22}$/;

/** A link as those see it who manage the event; the address itself is shown once, when it is made. */
export interface DoorLink {
  id: string;
  createdAt: string;
  /** Null while it works. */
  revokedAt: string | null;
  expiresAt: string;
}

/** A check-in that reached us only once its link had ended. */
export interface DoorRefusal {
  linkId: string;
  /** Null of a code that no guest has. */
  name: string | null;
  /** Somebody who was not on the list, as the phone typed them. */
  walkIn: boolean;
  /** The address of a walk-in who gave one. */
  email: string | null;
  /** When they came. */
  at: string;
  receivedAt: string;
  reason: 'revoked' | 'expired';
}

export interface Door {
  /** Those that were not ended before those that were, of each the newest first; up to LIMITS.listMax. */
  links: DoorLink[];
  /** The newest first; up to LIMITS.listMax. */
  refusals: DoorRefusal[];
  /** What the event's own QR at the venue carries. */
  venueCode: string;
  counts: DoorCounts;
}

export interface DoorCounts {
  registered: number;
  checkedIn: number;
}

export const GetDoor = defineMessage({
  service: 'events',
  name: 'door.get',
  access: 'manager',
  reads: true,
  request: EventIdRequest,
})<Door>();

export interface NewDoorLink extends DoorLink {
  token: string;
}

/** EVENT_NOT_PUBLISHED; DOOR_LINK_LIMIT; DOOR_LINK_ENDED when the event has been over for too long. */
export const CreateDoorLink = defineMessage({
  service: 'events',
  name: 'door.createLink',
  access: 'manager',
  request: EventIdRequest,
})<NewDoorLink>();

export class DoorLinkRequest extends EventIdRequest {
  @IsId()
  linkId!: string;
}

/** Ends a link everywhere at once. DOOR_LINK_NOT_FOUND. */
export const RevokeDoorLink = defineMessage({
  service: 'events',
  name: 'door.revokeLink',
  access: 'manager',
  request: DoorLinkRequest,
})<void>();

/** Somebody on the guest list, as phones at the door know them. */
export interface DoorGuest {
  /** The registration's id. */
  id: string;
  name: string;
  state: RegistrationStatus;
  checkedInAt: string | null;
  /** SHA-256 of the guest's code, base64url: a phone recognises a code without knowing any. */
  codeDigest: string;
}

export interface DoorSnapshot {
  event: { id: string; title: string; startDate: string; endDate: string; cancelled: boolean };
  /** When the link ends by itself. */
  expiresAt: string;
  counts: DoorCounts;
  guests: DoorGuest[];
}

export class DoorRequest {
  @Matches(ADDRESS_TOKEN)
  token!: string;
}

/** DOOR_LINK_ENDED whatever the reason. */
export const GetDoorSnapshot = defineMessage({
  service: 'events',
  name: 'door.getSnapshot',
  access: 'public',
  reads: true,
  request: DoorRequest,
})<DoorSnapshot>();

/** What a phone has seen: a guest by name or by code, or that an earlier one was a mistake. */
export class DoorItem {
  /** Made by the phone: the same item sent again changes nothing. */
  @IsId()
  key!: string;

  @IfGiven()
  @IsId()
  guestId?: string;

  @IfGiven()
  @Matches(DOOR_CODE, {
    message: '$property must be the code of a guest',
    context: { rule: 'isGuestCode' },
  })
  code?: string;

  /** By the phone's clock. */
  @IsMoment()
  at!: string;

  /** Lets in somebody who has no place. */
  @IfGiven()
  @IsBoolean()
  override?: boolean;

  /** The key of a check-in that is taken back. */
  @IfGiven()
  @IsId()
  undo?: string;
}

const NAMES_ONE = {
  holds: ({ guestId, code, undo }: DoorItem) =>
    [guestId, code, undo].filter((given) => given !== undefined).length === 1,
  otherwise: 'needs one of guestId, code and undo',
};

/** POST /api/door/check-ins. */
export class DoorItemsFields {
  /** The phone's clock as it sends: by how much it is wrong, all moments are corrected. */
  @IsMoment()
  sentAt!: string;

  @ListOf(DoorItem, LIMITS.doorItems, NAMES_ONE)
  items!: DoorItem[];
}

export class CheckInRequest extends DoorItemsFields {
  @Matches(ADDRESS_TOKEN)
  token!: string;
}

export const DOOR_RESULTS = ['ok', 'already', 'wrong-event', 'not-registered', 'unknown', 'refused'] as const;

export const DOOR_REFUSAL_REASONS = ['event-cancelled', 'undo-too-late'] as const;

export interface DoorResult {
  key: string;
  result: (typeof DOOR_RESULTS)[number];
  /** The id of a guest of this event. */
  guestId?: string;
  name?: string;
  /** With `ok` and `already`: when the guest came in first. Null once that was taken back. */
  at?: string | null;
  /** With `not-registered`: what the guest is instead. */
  state?: RegistrationStatus;
  /** With `wrong-event`: which it is for. */
  title?: string;
  /** With `refused`. */
  reason?: (typeof DOOR_REFUSAL_REASONS)[number];
}

/**
 * One result for each item, in their order; the same item again is answered as before. Of the scans of one guest that were not taken back
 * the first that came is answered `ok`; of their moments the earliest counts. DOOR_LINK_ENDED.
 */
export const CheckIn = defineMessage({
  service: 'events',
  name: 'door.checkIn',
  access: 'public',
  request: CheckInRequest,
})<DoorResult[]>();

/** POST /api/door/walk-ins. */
export class WalkInFields {
  @IsId()
  key!: string;

  @IsName('Name is required')
  name!: string;

  @EmptyAsNull()
  @IsEmailAddress()
  email?: string | null = null;

  @IsMoment()
  at!: string;

  @IsMoment()
  sentAt!: string;

  /** At a full event: adds a place. Of a link that has named its addresses of the day: lets them in without theirs. */
  @IfGiven()
  @IsBoolean()
  override?: boolean;
}

export class WalkInRequest extends WalkInFields {
  @Matches(ADDRESS_TOKEN)
  token!: string;
}

/**
 * Adds somebody who came, or lets in who is on the list with this address. DOOR_LINK_ENDED, once what was typed is kept for the organisers;
 * EVENT_FULL, EVENT_CANCELLED, DOOR_MAIL_LIMIT.
 */
export const WalkIn = defineMessage({
  service: 'events',
  name: 'door.walkIn',
  access: 'public',
  request: WalkInRequest,
})<DoorResult>();

/** The code of a place, for the QR that the door scans. */
export interface GuestCode {
  code: string;
}

/** The code of the caller's own place. NOT_REGISTERED without one. */
export const GetOwnCode = defineMessage({
  service: 'events',
  name: 'door.getOwnCode',
  access: 'member',
  reads: true,
  request: EventIdRequest,
})<GuestCode>();

export class FindVenueRequest {
  @Matches(DOOR_CODE)
  code!: string;
}

export interface ScannedCode {
  /** Null for any code but a venue's: a guest's code is answered as an invented one. */
  eventId: string | null;
}

/** Where a code leads that somebody has scanned. */
export const FindVenue = defineMessage({
  service: 'events',
  name: 'door.findVenue',
  access: 'public',
  reads: true,
  request: FindVenueRequest,
})<ScannedCode>();

/** POST /api/events/{id}/check-in. */
export class SelfCheckInFields {
  @Matches(DOOR_CODE, {
    message: 'venueCode must be the code that the venue shows',
    context: { rule: 'isVenueCode' },
  })
  venueCode!: string;
}

export class SelfCheckInRequest extends SelfCheckInFields {
  @IsId()
  eventId!: string;
}

export interface SelfCheckIn {
  checkedInAt: string;
}

/** CODE_INVALID, NOT_REGISTERED, CHECK_IN_CLOSED, EVENT_CANCELLED. */
export const CheckInSelf = defineMessage({
  service: 'events',
  name: 'door.checkInSelf',
  access: 'member',
  request: SelfCheckInRequest,
})<SelfCheckIn>();
