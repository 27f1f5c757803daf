import { Controller } from '@nestjs/common';
import {
  type AnswerSummary,
  type Attendee,
  type Community,
  type EventActivityDay,
  type EventFaces,
  type ListAttendeesRequest,
  type ListFacesRequest,
  type ListRegistrationsRequest,
  type MemberFigures,
  type Page,
  REGISTERED,
  type Registration,
  type RegistrationWithMember,
  WAITLISTED,
  type WaitingMember,
  ListAttendees,
  ListFaces,
  ListOwnRegistrations,
  type Nothing,
  CountOfMember,
  type UserIdRequest,
  ListRegistrations,
  GetEventActivity,
  type EventIdRequest,
  SummariseAnswers,
  ListWaitlist,
} from '@meetmark/contracts';
import {
  InjectCommunity,
  inTransaction,
  type KeysetOrder,
  keysetPage,
  requireAdministrator,
  Handles,
  type Call,
  callerId,
  requireIdentity,
} from '@meetmark/platform';
import { DataSource, In, type SelectQueryBuilder } from 'typeorm';
import { fetchContent } from '../events/content/event-content.repository.js';
import { eventSeenBy, eventsSeenBy, managedEvent } from '../events/core/events.repository.js';
import { summariseAnswers } from '../events/content/questions.js';
import {
  MemberCardView,
  MemberContactView,
  presentRegistration,
  RegistrationEntity,
} from './registration.entity.js';
import { facesAt, fetchFigures, registrationsByDay } from './registrations.repository.js';
import { waitingPositions } from './participants.repository.js';

interface WithCard extends RegistrationEntity {
  member: MemberCardView;
}

interface WithContact extends RegistrationEntity {
  member: MemberContactView;
}

const BY_ARRIVAL: KeysetOrder = {
  name: 'registeredAt',
  key: 'registration.registeredAt',
  type: 'timestamptz',
  id: 'registration.id',
  direction: 'ASC',
};

@Controller()
export class RegistrationListsService {
  constructor(
    private readonly dataSource: DataSource,
    @InjectCommunity() private readonly community: Community,
  ) {}

  /**
   * `total` also counts attendees who aren't shown.
   * @throws DomainError EVENT_NOT_FOUND
   */
  @Handles(ListAttendees)
  async attendees({ eventId, ...page }: ListAttendeesRequest, { identity }: Call): Promise<Page<Attendee>> {
    const { manager } = this.dataSource;
    const { registrationCount: total } = await eventSeenBy(manager, identity, eventId);
    const shown = manager
      .createQueryBuilder(RegistrationEntity, 'registration')
      .where(
        `registration.eventId = :eventId AND registration.status = :registered AND registration.showMe <> 'no'`,
        { eventId, registered: REGISTERED },
      );
    const { items, nextCursor } = await keysetPage(
      withMember(shown, MemberCardView),
      page,
      BY_ARRIVAL,
      shown,
    );
    return { items: (items as WithCard[]).map(presentAttendee), total, nextCursor };
  }

  @Handles(ListFaces)
  async faces({ eventIds }: ListFacesRequest, { identity }: Call): Promise<EventFaces[]> {
    const { manager } = this.dataSource;
    const seen = await eventsSeenBy(manager, identity, 'address', { withOwn: false })
      .select('event.id')
      .andWhere('event.id = ANY (:eventIds)', { eventIds })
      .getMany();
    return facesAt(
      manager,
      seen.map(({ id }) => id),
    );
  }

  @Handles(ListOwnRegistrations)
  async own(_: Nothing, call: Call): Promise<Record<string, Registration>> {
    const rows = await this.dataSource.manager.findBy(RegistrationEntity, {
      userId: callerId(call),
      status: In([REGISTERED, WAITLISTED]),
    });
    return Object.fromEntries(rows.map((row) => [row.eventId, presentRegistration(row)]));
  }

  /** @throws DomainError FORBIDDEN */
  @Handles(CountOfMember)
  ofMember({ userId }: UserIdRequest, call: Call): Promise<MemberFigures> {
    return inTransaction(this.dataSource, async (manager) => {
      await requireAdministrator(manager, requireIdentity(call));
      return fetchFigures(manager, userId);
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  @Handles(ListRegistrations)
  list({ eventId, ...page }: ListRegistrationsRequest, call: Call): Promise<Page<RegistrationWithMember>> {
    return inTransaction(this.dataSource, async (manager) => {
      await managedEvent(manager, call, eventId);
      const registrations = manager
        .createQueryBuilder(RegistrationEntity, 'registration')
        .where('registration.eventId = :eventId AND registration.status <> :waitlisted', {
          eventId,
          waitlisted: WAITLISTED,
        })
        // leaves out members who took over a guest's registration, so that organisers don't learn of their
        // accounts
        .andWhere('registration.userId IS NOT NULL AND registration.addedAs IS NULL');
      const query = withMember(registrations, MemberContactView);
      const { items, ...rest } = await keysetPage(query, page, BY_ARRIVAL, registrations);
      return { ...rest, items: (items as WithContact[]).map(presentWithMember) };
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  @Handles(GetEventActivity)
  activity({ eventId }: EventIdRequest, call: Call): Promise<EventActivityDay[]> {
    return inTransaction(this.dataSource, async (manager) => {
      await managedEvent(manager, call, eventId);
      return registrationsByDay(manager, eventId, this.community.timeZone);
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  @Handles(SummariseAnswers)
  answers({ eventId }: EventIdRequest, call: Call): Promise<AnswerSummary[]> {
    return inTransaction(this.dataSource, async (manager) => {
      await managedEvent(manager, call, eventId);
      return summariseAnswers(manager, eventId, (await fetchContent(manager, eventId)).questions);
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  @Handles(ListWaitlist)
  waiting({ eventId, ...page }: ListRegistrationsRequest, call: Call): Promise<Page<WaitingMember>> {
    return inTransaction(this.dataSource, async (manager) => {
      await managedEvent(manager, call, eventId);
      const waiting = manager
        .createQueryBuilder(RegistrationEntity, 'registration')
        .where('registration.eventId = :eventId AND registration.status = :waitlisted', {
          eventId,
          waitlisted: WAITLISTED,
        });
      const query = withMember(waiting, MemberContactView);
      const { items, ...rest } = await keysetPage(query, page, BY_ARRIVAL, waiting);
      const positions = await waitingPositions(
        manager,
        items.slice(0, 1).map(({ id }) => id),
      );
      const [first = 1] = positions.values();
      return { ...rest, items: (items as WithContact[]).map((row, n) => presentWaiting(row, first + n)) };
    });
  }
}

/** Joins the members, which leaves out closed accounts. Counts omit the join, so they include these. */
const withMember = (
  registrations: SelectQueryBuilder<RegistrationEntity>,
  view: typeof MemberCardView | typeof MemberContactView,
) =>
  registrations
    .clone()
    .innerJoinAndMapOne('registration.member', view, 'member', 'member.id = registration.userId');

const presentAttendee = ({ member, showMe }: WithCard): Attendee => ({
  ...member,
  linkedInUrl: showMe === 'linkedin' ? member.linkedInUrl : null,
});

/** Removes `unconfirmed`, which only the guest list shows. */
const presentContact = ({ unconfirmed: _, ...contact }: WithContact['member']) => contact;

const presentWithMember = (row: WithContact): RegistrationWithMember => ({
  ...presentRegistration(row),
  member: presentContact(row.member),
});

const presentWaiting = (row: WithContact, position: number): WaitingMember => ({
  id: row.id,
  userId: row.userId,
  joinedAt: row.registeredAt.toISOString(),
  position,
  member: presentContact(row.member),
});
