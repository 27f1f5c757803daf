import { EventChanged, type PayloadOf, type ToldChange } from '@meetmark/contracts';
import type { OutboxWriter } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import { toldChanges } from './event-changes.js';

type Notice = PayloadOf<typeof EventChanged>;

export interface Edit {
  eventId: string;
  /** The event's, after the edit. */
  sequence: number;
  before: Record<ToldChange, string>;
  after: Record<ToldChange, string>;
  at: Date;
  notBefore: Date;
}

/**
 * Has the people who are registered get a mail about an edit after a while. A notice of the same event that has not gone out yet
 * is taken over: several edits become one mail that names what differs in the end, or none when they cancel each other out.
 */
export async function announceEdit(
  outbox: OutboxWriter,
  manager: EntityManager,
  { eventId, sequence, before, after, at, notBefore }: Edit,
): Promise<void> {
  const [superseded] = await manager.query<[{ payload: Notice }[], number]>(
    `UPDATE events.outbox SET relayed_at = coalesce(relayed_at, now()), done_at = now()
     WHERE job = '${EventChanged.name}' AND payload ->> 'eventId' = $1 AND done_at IS NULL
     RETURNING payload`,
    [eventId],
  );
  // there is one at most: each takes over the one before it
  const [earlier] = superseded.map(({ payload }) => payload);
  const first = earlier?.before ?? before;
  const edited = union(earlier?.edited ?? earlier?.changed, toldChanges(before, after));
  // a notice of an earlier version does not say what was before it: all that it names counts
  const changed = earlier && !earlier.before ? edited : toldChanges(first, after);
  const since = earlier?.since ?? at.toISOString();
  await outbox.add(
    manager,
    EventChanged,
    { eventId, sequence, changed, edited, since, before: first },
    { notBefore },
  );
}

const union = (earlier: ToldChange[] = [], later: ToldChange[]) => [...new Set([...earlier, ...later])];
