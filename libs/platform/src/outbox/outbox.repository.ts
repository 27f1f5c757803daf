import { Injectable } from '@nestjs/common';
import type { Job } from '@meetmark/contracts';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { currentCall } from '../call/call.js';
import { redactText } from '../log/redaction.js';

// The SQL of the outbox tables: OutboxWriter is for those who ask for work, OutboxReader for the worker, which does it.

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

/** Schemas whose services have an outbox. */
export const OUTBOXES = ['auth', 'events'] as const;
export type OutboxName = (typeof OUTBOXES)[number];

interface OutboxEntry {
  payload: object;
  requestId: string | null;
  createdAt: Date;
}

export interface RelayableRow {
  id: string;
  job: string;
  availableAt: Date;
}

interface OverdueQuery {
  /** Milliseconds since the row was relayed. */
  relayedBefore: number;
  /** Milliseconds since the row's work could first be done. */
  notOlderThan: number;
  after: RelayableRow | undefined;
  limit: number;
}

/** The open rows of one job. */
export interface OpenJobs {
  job: string;
  failed: string;
  /** Seconds. */
  oldest: string | null;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const ERROR_LENGTH = 500;
/** Mail servers name the address that they refuse, and the row may outlive its account. */
const storedReason = (reason: string) => redactText(reason).slice(0, ERROR_LENGTH);

/** Finds work and records what came of it. */
@Injectable()
export class OutboxReader {
  constructor(private readonly dataSource: DataSource) {}

  /** The row if its work is open, else null. */
  async findOpen(outbox: OutboxName, id: string): Promise<OutboxEntry | null> {
    const [row] = await this.dataSource.query<OutboxEntry[]>(
      `SELECT payload, request_id AS "requestId", created_at AS "createdAt"
       FROM ${outbox}.outbox WHERE id = $1 AND done_at IS NULL`,
      [id],
    );
    return row ?? null;
  }

  /** Completed work counts as an attempt; skipped work, or a second mark, does not. */
  async markDone(outbox: OutboxName, id: string, skipped: boolean): Promise<void> {
    await this.dataSource.query(
      `UPDATE ${outbox}.outbox SET done_at = now(), last_error = NULL, skipped = $2,
         attempts = attempts + CASE WHEN $2 OR done_at IS NOT NULL THEN 0 ELSE 1 END
       WHERE id = $1`,
      [id, skipped],
    );
  }

  /** Ends the row for good; the reason stays readable. */
  async markGivenUp(outbox: OutboxName, id: string, reason: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE ${outbox}.outbox SET done_at = now(), attempts = attempts + 1, last_error = $2 WHERE id = $1`,
      [id, storedReason(reason)],
    );
  }

  async recordFailure(outbox: OutboxName, id: string, reason: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE ${outbox}.outbox SET attempts = attempts + 1, last_error = $2 WHERE id = $1`,
      [id, storedReason(reason)],
    );
  }

  /** Marks the row as done together with what the transaction writes. False when it was done before. */
  async claim(manager: EntityManager, outbox: OutboxName, id: string): Promise<boolean> {
    const [, claimed] = await manager.query<[unknown[], number]>(
      `UPDATE ${outbox}.outbox SET done_at = now() WHERE id = $1 AND done_at IS NULL`,
      [id],
    );
    return claimed === 1;
  }

  /** Skips the open jobs whose payload has `value` under `key`. Returns their payloads. */
  async skipOpen<Payload extends object>(
    manager: EntityManager,
    outbox: OutboxName,
    job: Job<Payload>,
    key: keyof Payload & string,
    value: string,
  ): Promise<Payload[]> {
    const [rows] = await manager.query<[{ payload: Payload }[], number]>(
      `UPDATE ${outbox}.outbox SET done_at = now(), skipped = true, last_error = NULL
       WHERE job = '${job.name}' AND done_at IS NULL AND payload ->> '${key}' = $1 RETURNING payload`,
      [value],
    );
    return rows.map(({ payload }) => payload);
  }

  /** Milliseconds until the next row of each outbox can be relayed: 0 or less when one can, Infinity when none waits. */
  async untilDue(jobs: string[]): Promise<Record<OutboxName, number>> {
    const each = OUTBOXES.map(
      (outbox) =>
        `(SELECT 1000 * extract(epoch FROM min(available_at) - now()) FROM ${outbox}.outbox
          WHERE done_at IS NULL AND relayed_at IS NULL AND job = ANY ($1)) AS ${outbox}`,
    );
    const [row] = await this.dataSource.query<[Record<OutboxName, string | null>]>(
      `SELECT ${each.join(', ')}`,
      [jobs],
    );
    const until = (name: OutboxName) => (row[name] === null ? Infinity : Number(row[name]));
    return { auth: until('auth'), events: until('events') };
  }

  /** Marks up to `limit` waiting rows as relayed; until the transaction ends they are locked for this relay. */
  async takeWaiting(
    manager: EntityManager,
    outbox: OutboxName,
    jobs: string[],
    limit: number,
  ): Promise<RelayableRow[]> {
    // TypeORM answers an UPDATE with [rows, count].
    const [rows] = await manager.query<[RelayableRow[], number]>(
      `UPDATE ${outbox}.outbox SET relayed_at = now() WHERE id IN (
         SELECT id FROM ${outbox}.outbox
         WHERE done_at IS NULL AND relayed_at IS NULL AND available_at <= now() AND job = ANY ($1)
         ORDER BY available_at, id LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING id, job, available_at AS "availableAt"`,
      [jobs, limit],
    );
    return rows;
  }

  /** Rows that were relayed a while ago and are still open, in order from `after` on. An audit entry is never too old to be written. */
  findOverdue(
    outbox: OutboxName,
    jobs: string[],
    { relayedBefore, notOlderThan, after, limit }: OverdueQuery,
  ): Promise<RelayableRow[]> {
    return this.dataSource.query(
      `SELECT id, job, available_at AS "availableAt" FROM ${outbox}.outbox
       WHERE done_at IS NULL AND job = ANY ($1)
         AND relayed_at < now() - $2 * interval '1 millisecond'
         AND (available_at > now() - $3 * interval '1 millisecond' OR job LIKE 'audit.%')
         AND (available_at, id) > ($4, $5)
       ORDER BY available_at, id LIMIT $6`,
      [jobs, relayedBefore, notOlderThan, after?.availableAt ?? '-infinity', after?.id ?? FIRST_ID, limit],
    );
  }

  async markRelayedAgain(outbox: OutboxName, ids: string[]): Promise<void> {
    await this.dataSource.query(`UPDATE ${outbox}.outbox SET relayed_at = now() WHERE id = ANY ($1)`, [ids]);
  }

  /** The open rows of all outboxes, by job. */
  openJobs(): Promise<OpenJobs[]> {
    const each = OUTBOXES.map(
      (outbox) => `SELECT job, last_error, available_at FROM ${outbox}.outbox WHERE done_at IS NULL`,
    );
    return this.dataSource.query(
      `SELECT job, count(*) FILTER (WHERE last_error IS NOT NULL) AS failed,
         extract(epoch FROM now() - min(available_at) FILTER (WHERE available_at <= now())) AS oldest
       FROM (${each.join(' UNION ALL ')}) AS open GROUP BY job`,
    );
  }
}
