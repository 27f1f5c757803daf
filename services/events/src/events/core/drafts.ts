import { DomainError, LIMITS } from '@meetmark/contracts';
import { lockSubject } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import { EventEntity } from './event.entity.js';

/** Call it before inserting. Counts after locking, so that drafts of concurrent requests are included. */
export async function requireRoomForDrafts(
  manager: EntityManager,
  organiserId: string,
  count = 1,
): Promise<void> {
  await lockSubject(manager, `events.drafts ${organiserId}`);
  const drafts = await manager.countBy(EventEntity, { createdById: organiserId, status: 'draft' });
  if (drafts + count > LIMITS.drafts) throw new DomainError('DRAFT_LIMIT');
}
