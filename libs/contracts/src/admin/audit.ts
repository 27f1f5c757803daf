import { IsIn } from 'class-validator';
import { firstGrapheme } from '../first-grapheme.js';
import { messagesTo } from '../message.js';
import { PageRequest, type Page } from '../paging.js';
import { About, IfGiven, IsId } from '../validation.js';

export * from './audit-people.js';

const admin = messagesTo('admin');

const AUDIT_ACTIONS = [
  'event.created',
  'event.updated',
  'event.published',
  'event.cancelled',
  'event.deleted',
  'event.imported',
  'event.previewMade',
  'event.previewRevoked',
  'event.doorLinkMade',
  'event.doorLinkRevoked',
  'event.guestAdded',
  'event.guestUpdated',
  'event.guestPlaced',
  'event.guestRemoved',
  'event.hostWrittenTo',
  'message.created',
  'message.updated',
  'message.cancelled',
  'message.tested',
  'waitlist.promoted',
  'waitlist.removed',
  'proposal.declined',
  'topic.created',
  'topic.updated',
  'topic.deleted',
  'topic.merged',
  'user.created',
  'user.updated',
  'user.deleted',
  'user.promoted',
  'user.demoted',
  'user.passwordSet',
  'user.resetCodeSent',
  'user.secondFactorsRemoved',
  'account.updated',
  'account.closed',
  'account.restored',
  'mail.testSent',
  'settings.changed',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export type AuditValues = Record<string, { before: string | null; after: string | null }>;

/** Masks an email address as 'a…@e….org'. Audit entries outlive accounts, so they mustn't identify anyone. */
export function maskedEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  return `${firstGrapheme(local)}…@${firstGrapheme(domain)}…${domain.slice(domain.lastIndexOf('.'))}`;
}

/** The audit log is append-only and never contains secrets. */
export interface AuditEntry {
  id: string;
  action: AuditAction;
  actorId: string;
  actorName: string;
  subjectId: string | null;
  /** For a person, the current name. For an event or topic, the name at the time of the entry. */
  subjectName: string | null;
  /** Names of the changed fields. Entries about a waiting list have the event's id here instead. */
  changed: string[];
  values: AuditValues;
  at: string;
}

export class AuditFilter extends PageRequest {
  @About('ID of the person who performed the action')
  @IfGiven()
  @IsId()
  actorId?: string;

  @About('ID of the user, event or topic that the action affected')
  @IfGiven()
  @IsId()
  subjectId?: string;

  @About('Kind of action')
  @IfGiven()
  @IsIn(AUDIT_ACTIONS)
  action?: AuditAction;
}

export const ListAudit = admin.admin('audit.list', AuditFilter)<Page<AuditEntry>>();
