import { Injectable } from '@nestjs/common';
import {
  type ChangeRegistrationRequest,
  checkAnswers,
  checkPlaceShows,
  type Community,
  DEADLINES,
  DomainError,
  invalidFields,
  REGISTERED,
  type RegisterRequest,
  type RegisterResponse,
  type Registration,
  WAITLISTED,
} from '@meetmark/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import {
  Bulkhead,
  InjectCommunity,
  inTransaction,
  PreparedStatements,
  requestId,
  ServiceConfig,
} from '@meetmark/platform';
import { LRUCache } from 'lru-cache';
import { storedAnswers } from '../events/questions.js';
import { PublicCache } from '../public-cache.js';
import { presentOwn, RegistrationEntity } from '../events/registration.entity.js';
import {
  beforePlace,
  changeShown,
  JOIN,
  keepAnswers,
  REGISTER,
  type RegisterValues,
  type RegisterRow,
  requestRollUp,
  takeOverGuest,
  takePlace,
  UNREGISTER,
  type UnregisterRow,
} from './registrations.repository.js';
import { waitingPositions } from '../events/participants.repository.js';

const REFUSALS = {
  events_within_capacity_check: 'EVENT_FULL',
  event_registrations_published_check: 'EVENT_CANCELLED',
  event_registrations_unverified_check: 'EMAIL_UNVERIFIED',
  event_registrations_address_check: 'ADDRESS_NOT_VERIFIED',
  event_registrations_network_check: 'ADDRESS_NOT_VERIFIED',
  event_registrations_event_id_fkey: 'EVENT_NOT_FOUND',
  event_registrations_user_id_fkey: 'UNAUTHORIZED',
  // the question was changed at this moment
  event_registrations_answers_fit_check: 'EDIT_CONFLICT',
} as const;

/** Events with a bulkhead in memory: more than can be requested at once. */
const EVENTS = 1_000;

/**
 * Limits the concurrent registrations of one event to half of the connections. They wait for its row anyway, and while it is locked they
 * would keep the other half from all other events.
 */
@Injectable()
export class PerEventBulkhead {
  private readonly bulkheads = new LRUCache<string, Bulkhead>({ max: EVENTS });
  private readonly width: number;

  constructor({ databasePoolSize }: ServiceConfig) {
    this.width = Math.max(1, Math.floor(databasePoolSize / 2));
  }

  /** @throws DomainError SERVICE_OVERLOADED after waiting as long as for a connection */
  run<T>(eventId: string, task: () => Promise<T>): Promise<T> {
    const key = eventId.toLowerCase();
    const limits = { running: this.width, waiting: Infinity, maxWait: DEADLINES.poolWait };
    const bulkhead = this.bulkheads.get(key) ?? new Bulkhead(limits);
    this.bulkheads.set(key, bulkhead);
    return bulkhead.run(task);
  }
}

/** Takes places and gives them up, by the database's clock. */
@Injectable()
export class RegistrationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly statements: PreparedStatements,
    private readonly publicCache: PublicCache,
    private readonly bulkhead: PerEventBulkhead,
    @InjectCommunity() private readonly community: Community,
  ) {}

  /**
   * @throws DomainError EVENT_NOT_FOUND, EVENT_FULL, EMAIL_UNVERIFIED, ADDRESS_NOT_VERIFIED, EVENT_CANCELLED, REGISTRATION_CLOSED,
   * REGISTRATION_ENDED, REGISTRATION_NOT_OPEN, VALIDATION_FAILED
   */
  async register(userId: string, request: RegisterRequest): Promise<RegisterResponse> {
    const { eventId, selectedDate, waitlist = false, showMe = null, answers = {}, network = null } = request;
    checkPlaceShows(request, this.community);
    const statement = waitlist ? JOIN : REGISTER;
    const id = uuid();
    const values = (lookedAfter: boolean, stored: string | null): RegisterValues => [
      ...([eventId, id, userId, selectedDate ?? null, requestId(), showMe] as const),
      ...([lookedAfter, stored, network] as const),
    ];
    const take: TakePlace = (manager, stored) => takePlace(manager, statement, values(true, stored));
    const row = await this.changing(eventId, async () => {
      const withQuestions = () => this.registerWithQuestions(userId, request, take);
      if (Object.keys(answers).length > 0) return withQuestions();
      const [first] = await this.statements.run<RegisterRow>(statement, values(false, null), REFUSALS);
      return first?.asks ? withQuestions() : first;
    });
    if (!row) throw new DomainError('EVENT_NOT_FOUND');
    if (row.id !== null) return { created: true, ...present(row, row.position) };
    if (row.outside) throw invalidFields(['selectedDate', 'must be within the event']);
    // a repeated request gets the answer of the first, also when the event is full or has started by now
    const { manager } = this.dataSource;
    let own = await manager.findOneBy(RegistrationEntity, { eventId, userId });
    const holds = own?.status === REGISTERED || (own?.status === WAITLISTED && waitlist);
    // what it says about being shown is new all the same
    if (own !== null && holds && showMe !== null)
      own = { ...own, ...(await changeShown(manager, eventId, userId, showMe)) };
    if (own?.status === REGISTERED) return { created: false, ...present(own) };
    if (own?.status === WAITLISTED && waitlist)
      return { created: false, ...present(own, (await waitingPositions(manager, [own.id])).get(own.id)) };
    if (row.refused !== null) throw new DomainError(row.refused);
    if (row.offered === null || own?.status === WAITLISTED) throw new DomainError('EVENT_FULL');
    if (own === null) throw new DomainError('EVENT_NOT_FOUND');
    return this.register(userId, request); // the member has given it up meanwhile
  }

  /**
   * Registers for an event that has guests or questions; other events are spared these statements. A member takes over the place that an
   * organiser added for their address, also once registration is over for all others. A new place needs answers.
   */
  private async registerWithQuestions(
    userId: string,
    request: RegisterRequest,
    take: TakePlace,
  ): Promise<RegisterRow | undefined> {
    const work = (manager: EntityManager) => this.placeWithQuestions(manager, userId, request, take);
    try {
      return await inTransaction(this.dataSource, work, REFUSALS);
    } catch (error) {
      const questionsChanged = error instanceof DomainError && error.code === 'EDIT_CONFLICT';
      if (!questionsChanged) throw error;
      return inTransaction(this.dataSource, work, REFUSALS);
    }
  }

  private async placeWithQuestions(
    manager: EntityManager,
    userId: string,
    { eventId, showMe, answers: given }: RegisterRequest,
    take: TakePlace,
  ): Promise<RegisterRow | undefined> {
    const before = await beforePlace(manager, eventId, userId);
    if (before === null) return undefined;
    const { questions, refused, status } = before;
    const takesOver = before.hasGuests && (await takeOverGuest(manager, eventId, userId, showMe ?? null));
    const isNew = !takesOver && (status === null || status === 'cancelled');
    if (isNew && refused !== null) throw new DomainError(refused);
    const { answers, problems } = checkAnswers(questions, given, { complete: isNew });
    if ((isNew || takesOver) && Object.keys(problems).length > 0)
      throw new DomainError('VALIDATION_FAILED', { fields: problems });
    const stored = storedAnswers(answers);
    if (takesOver) {
      const own = await manager.findOneByOrFail(RegistrationEntity, { eventId, userId });
      if (stored !== null) await keepAnswers(manager, own.id, stored);
      return { ...own, asks: false, refused: null, outside: false, offered: REGISTERED, position: 0 };
    }
    return take(manager, stored);
  }

  /** What visitors see may change with it. @throws DomainError NOT_REGISTERED, VALIDATION_FAILED */
  async change(userId: string, request: ChangeRegistrationRequest): Promise<Registration> {
    const { eventId, showMe } = request;
    checkPlaceShows(request, this.community);
    const changed = await this.publicCache.changing(() =>
      changeShown(this.dataSource.manager, eventId, userId, showMe),
    );
    if (changed === null) throw new DomainError('NOT_REGISTERED');
    return presentOwn(changed);
  }

  /** Does nothing when there is no place. @throws DomainError REGISTRATION_CLOSED */
  async unregister(userId: string, eventId: string): Promise<void> {
    const [row] = await this.changing(eventId, () =>
      this.statements.run<UnregisterRow>(UNREGISTER, [eventId, userId, requestId()]),
    );
    if (row?.started) throw new DomainError('REGISTRATION_CLOSED');
  }

  /** The foreign keys have removed the account's registrations and the trigger has counted: caches and figures have to follow. */
  async accountDeleted(): Promise<void> {
    await this.publicCache.changing(() => requestRollUp(this.dataSource.manager));
  }

  private changing<T>(eventId: string, change: () => Promise<T>): Promise<T> {
    return this.publicCache.changing(() => this.bulkhead.run(eventId, change));
  }
}

/** Takes the place with the answers that are stored. */
type TakePlace = (manager: EntityManager, answers: string | null) => Promise<RegisterRow | undefined>;

const present = (row: Omit<RegistrationEntity, 'eventId'>, position?: number) => ({
  registration: presentOwn(row),
  waiting: row.status === WAITLISTED ? { joinedAt: row.registeredAt.toISOString(), position } : undefined,
});
