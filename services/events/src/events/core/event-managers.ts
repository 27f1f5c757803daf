import { UUID_PATTERN } from '@meetmark/contracts';
import { type Call, confirmRightBy, requireIdentity, requireNoRefusal } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/**
 * Call it in the command's transaction, like requireAdministrator.
 * @throws DomainError UNAUTHORIZED, FORBIDDEN, EVENT_NOT_FOUND
 */
export function requireManager(manager: EntityManager, call: Call, eventId: string): Promise<void> {
  const { sub, epoch, isAdmin } = requireIdentity(call);
  return requireNoRefusal(manager, 'events.manager_refusal($1, $2, $3, $4)', [sub, epoch, eventId, isAdmin]);
}

@Injectable()
export class EventManagers {
  constructor(dataSource: DataSource) {
    confirmRightBy('events', 'manager', ({ sub, isAdmin }, data) =>
      requireNoRefusal(dataSource, 'events.management_refusal($1, $2, $3)', [sub, getEventId(data), isAdmin]),
    );
  }
}

function getEventId(data: unknown): string | null {
  const eventId = (data as { eventId?: unknown } | null)?.eventId;
  return typeof eventId === 'string' && UUID_PATTERN.test(eventId) ? eventId : null;
}
