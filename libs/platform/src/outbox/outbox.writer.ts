import type { Job } from '@meetmark/contracts';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { currentCall } from '../call/call.js';

/** PostgreSQL channel that notifies the relay of a commit with an outbox row; the payload is the schema. */
export const OUTBOX_CHANNEL = 'outbox';

export interface OutboxOptions {
  /** For work that must not be done twice: a second row with the same id is not written. */
  id?: string;
  /** The job does not run before. */
  notBefore?: Date;
}

/** Requests background work in the caller's transaction: it is done if, and only if, that commits. */
export class OutboxWriter {
  constructor(private readonly schema: string) {}

  /** Returns the row's id, which is also the id of the job. */
  async add<Payload extends object>(
    manager: EntityManager,
    job: Job<Payload>,
    payload: Payload,
    { id = uuid(), notBefore }: OutboxOptions = {},
  ): Promise<string> {
    await manager.query(
      `with written as (
         insert into ${this.schema}.outbox (id, job, payload, request_id, available_at)
         values ($1, $2, $3, $4, coalesce($5, now())) on conflict (id) do nothing
         returning id)
       select pg_notify('${OUTBOX_CHANNEL}', '${this.schema}') from written`,
      [id, job.name, JSON.stringify(payload), currentCall()?.requestId ?? null, notBefore ?? null],
    );
    return id;
  }
}
