import { Matches } from 'class-validator';
import { defineMessage, Nothing } from './message.js';
import { EmptyAsNull } from './validation.js';

/** What owners see to in the first month, in the order in which it is shown. */
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

/** Computed from what is stored, and not ticked by hand. */
export interface ChecklistItem {
  name: ChecklistName;
  /** How many of those that are needed there are; there may be more. */
  count: number;
  needed: number;
  done: boolean;
}

/** The records of the sender's domain by which other mail servers tell that its mails are genuine. */
export const MAIL_RECORDS = ['spf', 'dkim', 'dmarc'] as const;
export type MailRecordName = (typeof MAIL_RECORDS)[number];

/** Several: mail servers take none of them (RFC 7208, 4.5; RFC 7489, 6.6.3). Unknown: no name server answered in time, or the name of the record is not known. */
export const RECORD_STATES = ['found', 'missing', 'several', 'unknown'] as const;
export type RecordState = (typeof RECORD_STATES)[number];

export interface MailRecord {
  name: MailRecordName;
  state: RecordState;
  /** Where the TXT record is or belongs; null for DKIM without a selector. */
  host: string | null;
  /** The record that was found, several a line each, or the one to write where it is missing: a word in `<…>` is the mail provider's to say. Null: unknown. */
  value: string | null;
}

/** What the last look at the DNS has found. */
export interface MailCheck {
  /** That mails come from. */
  domain: string;
  selector: string | null;
  records: MailRecord[];
  checkedAt: string;
}

/** GET /api/admin/checklist. */
export interface Checklist {
  items: ChecklistItem[];
  /** A mail has arrived: a member proved their address by one, or the mail server took one within the last week. */
  mailArrived: boolean;
  /** Null before the first one. */
  mailCheck: MailCheck | null;
  /** Null: none was made by the command of this product. */
  lastBackup: string | null;
}

export const GetChecklist = defineMessage({
  service: 'admin',
  name: 'checklist.get',
  access: 'admin',
  reads: true,
  request: Nothing,
})<Checklist>();

/** With the domain behind it a name of the DNS, whose labels have 63 characters at most. */
const SELECTOR = /^(?=.{1,120}$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;

export class CheckMailRequest {
  /** Of DKIM: the mail provider names it. */
  @EmptyAsNull()
  @Matches(SELECTOR, {
    message: '$property must be a name such as mail or s1.example: letters, digits, hyphens and dots',
    context: { rule: 'isSelector' },
  })
  selector: string | null = null;
}

/** Has the worker look up the records, as it is the one that knows the sender and reaches out. */
export const CheckMail = defineMessage({
  service: 'auth',
  name: 'system.checkMail',
  access: 'admin',
  request: CheckMailRequest,
})<void>();
