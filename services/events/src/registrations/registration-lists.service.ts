import { Injectable } from '@nestjs/common';
import {
  type AnswerSummary,
  type Attendee,
  ATTENDEES_SHOWN,
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
} from '@meetmark/contracts';
import {
  type CallingAdministrator,
  InjectCommunity,
  inTransaction,
  type KeysetOrder,
  keysetPage,
  requireAdministrator,
} from '@meetmark/platform';
import { DataSource, In, type SelectQueryBuilder } from 'typeorm';
import { type CallingManager } from '../events/event-managers.js';
import { contentOf } from '../events/event-content.repository.js';
import { eventSeenBy, eventsSeenBy, managedEvent, type Viewer } from '../events/events.repository.js';
import { summariseAnswers } from '../events/questions.js';
import {
  MemberCardView,
  MemberContactView,
  presentRegistration,
  RegistrationEntity,
} from '../events/registration.entity.js';
import { facesAt, figuresOf, isVerified, registrationsByDay } from './registrations.repository.js';
import { waitingPositions } from '../events/participants.repository.js';

interface WithCard extends RegistrationEntity {
  member: MemberCardView;
}

interface WithContact extends RegistrationEntity {
  member: MemberContactView;
}

/** Orders registrations by arrival. */
const BY_ARRIVAL: KeysetOrder = {
  name: 'registeredAt',
  key: 'registration.registeredAt',
  type: 'timestamptz',
  id: 'registration.id',
  direction: 'ASC',
};

/** Attendees, and the registrations of members. */
@Injectable()
export class RegistrationListsService {
  constructor(
    private readonly dataSource: DataSource,
    @InjectCommunity() private readonly community: Community,
  ) {}

  /** Lists those who want to be shown, for callers with a verified address; `total` counts all who come. @throws DomainError EVENT_NOT_FOUND */
  async attendees(
    { eventId, ...page }: ListAttendeesRequest,
    viewer: Viewer = null,
  ): Promise<Page<Attendee>> {
    const { manager } = this.dataSource;
    const { endDate, registrationCount: total } = await eventSeenBy(manager, viewer, eventId);
    const over = endDate.getTime() < Date.now() - ATTENDEES_SHOWN;
    if (over || (viewer !== null && !(await isVerified(manager, viewer.sub))))
      return { items: [], total, nextCursor: null };
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

  /** Lists, of several events, the first who want to be shown. */
  async faces({ eventIds }: ListFacesRequest, viewer: Viewer = null): Promise<EventFaces[]> {
    const { manager } = this.dataSource;
    if (viewer !== null && !(await isVerified(manager, viewer.sub))) return [];
    const seen = await eventsSeenBy(manager, viewer, 'address', { withOwn: false })
      .select('event.id')
      .andWhere('event.id = ANY (:eventIds)', { eventIds })
      .andWhere('event.endDate >= :since', { since: new Date(Date.now() - ATTENDEES_SHOWN) })
      .getMany();
    return facesAt(
      manager,
      seen.map(({ id }) => id),
    );
  }

  /** The member's registrations by event, also those that wait; none that has ended. */
  async own(userId: string): Promise<Record<string, Registration>> {
    const rows = await this.dataSource.manager.findBy(RegistrationEntity, {
      userId,
      status: In([REGISTERED, WAITLISTED]),
    });
    return Object.fromEntries(rows.map((row) => [row.eventId, presentRegistration(row)]));
  }

  /** How a member has used their places. @throws DomainError FORBIDDEN */
  ofMember(caller: CallingAdministrator, userId: string): Promise<MemberFigures> {
    return inTransaction(this.dataSource, async (manager) => {
      await requireAdministrator(manager, caller);
      return figuresOf(manager, userId);
    });
  }

  /** Lists every place that a member has taken for themselves or given up; the guest list has all others as well. @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  list(
    caller: CallingManager,
    { eventId, ...page }: ListRegistrationsRequest,
  ): Promise<Page<RegistrationWithMember>> {
    return inTransaction(this.dataSource, async (manager) => {
      await managedEvent(manager, caller, eventId);
      const registrations = manager
        .createQueryBuilder(RegistrationEntity, 'registration')
        .where('registration.eventId = :eventId AND registration.status <> :waitlisted', {
          eventId,
          waitlisted: WAITLISTED,
        })
        // without those taken over from a guest: an organiser must not learn whether an address has an account
        .andWhere('registration.userId IS NOT NULL AND registration.addedAs IS NULL');
      const query = withMember(registrations, MemberContactView);
      const { items, ...rest } = await keysetPage(query, page, BY_ARRIVAL, registrations);
      return { ...rest, items: (items as WithContact[]).map(presentWithMember) };
    });
  }

  /** How many registered on each of the last days. @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  activity(caller: CallingManager, eventId: string): Promise<EventActivityDay[]> {
    return inTransaction(this.dataSource, async (manager) => {
      await managedEvent(manager, caller, eventId);
      return registrationsByDay(manager, eventId, this.community.timeZone);
    });
  }

  /** @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  answers(caller: CallingManager, eventId: string): Promise<AnswerSummary[]> {
    return inTransaction(this.dataSource, async (manager) => {
      await managedEvent(manager, caller, eventId);
      return summariseAnswers(manager, eventId, (await contentOf(manager, eventId)).questions);
    });
  }

  /** Who waits, first come first. @throws DomainError EVENT_NOT_FOUND, FORBIDDEN */
  waiting(
    caller: CallingManager,
    { eventId, ...page }: ListRegistrationsRequest,
  ): Promise<Page<WaitingMember>> {
    return inTransaction(this.dataSource, async (manager) => {
      await managedEvent(manager, caller, eventId);
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

/** Joins the members, all of whom are in the view, so that the count needs no join. */
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

const presentWithMember = (row: WithContact): RegistrationWithMember => ({
  ...presentRegistration(row),
  member: { ...row.member },
});

const presentWaiting = (row: WithContact, position: number): WaitingMember => ({
  id: row.id,
  userId: row.userId,
  joinedAt: row.registeredAt.toISOString(),
  position,
  member: { ...row.member },
});
