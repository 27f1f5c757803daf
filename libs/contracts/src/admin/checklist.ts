import { Matches } from 'class-validator';
import { messagesTo, Nothing } from '../message.js';
import { About, EmptyAsNull } from '../validation.js';

const admin = messagesTo('admin');
const auth = messagesTo('auth');

export const CHECKLIST = [
  'mail',
  'legalPages',
  'secondFactor',
  'members',
  'topics',
  'firstEvent',
  'firstEvening',
  'backup',
] as const;
export type ChecklistName = (typeof CHECKLIST)[number];

/** The state is computed from the community's data; owners can't set it. */
export interface ChecklistItem {
  name: ChecklistName;
  count: number;
  needed: number;
  done: boolean;
}

export const MAIL_RECORDS = ['spf', 'dkim', 'dmarc'] as const;
export type MailRecordName = (typeof MAIL_RECORDS)[number];

/**
 * `several`: duplicate records, which mail servers ignore (RFC 7208, 4.5; RFC 7489, 6.6.3). `unknown`: DNS
 * didn't answer, or no DKIM selector was given.
 */
export const RECORD_STATES = ['found', 'missing', 'several', 'unknown'] as const;
export type RecordState = (typeof RECORD_STATES)[number];

export interface MailRecord {
  name: MailRecordName;
  state: RecordState;
  host: string | null;
  /**
   * The records found, one per line. If there are none, a record to add, with `<…>` where the mail provider's
   * part goes.
   */
  value: string | null;
}

export interface MailCheck {
  domain: string;
  selector: string | null;
  records: MailRecord[];
  checkedAt: string;
}

export interface Checklist {
  items: ChecklistItem[];
  /**
   * True if someone has confirmed an emailed code, or if the mail server accepted an email in the last week.
   */
  mailArrived: boolean;
  mailCheck: MailCheck | null;
  lastBackup: string | null;
}

export const GetChecklist = admin.admin('checklist.get', Nothing)<Checklist>();

/** DNS labels of at most 63 characters, because the selector becomes part of a DNS name. */
const SELECTOR = /^(?=.{1,120}$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;

export class CheckMailRequest {
  @About('DKIM selector, as named by the mail provider. null: skip DKIM', 'mail')
  @EmptyAsNull()
  @Matches(SELECTOR, {
    message: '$property must be a name such as mail or s1.example: letters, digits, hyphens and dots',
    context: { rule: 'isSelector' },
  })
  selector: string | null = null;
}

/** The worker runs the check. Only the worker knows the sender's address and can query DNS. */
export const CheckMail = auth.admin('system.checkMail', CheckMailRequest)<void>();
