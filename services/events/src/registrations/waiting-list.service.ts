import { Injectable } from '@nestjs/common';
import {
  type AuditAction,
  DomainError,
  LIMITS,
  type PromoteWaitingRequest,
  type Registration,
  WAITLISTED,
  type WaitingMemberRequest,
} from '@meetmark/contracts';
import { inTransaction, OutboxWriter } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { type CallingManager, requireManager } from '../events/event-managers.js';
import { addPlace, recordAudit } from '../events/event-notices.js';
import type { EventEntity } from '../events/event.entity.js';
import { databaseTime, lockEvent } from '../events/events.repository.js';
import { PublicCache } from '../public-cache.js';
import { presentRegistration, RegistrationEntity } from '../events/registration.entity.js';
import { putFirst } from './registrations.repository.js';
import { dismissWaiting, placeWaiting } from '../events/participants.repository.js';

/** What those who manage an event do with somebody on a waiting list. Places that become free are given out by the database. */
@Injectable()
export class WaitingListService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxWriter,
    private readonly publicCache: PublicCache,
  ) {}

  /**
   * Gives a free place out of turn, also after registration has closed; with `raiseCapacity` a new one when none is free.
   * @throws DomainError EVENT_NOT_FOUND, NOT_WAITING, EVENT_CANCELLED, REGISTRATION_CLOSED, EVENT_FULL, FORBIDDEN
   */
  promote(
    caller: CallingManager,
    { raiseCapacity, ...request }: PromoteWaitingRequest,
  ): Promise<Registration> {
    return this.change(caller, request, 'waitlist.promoted', async (manager, event) => {
      const { status, startDate, capacity, registrationCount } = event;
      if (status === 'cancelled') throw new DomainError('EVENT_CANCELLED');
      if (startDate <= (await databaseTime(manager))) throw new DomainError('REGISTRATION_CLOSED');
      if (capacity !== null && registrationCount >= capacity) {
        if (!raiseCapacity || capacity >= LIMITS.capacityMax) throw new DomainError('EVENT_FULL');
        // while registration is open, the database gives the new place to the first who waits
        await putFirst(manager, event.id, request.userId);
        await addPlace(this.outbox, manager, caller.sub, event);
      }
      const [placed] = await placeWaiting(manager, event.id, request.userId);
      return presentRegistration(placed ?? (await manager.findOneByOrFail(RegistrationEntity, request)));
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, NOT_WAITING, FORBIDDEN */
  remove(caller: CallingManager, request: WaitingMemberRequest): Promise<void> {
    return this.change(caller, request, 'waitlist.removed', async (manager, event) => {
      await dismissWaiting(manager, event.id, request.userId);
    });
  }

  private change<T>(
    caller: CallingManager,
    { eventId, userId }: WaitingMemberRequest,
    action: AuditAction,
    work: (manager: EntityManager, event: EventEntity) => Promise<T>,
  ): Promise<T> {
    return this.publicCache.changing(() =>
      inTransaction(this.dataSource, async (manager) => {
        await requireManager(manager, caller, eventId);
        const event = await lockEvent(manager, eventId, 'for_no_key_update');
        // with the event's row locked no other transaction changes the waiting list
        if (!(await manager.existsBy(RegistrationEntity, { eventId, userId, status: WAITLISTED })))
          throw new DomainError('NOT_WAITING');
        const done = await work(manager, event);
        const entry = { action, actorId: caller.sub, subjectId: userId, changed: [event.id] };
        await recordAudit(this.outbox, manager, entry);
        return done;
      }),
    );
  }
}
