import type { Job } from '@meetmark/contracts';
import type { EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { currentCall } from '../call/call.js';

/** PostgreSQL channel that notifies the relay of a commit with an outbox row; the payload is the schema. */
export const OUTBOX_CHANNEL = 'outbox';

/** SQL, for a select list, that notifies the relay when the transaction commits. */
export const notifyRelay = (schema: string): string => `pg_notify('${OUTBOX_CHANNEL}', '${schema}')`;

/** The id of the request that asks for the work; outbox rows carry it, so that the job's log lines do too. */
export const requestId = (): string | null => currentCall()?.requestId ?? null;

/** SQL expressions of a row's columns. */
interface JobColumns {
  id: string;
  payload: string;
  requestId?: string;
  availableAt?: string;
}

/** SQL, as a statement or a CTE, that adds a job for each row of `source`, which begins with FROM or WHERE. */
export function insertJobs(
  schema: string,
  job: Job,
  { id, payload, ...given }: JobColumns,
  source: string,
): string {
  const columns = {
    id,
    job: `'${job.name}'`,
    payload,
    request_id: given.requestId,
    available_at: given.availableAt,
  };
  const used = Object.entries(columns).filter(([, expression]) => expression !== undefined);
  const [names, expressions] = [used.map(([name]) => name), used.map(([, expression]) => expression)];
  return `INSERT INTO ${schema}.outbox (${names.join(', ')}) SELECT ${expressions.join(', ')} ${source}`;
}

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
       select ${notifyRelay(this.schema)} from written`,
      [id, job.name, JSON.stringify(payload), requestId(), notBefore ?? null],
    );
    return id;
  }

  /** Ends the open jobs whose payload has `value` under `key`, for a newer job that replaces them. Returns their payloads. */
  async supersede<Payload extends object>(
    manager: EntityManager,
    job: Job<Payload>,
    key: keyof Payload & string,
    value: string,
  ): Promise<Payload[]> {
    const [rows] = await manager.query<[{ payload: Payload }[], number]>(
      `UPDATE ${this.schema}.outbox SET relayed_at = coalesce(relayed_at, now()), done_at = now()
       WHERE job = '${job.name}' AND payload ->> '${key}' = $1 AND done_at IS NULL RETURNING payload`,
      [value],
    );
    return rows.map(({ payload }) => payload);
  }
}
