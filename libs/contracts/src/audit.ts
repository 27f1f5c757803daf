import { IsIn, IsOptional } from 'class-validator';
import { defineMessage } from './message.js';
import { PageRequest, type Page } from './paging.js';
import { IsId } from './validation.js';

const AUDIT_ACTIONS = [
  'event.created',
  'event.updated',
  'event.published',
  'event.cancelled',
  'event.deleted',
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
  'mail.testSent',
  'settings.changed',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What changed fields had before and have now, by their names; null is none. */
export type AuditValues = Record<string, { before: string | null; after: string | null }>;

/** 'a…@e….org': distinguishes addresses without identifying a person. An entry outlives the account, so it never has more of an address. */
export function maskedEmail(email: string): string {
  const [local = '', domain = ''] = email.split('@');
  return `${local.slice(0, 1)}…@${domain.slice(0, 1)}…${domain.slice(domain.lastIndexOf('.'))}`;
}

/** Stands for the name of a person whose account is no more. */
export const DELETED_ACCOUNT = 'Deleted account';

/** The actor of what somebody without an account has done. */
export const VISITOR = '00000000-0000-0000-0000-000000000000';
export const VISITOR_NAME = 'Visitor';

/** One line of the append-only record: who did what, when, on whom or what. Holds no secret. */
export interface AuditEntry {
  id: string;
  action: AuditAction;
  actorId: string;
  /** As they are called now; DELETED_ACCOUNT once they are gone, VISITOR_NAME of the actor VISITOR. */
  actorName: string;
  subjectId: string | null;
  /** A person's name as of now; the title of an event, also of one that a message is about, or the name of a topic as it was. */
  subjectName: string | null;
  /** Names of the fields that changed; of what was done on a waiting list, the id of its event. */
  changed: string[];
  /** Role, masked address, and an event's title, dates, capacity and status before and after. Entries of earlier versions have none. */
  values: AuditValues;
  at: string;
}

export class AuditFilter extends PageRequest {
  @IsOptional()
  @IsId()
  actorId?: string;

  /** Whom, or which event or topic, it was done to. */
  @IsOptional()
  @IsId()
  subjectId?: string;

  @IsOptional()
  @IsIn(AUDIT_ACTIONS)
  action?: AuditAction;
}

/** Newest first. */
export const ListAudit = defineMessage({
  service: 'admin',
  name: 'audit.list',
  access: 'admin',
  request: AuditFilter,
})<Page<AuditEntry>>();
