import {
  type AuditAction,
  type AuditValues,
  EventChanged,
  eventFields,
  invalidFields,
  type PayloadOf,
  RecordAudit,
  type NotifiedChange,
} from '@meetmark/contracts';
import { editAs, type OutboxWriter } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import type { EventValues } from './event-changes.js';
import { EventEntity } from './event.entity.js';

export interface Edit {
  eventId: string;
  /** The event's, after the edit. */
  sequence: number;
  before: Record<NotifiedChange, string>;
  after: Record<NotifiedChange, string>;
  /** What the mail tells of this edit. */
  told: NotifiedChange[];
  note: string | null;
  at: Date;
  notBefore: Date;
}

/**
 * Sends the registered members a mail about an edit after a delay. It replaces an open notice of the same event: several edits become one
 * mail that names what differs in the end, or none when they cancel each other out. An edit that is not to be mailed opens no notice. If one
 * is open already, that notice also names what this edit changed.
 */
export async function announceEdit(outbox: OutboxWriter, manager: EntityManager, edit: Edit): Promise<void> {
  const { eventId, sequence, before, after, told, note, at, notBefore } = edit;
  // at most one: each replaces the one before
  const [earlier] = await outbox.supersede(manager, EventChanged, 'eventId', eventId);
  if (!earlier && told.length === 0) return;
  const first = earlier?.before ?? before;
  const edited = [...new Set([...(earlier?.edited ?? earlier?.changed ?? []), ...told])];
  // a notice from an older version lacks the state before it, or a part of it: the changes that it names count
  const isDifferent = (part: NotifiedChange) => first[part] === undefined || first[part] !== after[part];
  const changed = earlier && !earlier.before ? edited : edited.filter(isDifferent);
  const since = earlier?.since ?? at.toISOString();
  const notes = [...(earlier?.notes ?? []), ...(note === null || told.length === 0 ? [] : [note])];
  await outbox.add(
    manager,
    EventChanged,
    { eventId, sequence, changed, edited, since, before: first, notes },
    { notBefore },
  );
}

type Entry = PayloadOf<typeof RecordAudit>;

/** Asks for an entry of the audit log, which is written if the transaction commits. */
export const recordAudit = (
  outbox: OutboxWriter,
  manager: EntityManager,
  entry: Pick<Entry, 'action' | 'actorId' | 'subjectId'> & Partial<Entry>,
): Promise<string> =>
  outbox.add(manager, RecordAudit, {
    subjectName: null,
    changed: [],
    ...entry,
    at: new Date().toISOString(),
  });

export interface AuditedEvent {
  id: string;
  title: string;
}

/** An entry about an event. */
export async function auditEvent(
  outbox: OutboxWriter,
  manager: EntityManager,
  action: AuditAction,
  actorId: string,
  event: AuditedEvent,
  changed: string[] = [],
  values: AuditValues = {},
): Promise<void> {
  const { id: subjectId, title: subjectName } = event;
  await recordAudit(outbox, manager, { action, actorId, subjectId, subjectName, changed, values });
}

/**
 * One place more at an event with a capacity, on the record.
 * @param callerId null: an account that is gone made the door link
 */
export async function addPlace(
  outbox: OutboxWriter,
  manager: EntityManager,
  callerId: string | null,
  event: EventEntity,
): Promise<void> {
  const capacity = event.capacity! + 1;
  if (callerId !== null) await editAs(manager, callerId);
  await manager.update(EventEntity, { id: event.id }, { capacity, updatedAt: () => 'now()' });
  if (callerId === null) return;
  const values = auditValues(event, { capacity });
  await auditEvent(outbox, manager, 'event.updated', callerId, event, ['capacity'], values);
}

/**
 * Notes whether those who follow the event's topics are mailed once it is published; triggers of the database write the job, once for each
 * event.
 * @param publishes whether the same request publishes the event
 * @throws DomainError VALIDATION_FAILED for an event that is unlisted, published already, or a draft without a time for publishing
 */
export async function planAnnouncement(
  manager: EntityManager,
  { id, status, visibility, publishAt }: Pick<EventEntity, 'id' | 'status' | 'visibility' | 'publishAt'>,
  { announce, publishes = false }: { announce?: boolean; publishes?: boolean },
): Promise<void> {
  if (announce === undefined) return;
  if (!announce) {
    await manager.query('SELECT events.take_back_announcement($1)', [id]);
    return;
  }
  const rule =
    visibility !== 'public'
      ? 'is for public events only'
      : publishes
        ? null
        : status !== 'draft'
          ? 'is for an event that is being published'
          : publishAt === null
            ? 'needs publishAt in a draft'
            : null;
  if (rule !== null) throw invalidFields(['announce', rule]);
  await manager.query('INSERT INTO events.announcements (event_id) VALUES ($1) ON CONFLICT DO NOTHING', [id]);
}

type Valued = EventValues & Pick<EventEntity, 'status'>;
const VALUED = [...eventFields(({ audited }) => audited === true), 'status'] as (keyof Valued)[];

/** What the audit log says of two states of an event. */
export function auditValues(before: Partial<Valued>, after: Partial<Valued>): AuditValues {
  const said = (event: Partial<Valued>, name: keyof Valued) => {
    const value = event[name] ?? null;
    return value instanceof Date ? value.toISOString() : value === null ? null : String(value);
  };
  const values: AuditValues = {};
  for (const name of VALUED)
    if (name in after && said(before, name) !== said(after, name))
      values[name] = { before: said(before, name), after: said(after, name) };
  return values;
}
