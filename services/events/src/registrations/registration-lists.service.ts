import { Injectable } from '@nestjs/common';
import { DomainError } from '@meetmark/contracts';
import type {
  Attendee,
  Event,
  ListRegistrationsRequest,
  Page,
  PageRequest,
  RegistrationWithMember,
} from '@meetmark/contracts';
import { inTransaction, keysetPage, type KeysetOrder } from '@meetmark/platform';
import { DataSource, type EntityManager } from 'typeorm';
import { requireAdministrator } from '../administrators/administrator.view.js';
import { EventEntity } from '../events/event.entity.js';
import { byStart, eventsFor } from '../events/event-query.js';
import { presentEvents } from '../events/event.presenter.js';
import { MemberCardView, MemberContactView } from './member.views.js';
import { RegistrationEntity } from './registration.entity.js';
import { presentRegistration } from './registration.presenter.js';

interface WithContact extends RegistrationEntity {
  member: MemberContactView;
}

/** In the order of arrival. */
const BY_ARRIVAL: KeysetOrder = {
  name: 'registeredAt',
  key: 'registration.registeredAt',
  type: 'timestamptz',
  id: 'registration.id',
  direction: 'ASC',
};

/** Who comes, and where one goes. */
@Injectable()
export class RegistrationListsService {
  constructor(private readonly dataSource: DataSource) {}

  async myEvents(userId: string, request: PageRequest): Promise<Page<Event>> {
    const query = eventsFor(this.dataSource.manager, userId).andWhere("own.status = 'registered'");
    return presentEvents(await keysetPage(query, request, byStart('startDate')));
  }

  /** @throws DomainError EVENT_NOT_FOUND */
  async attendees(eventId: string): Promise<Attendee[]> {
    const { manager } = this.dataSource;
    await requireEvent(manager, eventId);
    const members = await manager
      .createQueryBuilder(MemberCardView, 'member')
      .innerJoin(RegistrationEntity, 'registration', 'registration.userId = member.id')
      .where("registration.eventId = :eventId AND registration.status = 'registered'", { eventId })
      .orderBy('registration.registeredAt')
      .addOrderBy('registration.id')
      .getMany();
    return members.map((member) => ({ ...member }));
  }

  /** Every registration of an event, the given-up ones included. @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  list(
    adminId: string,
    { eventId, ...page }: ListRegistrationsRequest,
  ): Promise<Page<RegistrationWithMember>> {
    return inTransaction(this.dataSource, async (manager) => {
      await requireAdministrator(manager, adminId);
      await requireEvent(manager, eventId);
      const registrations = manager
        .createQueryBuilder(RegistrationEntity, 'registration')
        .where('registration.eventId = :eventId', { eventId });
      const query = registrations
        .clone()
        .innerJoinAndMapOne(
          'registration.member',
          MemberContactView,
          'member',
          'member.id = registration.userId',
        );
      // each has its member: they need not be looked up to be counted
      const { items, ...rest } = await keysetPage(query, page, BY_ARRIVAL, registrations);
      return { ...rest, items: (items as WithContact[]).map(presentWithMember) };
    });
  }
}

async function requireEvent(manager: EntityManager, id: string): Promise<void> {
  if (!(await manager.existsBy(EventEntity, { id }))) throw new DomainError('EVENT_NOT_FOUND');
}

const presentWithMember = (row: WithContact): RegistrationWithMember => ({
  ...presentRegistration(row),
  member: { ...row.member },
});
