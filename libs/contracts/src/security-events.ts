import { IsEmail, IsIn, IsOptional } from 'class-validator';
import { PageRequest } from './paging.js';

export const SECURITY_EVENT_KINDS = [
  'sign-up',
  'sign-in',
  'sign-in-failed',
  'second-factor-failed',
  'locked-out',
  'password-changed',
  'password-reset',
  'password-failed',
  'code-failed',
  'address-change-asked',
  'address-verified',
  'address-changed',
  'address-reverted',
  'second-factor-changed',
  'sessions-ended',
] as const;
export type SecurityEventKind = (typeof SECURITY_EVENT_KINDS)[number];

/** Something that concerns who gets in. Account and network are pseudonyms: the same one each time, and never a name. */
export interface SecurityEvent {
  id: string;
  kind: SecurityEventKind;
  /** A pseudonym of the account's address; null where none was given or it has no account. */
  account: string | null;
  /** A pseudonym of the /24 or /48. */
  network: string;
  /** The request of the first event, where the row counts several. */
  requestId: string;
  /** When the first event was, where the row counts several. */
  at: string;
  /** Those without an account share a row for each network, kind and hour; 1 for the others. */
  count: number;
}

export class SecurityEventFilter extends PageRequest {
  @IsOptional()
  @IsIn(SECURITY_EVENT_KINDS)
  kind?: SecurityEventKind;

  /** Whose events: the server makes the pseudonym. */
  @IsOptional()
  @IsEmail({}, { message: 'email must be an email address' })
  email?: string;
}
