import { Injectable } from '@nestjs/common';
import { DomainError } from '@meetmark/contracts';
import type { RegisterRequest, RegisterResponse } from '@meetmark/contracts';
import { DataSource } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { insertRollUp, requestId } from '../outbox/outbox-rows.js';
import { PublicCache } from '../public-cache/public-cache.js';
import { EventLanes } from './event-lanes.js';
import { PreparedStatements } from './prepared-statements.js';
import { REGISTER, UNREGISTER, type RegisterRow, type UnregisterRow } from './register.statement.js';
import { RegistrationEntity } from './registration.entity.js';
import { presentRegistration } from './registration.presenter.js';

const REFUSALS = {
  events_within_capacity_check: 'EVENT_FULL',
  event_registrations_unverified_check: 'EMAIL_UNVERIFIED',
  event_registrations_event_id_fkey: 'EVENT_NOT_FOUND',
  event_registrations_user_id_fkey: 'UNAUTHORIZED',
} as const;

/** Taking a place and giving it up. Time is the database's. */
@Injectable()
export class RegistrationsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly statements: PreparedStatements,
    private readonly publicCache: PublicCache,
    private readonly lanes: EventLanes,
  ) {}

  /** @throws DomainError EVENT_NOT_FOUND, EVENT_FULL, EMAIL_UNVERIFIED, REGISTRATION_CLOSED, VALIDATION_FAILED */
  async register(userId: string, { eventId, selectedDate }: RegisterRequest): Promise<RegisterResponse> {
    const values = [eventId, uuid(), userId, selectedDate ?? null, uuid(), uuid(), requestId()];
    const [row] = await this.changing(eventId, () =>
      this.statements.run<RegisterRow>(REGISTER, values, REFUSALS),
    );
    if (!row) throw new DomainError('EVENT_NOT_FOUND');
    if (row.id !== null) return { created: true, registration: presentRegistration(row) };
    if (row.outside) throw outsideTheEvent();
    return this.presentPlace(userId, eventId, row.started);
  }

  /** Does nothing when there is no place. @throws DomainError REGISTRATION_CLOSED */
  async unregister(userId: string, eventId: string): Promise<void> {
    const [row] = await this.changing(eventId, () =>
      this.statements.run<UnregisterRow>(UNREGISTER, [eventId, userId, uuid(), uuid(), requestId()]),
    );
    if (row?.started) throw new DomainError('REGISTRATION_CLOSED');
  }

  /** The foreign keys took the account's places back and the trigger counted them; whoever shows them does not know it yet. */
  async followDeletedAccount(): Promise<void> {
    await this.publicCache.changing(() =>
      this.dataSource.query(`WITH gone AS (SELECT) ${insertRollUp('gone', '$1', '$2')}`, [
        uuid(),
        requestId(),
      ]),
    );
  }

  private changing<T>(eventId: string, change: () => Promise<T>): Promise<T> {
    return this.publicCache.changing(() => this.lanes.run(eventId, change));
  }

  /** Whoever has a place may ask for it again, also after the start: a repeated request gets the answer of the first. */
  private async presentPlace(userId: string, eventId: string, started: boolean): Promise<RegisterResponse> {
    const place = await this.dataSource.manager.findOneBy(RegistrationEntity, { eventId, userId });
    if (started && place?.status !== 'registered') throw new DomainError('REGISTRATION_CLOSED');
    if (!place) throw new DomainError('EVENT_NOT_FOUND');
    return { created: false, registration: presentRegistration(place) };
  }
}

const outsideTheEvent = () =>
  new DomainError('VALIDATION_FAILED', {
    fields: { selectedDate: ['selectedDate must be within the event'] },
  });
