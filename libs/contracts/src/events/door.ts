import { IsBoolean, Matches } from 'class-validator';
import { EventIdRequest, type RegistrationStatus } from './events.js';
import { LIMITS } from '../limits.js';
import { messagesTo } from '../message.js';
import {
  About,
  ADDRESS_TOKEN,
  EmptyAsNull,
  IfGiven,
  IsEmailAddress,
  IsId,
  IsMoment,
  IsName,
  ListOf,
  withIds,
} from '../validation.js';

const events = messagesTo('events');

// Helpers need no account to check guests in, only a door link. Guests can also check in on their own phones.

/** Milliseconds after the event's end until its door links expire. */
export const DOOR_LINK_LIFE = 12 * 3_600_000;

/**
 * Code of 128 bits. Belongs to a guest's registration, or is shown at an event's venue. Only the events
 * service can decrypt it.
 */
export const DOOR_CODE = /^[A-Za-z0-9_-]{22}$/;

/** The link's URL is shown only when the link is created. */
export interface DoorLink {
  id: string;
  createdAt: string;
  madeBy: string | null;
  /** False if the link was revoked or expired, or while its creator can't manage the event. */
  works: boolean;
  revokedAt: string | null;
  expiresAt: string;
}

export interface DoorRefusal {
  linkId: string;
  name: string | null;
  walkIn: boolean;
  email: string | null;
  at: string;
  receivedAt: string;
  reason: 'revoked' | 'expired';
}

export interface Door {
  links: DoorLink[];
  refusals: DoorRefusal[];
  venueCode: string;
  counts: DoorCounts;
}

export interface DoorCounts {
  registered: number;
  checkedIn: number;
}

export const GetDoor = events.manager('door.get', EventIdRequest, { heavy: true })<Door>();

export interface NewDoorLink extends DoorLink {
  token: string;
}

/**
 * @throws EVENT_NOT_PUBLISHED
 * @throws DOOR_LINK_LIMIT
 * @throws DOOR_LINK_ENDED if the event ended too long ago
 */
export const CreateDoorLink = events.manager('door.createLink', EventIdRequest)<NewDoorLink>();

export class DoorLinkRequest extends withIds(EventIdRequest, 'linkId') {}

/** @throws DOOR_LINK_NOT_FOUND */
export const RevokeDoorLink = events.manager('door.revokeLink', DoorLinkRequest)<void>();

export interface DoorGuest {
  id: string;
  name: string;
  state: RegistrationStatus;
  checkedInAt: string | null;
  /**
   * SHA-256 of the guest's code, as base64url. Phones recognise a code by this digest without storing the
   * code.
   */
  codeDigest: string;
}

export interface DoorSnapshot {
  event: { id: string; title: string; startDate: string; endDate: string; cancelled: boolean };
  expiresAt: string;
  counts: DoorCounts;
  guests: DoorGuest[];
}

export class DoorRequest {
  @Matches(ADDRESS_TOKEN)
  token!: string;
}

/** @throws DOOR_LINK_ENDED whatever the reason */
export const GetDoorSnapshot = events.public('door.getSnapshot', DoorRequest, {
  heavy: true,
})<DoorSnapshot>();

export class DoorItem {
  @About('ID that the phone makes up for this item. Sending it again changes nothing')
  @IsId()
  key!: string;

  @About('ID of the guest. Give one of `guestId`, `code` and `undo`')
  @IfGiven()
  @IsId()
  guestId?: string;

  @About('Scanned code of the guest')
  @IfGiven()
  @Matches(DOOR_CODE, {
    message: '$property must be the code of a guest',
    context: { rule: 'isGuestCode' },
  })
  code?: string;

  @About('Time of the check-in by the phone’s clock')
  @IsMoment()
  at!: string;

  @About('Check in someone who isn’t registered')
  @IfGiven()
  @IsBoolean()
  override?: boolean;

  @About('`key` of a check-in to take back, within 10 seconds')
  @IfGiven()
  @IsId()
  undo?: string;
}

const NAMES_ONE = {
  holds: ({ guestId, code, undo }: DoorItem) =>
    [guestId, code, undo].filter((given) => given !== undefined).length === 1,
  otherwise: 'needs one of guestId, code and undo',
};

export class DoorItemsFields {
  @About('Current time by the phone’s clock. Corrects every `at`')
  @IsMoment()
  sentAt!: string;

  @About('Up to 500 check-ins')
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
  guestId?: string;
  name?: string;
  /** Time of the first check-in, or null if the check-in was undone. */
  at?: string | null;
  state?: RegistrationStatus;
  title?: string;
  reason?: (typeof DOOR_REFUSAL_REASONS)[number];
}

/**
 * Returns one result per item, in order. A repeated item gets the same answer. If several phones scan a
 * guest, the scan received first gets `ok`. The earliest scan time is stored.
 * @throws DOOR_LINK_ENDED
 */
export const CheckIn = events.public('door.checkIn', CheckInRequest)<DoorResult[]>();

export class WalkInFields {
  @About('ID that the phone makes up. Sending it again changes nothing')
  @IsId()
  key!: string;

  @About('Full name', 'Ada Lovelace')
  @IsName('Name is required')
  name!: string;

  @About('Email address, if the walk-in gives one')
  @EmptyAsNull()
  @IsEmailAddress()
  email?: string | null = null;

  @About('Time of arrival by the phone’s clock')
  @IsMoment()
  at!: string;

  @About('Current time by the phone’s clock. Corrects `at`')
  @IsMoment()
  sentAt!: string;

  @About(
    'At a full event: add a place. Beyond 20 new email addresses a day: accept the walk-in without theirs',
  )
  @IfGiven()
  @IsBoolean()
  override?: boolean;
}

export class WalkInRequest extends WalkInFields {
  @Matches(ADDRESS_TOKEN)
  token!: string;
}

/**
 * Adds a walk-in. If a guest has this email address, checks in that guest instead. If the link has ended, the
 * input is stored for the organisers.
 * @throws DOOR_LINK_ENDED
 * @throws EVENT_FULL
 * @throws EVENT_CANCELLED
 * @throws DOOR_MAIL_LIMIT
 */
export const WalkIn = events.public('door.walkIn', WalkInRequest)<DoorResult>();

export interface GuestCode {
  code: string;
}

/** @throws NOT_REGISTERED */
export const GetOwnCode = events.member('door.getOwnCode', EventIdRequest)<GuestCode>();

export class FindVenueRequest {
  @Matches(DOOR_CODE)
  code!: string;
}

export interface ScannedCode {
  /** Null for all codes except venue codes, so that callers can't tell a guest's code from an invalid one. */
  eventId: string | null;
}

export const FindVenue = events.public('door.findVenue', FindVenueRequest)<ScannedCode>();

export class SelfCheckInFields {
  @About('The code in the QR at the venue')
  @Matches(DOOR_CODE, {
    message: 'venueCode must be the code shown at the venue',
    context: { rule: 'isVenueCode' },
  })
  venueCode!: string;
}

export class SelfCheckInRequest extends withIds(SelfCheckInFields, 'eventId') {}

export interface SelfCheckIn {
  checkedInAt: string;
}

/**
 * @throws CODE_INVALID
 * @throws NOT_REGISTERED
 * @throws CHECK_IN_CLOSED
 * @throws EVENT_CANCELLED
 */
export const CheckInSelf = events.member('door.checkInSelf', SelfCheckInRequest)<SelfCheckIn>();
