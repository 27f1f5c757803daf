import { DomainError, LIMITS } from '@meetmark/contracts';
import { lockSubject } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import { EventEntity } from './event.entity.js';

/**
 * Returns how many drafts the organiser can add. Call it before inserting. Counts after locking, so that drafts
 * of concurrent requests are included.
 */
export async function roomForDrafts(manager: EntityManager, organiserId: string): Promise<number> {
  await lockSubject(manager, `events.drafts ${organiserId}`);
  const drafts = await manager.countBy(EventEntity, { createdById: organiserId, status: 'draft' });
  return LIMITS.drafts - drafts;
}

export async function requireRoomForDrafts(
  manager: EntityManager,
  organiserId: string,
  count = 1,
): Promise<void> {
  if (count > (await roomForDrafts(manager, organiserId))) throw new DomainError('DRAFT_LIMIT');
}
