import { createHash } from 'node:crypto';
import { openId, sealId } from '@meetmark/platform/identity/sealed-id';
import { Injectable } from '@nestjs/common';
import { EventsConfig } from '../events.config.js';

/** The codes that guests show at the door, and that the venue shows to guests. The first secret makes codes; all of them read. */
@Injectable()
export class GuestCodes {
  private readonly secrets: string[];

  constructor({ guestCodeSecrets }: EventsConfig) {
    this.secrets = guestCodeSecrets;
  }

  codeOf = (registrationId: string): string => sealId('guest', registrationId, this.secrets[0]!);

  /** The digest by which a phone recognises the code without knowing it. */
  digestOf = (registrationId: string): string =>
    createHash('sha256').update(this.codeOf(registrationId)).digest('base64url');

  /** The ids that a code may mean, one for each secret; an invented code gives ids that no registration has. */
  registrationsOf = (code: string): string[] => this.secrets.map((secret) => openId('guest', code, secret));

  venueCodeOf = (eventId: string): string => sealId('venue', eventId, this.secrets[0]!);

  /** The events that a venue's code may mean, as `registrationsOf` for guests. */
  eventsOf = (venueCode: string): string[] =>
    this.secrets.map((secret) => openId('venue', venueCode, secret));

  isVenueCode = (code: string, eventId: string): boolean =>
    this.eventsOf(code).includes(eventId.toLowerCase());
}
