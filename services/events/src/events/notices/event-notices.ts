import { createHash } from 'node:crypto';
import {
  type AuditAction,
  type AuditValues,
  EventChanged,
  eventFields,
  invalidFields,
  type PayloadOf,
  NOTIFIED_CHANGES,
  type NotifiedChange,
  RecordAudit,
  shownState,
} from '@meetmark/contracts';
import { editAs, type OutboxWriter } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import type { ContentValues } from '../content/event-content.js';
import { EventEntity, type EventValues } from '../core/event.entity.js';

type NotifiedState = Record<NotifiedChange, string>;

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');
const DETAILS = eventFields(({ told }) => told === 'details');

/** Returns the state that members are notified about. Each part is one text, for comparison. */
export const notifiedState = (event: EventValues, content: ContentValues): NotifiedState => {
  const { venue, onlineUrl } = content;
  const all: Record<string, unknown> = { ...event, bannerImageUrl: event.bannerHash, ...content };
  return {
    ...shownState({ ...event, ...content }, onlineUrl === null ? '' : digest(onlineUrl)),
    details: digest(JSON.stringify([venue, ...DETAILS.map((name) => all[name])])),
  };
};

/** @param notify the organiser's choice. If it's missing, changes of `details` aren't notified. */
export function toldChanges(
  before: NotifiedState,
  after: NotifiedState,
  notify: boolean | null | undefined,
): NotifiedChange[] {
  if (notify === false) return [];
  const changed = NOTIFIED_CHANGES.filter((part) => before[part] !== after[part]);
  if (!notify) return changed.filter((part) => part !== 'details');
  return changed.length > 0 ? changed : ['details'];
}

interface NoticedEdit {
  eventId: string;
  sequence: number;
  before: Record<NotifiedChange, string>;
  after: Record<NotifiedChange, string>;
  told: NotifiedChange[];
  note: string | null;
  at: Date;
  notBefore: Date;
}

/**
 * Adds the edit to the event's scheduled email, or schedules one. The email lists only net changes, or none
 * if they cancel out.
 */
export async function scheduleChangeEmail(
  outbox: OutboxWriter,
  manager: EntityManager,
  edit: NoticedEdit,
): Promise<void> {
  const { eventId, sequence, before, after, told, note, at, notBefore } = edit;
  const [earlier] = await outbox.supersede(manager, EventChanged, 'eventId', eventId);
  if (!earlier && told.length === 0) return;
  const first = earlier?.before ?? before;
  const edited = [...new Set([...(earlier?.edited ?? earlier?.changed ?? []), ...told])];
  // an email scheduled by an older version has no previous state, so its list of changes is used
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

export async function auditEvent(
  outbox: OutboxWriter,
  manager: EntityManager,
  action: AuditAction,
  actorId: string,
  event: Pick<EventEntity, 'id' | 'title'>,
  changed: string[] = [],
  values: AuditValues = {},
): Promise<void> {
  const { id: subjectId, title: subjectName } = event;
  await recordAudit(outbox, manager, { action, actorId, subjectId, subjectName, changed, values });
}

/**
 * Raises the event's capacity by one.
 * @param callerId null if the account that made the door link was deleted
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
 * Stores the announcement of a draft until the draft is published.
 * @param publishes whether this request publishes the event
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
      ? 'is only for public events'
      : publishes
        ? null
        : status !== 'draft'
          ? 'is only for an event that is being published'
          : publishAt === null
            ? 'needs publishAt for a draft'
            : null;
  if (rule !== null) throw invalidFields(['announce', rule]);
  await manager.query('INSERT INTO events.announcements (event_id) VALUES ($1) ON CONFLICT DO NOTHING', [id]);
  await releaseAnnouncement(manager, id);
}

/**
 * Writes the announcement's job if the event is published, but only once. For scheduled drafts,
 * `events.publish_due` writes the job.
 */
export async function releaseAnnouncement(manager: EntityManager, eventId: string): Promise<void> {
  await manager.query('SELECT events.release_announcement($1)', [eventId]);
}

type Valued = EventValues & Pick<EventEntity, 'status'>;
const VALUED = [...eventFields(({ audited }) => audited === true), 'status'] as (keyof Valued)[];

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
