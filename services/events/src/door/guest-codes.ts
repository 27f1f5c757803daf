import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EventsConfig } from '../events.config.js';

const ALGORITHM = 'aes-256-ecb';
type Purpose = 'guest' | 'venue';

/** Another key for each purpose: a code of one kind is none of the other. */
const keyOf = (purpose: Purpose, secret: string) =>
  createHash('sha256').update(`${purpose}:${secret}`).digest();

const bytesOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');
const idOf = (bytes: Buffer) =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/**
 * The codes that guests show at the door: their registration's id, enciphered as one block, so that 128 bits say nothing to whoever has no
 * key, and nothing is stored. One block under one key has no repetition to hide, which is all that a mode of operation would be for. The
 * first secret makes codes; all of them read.
 */
@Injectable()
export class GuestCodes {
  private readonly secrets: string[];

  constructor({ guestCodeSecrets }: EventsConfig) {
    this.secrets = guestCodeSecrets;
  }

  codeOf = (registrationId: string): string => seal('guest', registrationId, this.secrets[0]!);

  /** By which a phone recognises the code without knowing it. */
  digestOf = (registrationId: string): string =>
    createHash('sha256').update(this.codeOf(registrationId)).digest('base64url');

  /** The ids that a code may mean, one for each secret; of a code that nobody made, ids of nothing. */
  registrationsOf = (code: string): string[] => this.secrets.map((secret) => open('guest', code, secret));

  venueCodeOf = (eventId: string): string => seal('venue', eventId, this.secrets[0]!);

  isVenueCode = (code: string, eventId: string): boolean =>
    this.secrets.some((secret) => open('venue', code, secret) === eventId.toLowerCase());
}

function seal(purpose: Purpose, id: string, secret: string): string {
  const cipher = createCipheriv(ALGORITHM, keyOf(purpose, secret), null).setAutoPadding(false);
  return Buffer.concat([cipher.update(bytesOf(id)), cipher.final()]).toString('base64url');
}

function open(purpose: Purpose, code: string, secret: string): string {
  const decipher = createDecipheriv(ALGORITHM, keyOf(purpose, secret), null).setAutoPadding(false);
  return idOf(Buffer.concat([decipher.update(Buffer.from(code, 'base64url')), decipher.final()]));
}
