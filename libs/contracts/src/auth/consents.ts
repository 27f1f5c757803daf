import { Matches } from 'class-validator';
import type { LegalVersions } from '../community.js';
import { messagesTo } from '../message.js';
import { About, IfGiven } from '../validation.js';

const auth = messagesTo('auth');

const IsLegalVersion = () =>
  Matches(/^[0-9a-f]{64}$/, { message: '$property must be a version from consentNeeded' });

export class LegalVersionFields implements LegalVersions {
  @About('Version of the terms')
  @IfGiven()
  @IsLegalVersion()
  terms?: string;

  @About('Version of the privacy policy')
  @IfGiven()
  @IsLegalVersion()
  privacy?: string;
}

/** The gateway has checked that these are the current versions. */
export const AcceptLegalPages = auth.member('consents.accept', LegalVersionFields)<void>();
