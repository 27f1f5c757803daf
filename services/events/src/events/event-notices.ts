import { type AuditAction, EventChanged, RecordAudit, type NotifiedChange } from '@meetmark/contracts';
import type { OutboxWriter } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import { notifiedChanges } from './event-changes.js';

export interface Edit {
  eventId: string;
  /** The event's, after the edit. */
  sequence: number;
  before: Record<NotifiedChange, string>;
  after: Record<NotifiedChange, string>;
  at: Date;
  notBefore: Date;
}

/**
 * Sends the registered members a mail about an edit after a delay. It replaces an open notice of the same event: several edits become one
 * mail that names what differs in the end, or none when they cancel each other out.
 */
export async function announceEdit(
  outbox: OutboxWriter,
  manager: EntityManager,
  { eventId, sequence, before, after, at, notBefore }: Edit,
): Promise<void> {
  // at most one: each replaces the one before
  const [earlier] = await outbox.supersede(manager, EventChanged, 'eventId', eventId);
  const first = earlier?.before ?? before;
  const edited = union(earlier?.edited ?? earlier?.changed, notifiedChanges(before, after));
  // a notice from an older version lacks the state before it: all changes that it names count
  const changed = earlier && !earlier.before ? edited : notifiedChanges(first, after);
  const since = earlier?.since ?? at.toISOString();
  await outbox.add(
    manager,
    EventChanged,
    { eventId, sequence, changed, edited, since, before: first },
    { notBefore },
  );
}

const union = (earlier: NotifiedChange[] = [], later: NotifiedChange[]) => [
  ...new Set([...earlier, ...later]),
];

export interface AuditedEvent {
  id: string;
  title: string;
}

/** Adds an entry to the audit log if the transaction commits. */
export async function auditEvent(
  outbox: OutboxWriter,
  manager: EntityManager,
  action: AuditAction,
  actorId: string,
  event: AuditedEvent,
  changed: string[] = [],
): Promise<void> {
  await outbox.add(manager, RecordAudit, {
    action,
    actorId,
    subjectId: event.id,
    subjectName: event.title,
    changed,
    at: new Date().toISOString(),
  });
}
