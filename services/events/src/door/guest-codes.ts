import { createHash } from 'node:crypto';
import { openId, sealId } from '@meetmark/platform/identity/sealed-id';
import { Injectable } from '@nestjs/common';
import { EventsConfig } from '../events.config.js';

@Injectable()
export class GuestCodes {
  private readonly secrets: string[];

  constructor({ guestCodeSecrets }: EventsConfig) {
    this.secrets = guestCodeSecrets;
  }

  getGuestCode = (registrationId: string): string => sealId('guest', registrationId, this.secrets[0]!);

  /** Lets a phone recognise a scanned code without storing the codes themselves. */
  getCodeDigest = (registrationId: string): string =>
    createHash('sha256').update(this.getGuestCode(registrationId)).digest('base64url');

  /** Returns one id per secret. A forged code gives ids that don't exist. */
  getRegistrationIds = (code: string): string[] =>
    this.secrets.map((secret) => openId('guest', code, secret));

  getVenueCode = (eventId: string): string => sealId('venue', eventId, this.secrets[0]!);

  getEventIds = (venueCode: string): string[] =>
    this.secrets.map((secret) => openId('venue', venueCode, secret));

  isVenueCode = (code: string, eventId: string): boolean =>
    this.getEventIds(code).includes(eventId.toLowerCase());
}
