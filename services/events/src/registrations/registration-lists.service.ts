import { Injectable } from '@nestjs/common';
import { DomainError } from '@meetmark/contracts';
import type {
  Attendee,
  Event,
  ListAttendeesRequest,
  ListRegistrationsRequest,
  Page,
  PageRequest,
  Registration,
  RegistrationWithMember,
} from '@meetmark/contracts';
import { inTransaction, keysetPage, type KeysetOrder } from '@meetmark/platform';
import { DataSource, type EntityManager, type SelectQueryBuilder } from 'typeorm';
import { requireAdministrator } from '../administrators/administrator.view.js';
import { EventEntity } from '../events/event.entity.js';
import { byStart, eventsFor } from '../events/event-query.js';
import { presentEvents } from '../events/event.presenter.js';
import { MemberCardView, MemberContactView } from './member.views.js';
import { RegistrationEntity } from './registration.entity.js';
import { presentRegistration } from './registration.presenter.js';

interface WithCard extends RegistrationEntity {
  member: MemberCardView;
}

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
  async attendees({ eventId, ...page }: ListAttendeesRequest): Promise<Page<Attendee>> {
    const { manager } = this.dataSource;
    await requireEvent(manager, eventId);
    const registered = manager
      .createQueryBuilder(RegistrationEntity, 'registration')
      .where("registration.eventId = :eventId AND registration.status = 'registered'", { eventId });
    const { items, ...rest } = await keysetPage(
      withMember(registered, MemberCardView),
      page,
      BY_ARRIVAL,
      registered,
    );
    return { ...rest, items: (items as WithCard[]).map(({ member }) => ({ ...member })) };
  }

  /** The given-up ones included. */
  async own(userId: string): Promise<Record<string, Registration>> {
    const rows = await this.dataSource.manager.findBy(RegistrationEntity, { userId });
    return Object.fromEntries(rows.map((row) => [row.eventId, presentRegistration(row)]));
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
      const query = withMember(registrations, MemberContactView);
      const { items, ...rest } = await keysetPage(query, page, BY_ARRIVAL, registrations);
      return { ...rest, items: (items as WithContact[]).map(presentWithMember) };
    });
  }
}

/** Each has its member: to be counted they need not be looked up. */
const withMember = (
  registrations: SelectQueryBuilder<RegistrationEntity>,
  view: typeof MemberCardView | typeof MemberContactView,
) =>
  registrations
    .clone()
    .innerJoinAndMapOne('registration.member', view, 'member', 'member.id = registration.userId');

async function requireEvent(manager: EntityManager, id: string): Promise<void> {
  if (!(await manager.existsBy(EventEntity, { id }))) throw new DomainError('EVENT_NOT_FOUND');
}

const presentWithMember = (row: WithContact): RegistrationWithMember => ({
  ...presentRegistration(row),
  member: { ...row.member },
});
