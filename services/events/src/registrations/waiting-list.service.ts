import { Controller } from '@nestjs/common';
import {
  type AuditAction,
  DomainError,
  LIMITS,
  type PromoteWaitingRequest,
  type Registration,
  WAITLISTED,
  type WaitingMemberRequest,
  PromoteWaiting,
  RemoveWaiting,
} from '@meetmark/contracts';
import { OutboxWriter, Handles, type Call, callerId } from '@meetmark/platform';
import type { EntityManager } from 'typeorm';
import { requireManager } from '../events/core/event-managers.js';
import { addPlace, recordAudit } from '../events/notices/event-notices.js';
import type { EventEntity } from '../events/core/event.entity.js';
import { databaseTime, lockEvent } from '../events/core/events.repository.js';
import { PublicCache } from '../public-cache.js';
import { presentRegistration, RegistrationEntity } from './registration.entity.js';
import { putFirst } from './registrations.repository.js';
import { dismissWaiting, placeWaiting } from './participants.repository.js';

/** The database handles automatic promotions. */
@Controller()
export class WaitingListService {
  constructor(
    private readonly outbox: OutboxWriter,
    private readonly publicCache: PublicCache,
  ) {}

  /**
   * Promotes a member out of turn, even after registration closed.
   * @throws DomainError EVENT_NOT_FOUND, NOT_WAITING, EVENT_CANCELLED, REGISTRATION_CLOSED, EVENT_FULL,
   * FORBIDDEN
   */
  @Handles(PromoteWaiting)
  promote({ raiseCapacity, ...request }: PromoteWaitingRequest, call: Call): Promise<Registration> {
    return this.change(call, request, 'waitlist.promoted', async (manager, event) => {
      const { status, startDate, capacity, registrationCount } = event;
      if (status === 'cancelled') throw new DomainError('EVENT_CANCELLED');
      if (startDate <= (await databaseTime(manager))) throw new DomainError('REGISTRATION_CLOSED');
      if (capacity !== null && registrationCount >= capacity) {
        if (!raiseCapacity || capacity >= LIMITS.capacityMax) throw new DomainError('EVENT_FULL');
        // puts the person first, because raising the capacity promotes the first in line while registration
        // is open
        await putFirst(manager, event.id, request.userId);
        await addPlace(this.outbox, manager, callerId(call), event);
      }
      const [placed] = await placeWaiting(manager, event.id, request.userId);
      return presentRegistration(placed ?? (await manager.findOneByOrFail(RegistrationEntity, request)));
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, NOT_WAITING, FORBIDDEN */
  @Handles(RemoveWaiting)
  remove(request: WaitingMemberRequest, call: Call): Promise<void> {
    return this.change(call, request, 'waitlist.removed', async (manager, event) => {
      await dismissWaiting(manager, event.id, request.userId);
    });
  }

  private change<T>(
    call: Call,
    { eventId, userId }: WaitingMemberRequest,
    action: AuditAction,
    work: (manager: EntityManager, event: EventEntity) => Promise<T>,
  ): Promise<T> {
    return this.publicCache.transaction(async (manager) => {
      await requireManager(manager, call, eventId);
      const event = await lockEvent(manager, eventId, 'for_no_key_update');
      // the event's row is locked, so the waiting list can't change
      if (!(await manager.existsBy(RegistrationEntity, { eventId, userId, status: WAITLISTED })))
        throw new DomainError('NOT_WAITING');
      const done = await work(manager, event);
      const entry = { action, actorId: callerId(call), subjectId: userId, changed: [event.id] };
      await recordAudit(this.outbox, manager, entry);
      return done;
    });
  }
}
