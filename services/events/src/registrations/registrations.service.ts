import { Injectable, Controller } from '@nestjs/common';
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
  Register,
  ChangeRegistration,
  Unregister,
  type EventIdRequest,
  AccountDeleted,
} from '@meetmark/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import {
  Bulkhead,
  InjectCommunity,
  type PreparedStatement,
  PreparedStatements,
  requestId,
  ServiceConfig,
  Handles,
  type Call,
  callerId,
} from '@meetmark/platform';
import { LRUCache } from 'lru-cache';
import { EventsConfig } from '../events.config.js';
import { PublicCache } from '../public-cache.js';
import { presentRegistration, RegistrationEntity } from './registration.entity.js';
import {
  beforePlace,
  changeShown,
  isNetworkFull,
  JOIN,
  keepAnswers,
  REGISTERING_IS_LIKELY,
  UNREGISTERING_IS_LIKELY,
  REGISTER,
  type RegisterValues,
  type RegisterRow,
  requestRollUp,
  takeOverGuest,
  UNREGISTER,
  type UnregisterRow,
} from './registrations.repository.js';
import { waitingPositions } from './participants.repository.js';

const REFUSALS = {
  events_within_capacity_check: 'EVENT_FULL',
  event_registrations_published_check: 'EVENT_CANCELLED',
  event_registrations_event_id_fkey: 'EVENT_NOT_FOUND',
  event_registrations_user_id_fkey: 'UNAUTHORIZED',
  // the question was changed concurrently
  event_registrations_answers_fit_check: 'EDIT_CONFLICT',
} as const;

/** Maximum bulkheads in memory. Fewer events than this receive registrations at the same time. */
const EVENTS = 1_000;

/**
 * Limits each event to half of the database connections, so that other events keep working. This costs
 * little, because registrations for one event wait for the lock on its row anyway.
 */
@Injectable()
export class PerEventBulkhead {
  private readonly bulkheads = new LRUCache<string, Bulkhead>({ max: EVENTS });
  private readonly width: number;

  constructor({ databasePoolSize }: ServiceConfig) {
    this.width = Math.max(1, Math.floor(databasePoolSize / 2));
  }

  /** @throws DomainError SERVICE_OVERLOADED after waiting for `DEADLINES.poolWait` */
  run<T>(eventId: string, task: () => Promise<T>): Promise<T> {
    const key = eventId.toLowerCase();
    const limits = { running: this.width, waiting: Infinity, maxWait: DEADLINES.poolWait };
    const bulkhead = this.bulkheads.get(key) ?? new Bulkhead(limits);
    this.bulkheads.set(key, bulkhead);
    return bulkhead.run(task);
  }
}

@Controller()
export class RegistrationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly statements: PreparedStatements,
    private readonly publicCache: PublicCache,
    private readonly bulkhead: PerEventBulkhead,
    private readonly config: EventsConfig,
    @InjectCommunity() private readonly community: Community,
  ) {}

  /**
   * @throws DomainError EVENT_NOT_FOUND, EVENT_FULL, ADDRESS_NOT_VERIFIED, EVENT_CANCELLED,
   * REGISTRATION_CLOSED, REGISTRATION_ENDED, REGISTRATION_NOT_OPEN, VALIDATION_FAILED
   */
  @Handles(Register)
  async register(request: RegisterRequest, call: Call): Promise<RegisterResponse> {
    const userId = callerId(call);
    const { eventId, selectedDate, waitlist = false, showMe = null, answers = {}, network = null } = request;
    checkPlaceShows(request, this.community);
    const statement = waitlist ? JOIN : REGISTER;
    const id = uuid();
    const values = (checked: boolean, stored: string | null, networkIsFull: boolean): RegisterValues => [
      ...([eventId, id, userId, selectedDate ?? null, requestId(), showMe] as const),
      ...([checked, stored, network, networkIsFull] as const),
    ];
    const take: TakePlace = async (manager, stored) => {
      const limit = this.config.unconfirmedLimit;
      const networkIsFull =
        network !== null && (await isNetworkFull(manager, { eventId, userId, network, limit }));
      return (await manager.query<RegisterRow[]>(statement.text, values(true, stored, networkIsFull)))[0];
    };
    const row = await this.bulkhead.run(eventId, async () => {
      const inTransaction = () => this.registerInTransaction(userId, request, take);
      if (network !== null || Object.keys(answers).length > 0) return inTransaction();
      const first = await this.publicCache.statement({
        isLikely: () => this.finds(REGISTERING_IS_LIKELY, [eventId, userId, waitlist, selectedDate ?? null]),
        run: async () =>
          (await this.statements.run<RegisterRow>(statement, values(false, null, false), REFUSALS))[0],
        isChange: (taken) => taken !== undefined && taken.id !== null,
      });
      return first?.asks ? inTransaction() : first;
    });
    if (!row) throw new DomainError('EVENT_NOT_FOUND');
    if (row.id !== null) return { created: true, ...present(row, row.position) };
    if (row.outside) throw invalidFields(['selectedDate', 'must be within the event']);
    // a repeated request gets the first answer, even if the event is full or has started
    const { manager } = this.dataSource;
    let own = await manager.findOneBy(RegistrationEntity, { eventId, userId });
    const holds = own?.status === REGISTERED || (own?.status === WAITLISTED && waitlist);
    // a repeated request may still change the visibility
    if (own !== null && holds && showMe !== null)
      own = { ...own, ...(await this.show(userId, { eventId, showMe })) };
    if (own?.status === REGISTERED) return { created: false, ...present(own) };
    if (own?.status === WAITLISTED && waitlist)
      return { created: false, ...present(own, (await waitingPositions(manager, [own.id])).get(own.id)) };
    if (row.refused !== null) throw new DomainError(row.refused);
    if (row.offered === null || own?.status === WAITLISTED) throw new DomainError('EVENT_FULL');
    if (row.isNetworkFull) throw new DomainError('ADDRESS_NOT_VERIFIED');
    if (own === null) throw new DomainError('EVENT_NOT_FOUND'); // deleted in the meantime
    return this.register(request, call); // the member has cancelled in the meantime
  }

  /**
   * Handles unverified members, requests with answers, and events with questions or guests. All other
   * requests need only one statement.
   */
  private async registerInTransaction(
    userId: string,
    request: RegisterRequest,
    take: TakePlace,
  ): Promise<RegisterRow | undefined> {
    const work = (manager: EntityManager) => this.place(manager, userId, request, take);
    try {
      return await this.publicCache.transaction(work, REFUSALS);
    } catch (error) {
      const questionsChanged = error instanceof DomainError && error.code === 'EDIT_CONFLICT';
      if (!questionsChanged) throw error;
      return this.publicCache.transaction(work, REFUSALS);
    }
  }

  private async place(
    manager: EntityManager,
    userId: string,
    { eventId, showMe, answers: given }: RegisterRequest,
    take: TakePlace,
  ): Promise<RegisterRow | undefined> {
    const before = await beforePlace(manager, eventId, userId);
    if (before === null) return undefined;
    const { questions, refused, status } = before;
    const takesOver = before.hasGuests && (await takeOverGuest(manager, eventId, userId, showMe ?? null));
    // a guest's registration can be taken over even after registration closed
    const isNew = !takesOver && (status === null || status === 'cancelled');
    if (isNew && refused !== null) throw new DomainError(refused);
    const { answers, problems } = checkAnswers(questions, given, { complete: isNew });
    // a member who is already registered isn't rejected because of their answers
    if ((isNew || takesOver) && Object.keys(problems).length > 0)
      throw new DomainError('VALIDATION_FAILED', { fields: problems });
    const stored = Object.keys(answers).length === 0 ? null : JSON.stringify(answers);
    if (takesOver) {
      const own = await manager.findOneByOrFail(RegistrationEntity, { eventId, userId });
      if (stored !== null) await keepAnswers(manager, own.id, stored);
      const asked = { asks: false, refused: null, outside: false, isNetworkFull: false };
      return { ...own, ...asked, offered: REGISTERED, position: 0 };
    }
    return take(manager, stored);
  }

  /** @throws DomainError NOT_REGISTERED, VALIDATION_FAILED */
  @Handles(ChangeRegistration)
  async change(request: ChangeRegistrationRequest, call: Call): Promise<Registration> {
    checkPlaceShows(request, this.community);
    const changed = await this.show(callerId(call), request);
    if (changed === null) throw new DomainError('NOT_REGISTERED');
    return presentRegistration(changed);
  }

  /**
   * Does nothing if the member isn't registered.
   * @throws DomainError REGISTRATION_CLOSED
   */
  @Handles(Unregister)
  async unregister({ eventId }: EventIdRequest, call: Call): Promise<void> {
    const userId = callerId(call);
    const [row] = await this.bulkhead.run(eventId, () =>
      this.publicCache.statement({
        isLikely: () => this.finds(UNREGISTERING_IS_LIKELY, [eventId, userId]),
        run: () => this.statements.run<UnregisterRow>(UNREGISTER, [eventId, userId, requestId()]),
        isChange: ([ended]) => ended?.ended ?? false,
      }),
    );
    if (row?.started) throw new DomainError('REGISTRATION_CLOSED');
  }

  /** Foreign keys have already removed the account's registrations. */
  @Handles(AccountDeleted)
  async accountDeleted(): Promise<void> {
    this.publicCache.follow();
    await requestRollUp(this.dataSource.manager);
  }

  private show(
    userId: string,
    { eventId, showMe }: Pick<ChangeRegistrationRequest, 'eventId' | 'showMe'>,
  ): ReturnType<typeof changeShown> {
    return this.publicCache.transaction((manager) => changeShown(manager, eventId, userId, showMe));
  }

  private async finds(statement: PreparedStatement, values: unknown[]): Promise<boolean> {
    return (await this.statements.run(statement, values)).length > 0;
  }
}

type TakePlace = (manager: EntityManager, answers: string | null) => Promise<RegisterRow | undefined>;

const present = (row: Omit<RegistrationEntity, 'eventId'>, position?: number) => ({
  registration: presentRegistration(row),
  waiting: row.status === WAITLISTED ? { joinedAt: row.registeredAt.toISOString(), position } : undefined,
});
