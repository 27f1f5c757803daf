import { EventChanged } from '@meetmark/contracts';
import type { OutboxWriter } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import type { ToldChange } from './event-changes.js';

export interface ChangeNotice {
  eventId: string;
  /** The event's, after the change. */
  sequence: number;
  changed: ToldChange[];
  notBefore: Date;
}

/**
 * Has the people who are registered told of a change after a while. Notices of the same event that have not gone out yet are
 * taken over: several edits become one mail that names everything they changed.
 */
export async function announceChange(
  outbox: OutboxWriter,
  manager: EntityManager,
  { notBefore, ...notice }: ChangeNotice,
): Promise<void> {
  const [superseded] = await manager.query<[{ changed: ToldChange[] }[], number]>(
    `UPDATE events.outbox SET relayed_at = coalesce(relayed_at, now()), done_at = now()
     WHERE job = '${EventChanged.name}' AND payload ->> 'eventId' = $1 AND done_at IS NULL
     RETURNING payload -> 'changed' AS changed`,
    [notice.eventId],
  );
  const changed = new Set([...superseded.flatMap((earlier) => earlier.changed), ...notice.changed]);
  await outbox.add(manager, EventChanged, { ...notice, changed: [...changed] }, { notBefore });
}
