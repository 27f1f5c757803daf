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
  /** Of the account's address as it was typed or is; null where none was said. */
  account: string | null;
  /** Of the /24 or /48. */
  network: string;
  requestId: string;
  at: string;
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
