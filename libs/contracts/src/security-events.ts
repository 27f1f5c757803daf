import { About, IfGiven } from './validation.js';
import { IsEmail, IsIn } from 'class-validator';
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
  'account-closed',
  'account-restored',
] as const;
export type SecurityEventKind = (typeof SECURITY_EVENT_KINDS)[number];

/** Contains pseudonyms instead of accounts and networks. They stay the same over time. */
export interface SecurityEvent {
  id: string;
  kind: SecurityEventKind;
  account: string | null;
  /** Pseudonym of an IPv4 /24 or an IPv6 /48. */
  network: string;
  /** If the row counts several events, `requestId` and `at` are those of the first. */
  requestId: string;
  at: string;
  /** Always 1 for events of an account. Other events share one row per network, kind and hour. */
  count: number;
}

export class SecurityEventFilter extends PageRequest {
  @About('Kind of event')
  @IfGiven()
  @IsIn(SECURITY_EVENT_KINDS)
  kind?: SecurityEventKind;

  @About('Email address of the account')
  @IfGiven()
  @IsEmail({}, { message: 'email must be an email address' })
  email?: string;
}
