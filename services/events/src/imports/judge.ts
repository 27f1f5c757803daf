import { isDeepStrictEqual } from 'node:util';
import {
  DomainError,
  ERRORS,
  EventFields,
  type ImportedEvent,
  type ImportedFields,
  type ImportProblem,
  type ImportVerdict,
} from '@meetmark/contracts';
import { validated } from '@meetmark/platform';
import type { Judgement, KnownEvent } from './imports.repository.js';

/** Returns the event, or what is wrong with its fields. */
export async function readFields(given: ImportedFields): Promise<ImportedEvent | ImportProblem[]> {
  const { isMarkdown = false, capacity = null, ...fields } = given;
  try {
    const { title, description, descriptionFormat, ...valid } = await validated(EventFields, {
      ...fields,
      descriptionFormat: isMarkdown ? 'markdown' : 'plain',
      capacity: capacity !== null && /^\d{1,9}$/.test(capacity) ? Number(capacity) : capacity,
    });
    const event: ImportedEvent = {
      title,
      description,
      descriptionFormat: descriptionFormat!,
      startDate: new Date(valid.startDate).toISOString(),
      endDate: new Date(valid.endDate).toISOString(),
      isAllDay: valid.isAllDay ?? false,
      timeZone: valid.timeZone ?? null,
      location: valid.location,
      onlineUrl: valid.onlineUrl ?? null,
      format: valid.format ?? 'in_person',
      price: valid.price,
      capacity: valid.capacity,
    };
    return event.startDate < event.endDate
      ? event
      : [{ field: 'endDate', message: ERRORS.DATE_RANGE_INVALID.message, rule: 'dateRange' }];
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'VALIDATION_FAILED') throw error;
    const { fields: faults = {}, rules = {} } = error.details ?? {};
    // the end follows from the start, so one problem is enough
    const named = Object.entries(faults).filter(([field]) => field !== 'endDate' || !('startDate' in faults));
    return named.map(([field, [message = '']]) => {
      const { rule, limit } = rules[field] ?? { rule: 'other' };
      return { field, message, rule, ...(limit !== undefined && { limit }) };
    });
  }
}

const REFUSED = {
  cancelled: 'key belongs to an event that was cancelled',
  repeated: 'key is the same as in an earlier row',
  taken: 'key belongs to an event that you can’t manage',
  edited: 'key belongs to an event that was edited, or has guests, since it was imported',
  held: 'endDate can’t move an event from the past into the future',
  drafts: ERRORS.DRAFT_LIMIT.message,
} as const;

export const refused = (rule: keyof typeof REFUSED): Judgement => ({
  verdict: 'problem',
  problems: [{ field: rule === 'held' ? 'endDate' : 'key', message: REFUSED[rule], rule }],
});

const judged = (verdict: Exclude<ImportVerdict, 'problem'>): Judgement => ({ verdict, problems: [] });

/** @param known the event that an earlier import made from the same source */
export function judge(event: ImportedEvent, known: KnownEvent | undefined, now: Date): Judgement {
  if (known === undefined) return judged('new');
  if (!known.mayManage) return refused('taken');
  if (isDeepStrictEqual(event, known.fields)) return judged('unchanged');
  if (!known.isUntouched) return refused('edited');
  if (known.status === 'published' && new Date(event.endDate) > now) return refused('held');
  return judged('changed');
}
