import { type Identity, UUID_PATTERN } from '@meetmark/contracts';
import { confirmRightBy, requireNoRefusal } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** On whose behalf a change of an event runs, as the token says. */
export type CallingManager = Pick<Identity, 'sub' | 'epoch' | 'isAdmin'>;

/**
 * Asks inside the transaction of a command whether the caller manages the event, as requireAdministrator does of administrators.
 * @throws DomainError UNAUTHORIZED, FORBIDDEN, EVENT_NOT_FOUND
 */
export const requireManager = (
  manager: EntityManager,
  { sub, epoch, isAdmin }: CallingManager,
  eventId: string,
) => requireNoRefusal(manager, 'events.manager_refusal($1, $2, $3, $4)', [sub, epoch, eventId, isAdmin]);

/** Confirms, before a message for those who manage an event is handled, that the caller manages the one that it names. */
@Injectable()
export class EventManagers {
  constructor(dataSource: DataSource) {
    confirmRightBy('events', 'manager', ({ sub, isAdmin }, data) =>
      requireNoRefusal(dataSource, 'events.management_refusal($1, $2, $3)', [sub, eventOf(data), isAdmin]),
    );
  }
}

/** The event that a message names, if it names one. */
function eventOf(data: unknown): string | null {
  const eventId = (data as { eventId?: unknown } | null)?.eventId;
  return typeof eventId === 'string' && UUID_PATTERN.test(eventId) ? eventId : null;
}
