import { Injectable } from '@nestjs/common';
import type { Job } from '@meetmark/contracts';
import { cutText } from '@meetmark/contracts/cut-text';
import { DataSource, type EntityManager } from 'typeorm';
import { v7 as uuid } from 'uuid';
import { currentCall } from '../call/call.js';
import { redactText } from '../log/redaction.js';

export const OUTBOX_CHANNEL = 'outbox';

/** PostgreSQL sends the notification on commit. */
export const notifyRelay = (schema: string): string => `pg_notify('${OUTBOX_CHANNEL}', '${schema}')`;

export const requestId = (): string | null => currentCall()?.requestId ?? null;

interface JobColumns {
  id: string;
  payload: string;
  requestId?: string;
  availableAt?: string;
}

/** Returns SQL that adds one job per row of `source`. `source` is SQL that starts with FROM or WHERE. */
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
  /** Set this if the work must not be done twice. A second job with the same id is ignored. */
  id?: string;
  notBefore?: Date;
}

/** Adds jobs in the caller's transaction, so that they run only if it commits. */
export class OutboxWriter {
  constructor(private readonly schema: string) {}

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

  /** Ends open jobs that a newer job replaces. These are the jobs whose payload has `value` under `key`. */
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

export const OUTBOXES = ['auth', 'events'] as const;
export type OutboxName = (typeof OUTBOXES)[number];

interface OutboxEntry {
  payload: object;
  requestId: string | null;
  createdAt: Date;
}

interface RelayableRow {
  id: string;
  job: string;
  availableAt: Date;
}

export interface OverdueRow extends RelayableRow {
  /** Whether the job is too old to be queued again. Never true for audit entries. */
  expired: boolean;
}

interface OverdueQuery {
  /** Minimum milliseconds since the row was relayed. */
  relayedBefore: number;
  after: RelayableRow | undefined;
  limit: number;
}

export interface OpenJobs {
  job: string;
  failed: string;
  delayed: string;
  /** In seconds. */
  oldest: string | null;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const ERROR_LENGTH = 500;
/** Hides email addresses in errors of mail servers, because the outbox row may outlive the account. */
const storedReason = (reason: string) => cutText(redactText(reason), ERROR_LENGTH);

/** Time limit for retries of failed or lost jobs. Jobs for the audit log have none. */
const PATIENCE = "interval '24 hours'";
const HAS_LIMIT = "job NOT LIKE 'audit.%'";
/** Milliseconds. */
const LONGEST_PAUSE = 3_600_000;
/** Maximum number of times that a pause doubles. This reaches LONGEST_PAUSE without an overflow. */
const DOUBLINGS = 30;

@Injectable()
export class OutboxReader {
  constructor(private readonly dataSource: DataSource) {}

  async findOpen(outbox: OutboxName, id: string): Promise<OutboxEntry | null> {
    const [row] = await this.dataSource.query<OutboxEntry[]>(
      `SELECT payload, request_id AS "requestId", created_at AS "createdAt"
       FROM ${outbox}.outbox WHERE id = $1 AND done_at IS NULL AND available_at <= now()`,
      [id],
    );
    return row ?? null;
  }

  async markDone(outbox: OutboxName, id: string, skipped: boolean): Promise<void> {
    await this.dataSource.query(
      `UPDATE ${outbox}.outbox SET done_at = now(), last_error = NULL, skipped = $2,
         attempts = attempts + CASE WHEN $2 OR done_at IS NOT NULL THEN 0 ELSE 1 END
       WHERE id = $1`,
      [id, skipped],
    );
  }

  async defer(outbox: OutboxName, id: string, until: Date): Promise<void> {
    await this.dataSource.query(
      `UPDATE ${outbox}.outbox SET available_at = $2, relayed_at = NULL, last_error = NULL, failing_since = NULL
       WHERE id = $1 AND done_at IS NULL`,
      [id, until],
    );
  }

  async markGivenUp(outbox: OutboxName, id: string, reason: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE ${outbox}.outbox SET done_at = now(), attempts = attempts + 1, last_error = $2 WHERE id = $1`,
      [id, storedReason(reason)],
    );
  }

  /**
   * Schedules the next attempt. The pause starts at `firstPause` milliseconds and doubles up to an hour. It
   * is then shortened at random by up to half. If the next attempt would be more than 24 hours after the
   * first failure, ends the job and returns true. Jobs for the audit log never end this way.
   */
  async recordFailure(outbox: OutboxName, id: string, reason: string, firstPause: number): Promise<boolean> {
    const [row] = await this.dataSource.query<[{ ended: boolean }?]>(
      `WITH attempt AS (
         SELECT id, coalesce(failing_since, now()) AS since, now() + interval '1 millisecond'
             * (1 - random() / 2) * least($3 * power(2, least(attempts, ${DOUBLINGS})), ${LONGEST_PAUSE}) AS next
         FROM ${outbox}.outbox WHERE id = $1 AND done_at IS NULL),
       failed AS (
         UPDATE ${outbox}.outbox AS o SET attempts = attempts + 1, last_error = $2, failing_since = since,
           available_at = next, relayed_at = NULL, done_at = CASE WHEN next > since + ${PATIENCE} AND ${HAS_LIMIT} THEN now() END
         FROM attempt WHERE o.id = attempt.id AND o.done_at IS NULL RETURNING done_at)
       SELECT done_at IS NOT NULL AS ended, ${notifyRelay(outbox)} FROM failed`,
      [id, storedReason(reason), firstPause],
    );
    return row?.ended ?? false;
  }

  async claim(manager: EntityManager, outbox: OutboxName, id: string): Promise<boolean> {
    const [, claimed] = await manager.query<[unknown[], number]>(
      `UPDATE ${outbox}.outbox SET done_at = now() WHERE id = $1 AND done_at IS NULL`,
      [id],
    );
    return claimed === 1;
  }

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

  /**
   * Returns the milliseconds until the next row of each outbox is due. The value is 0 or less if a row is due
   * now, and Infinity if no row is waiting.
   */
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

  async takeWaiting(
    manager: EntityManager,
    outbox: OutboxName,
    jobs: string[],
    limit: number,
  ): Promise<RelayableRow[]> {
    // TypeORM returns [rows, count] for an UPDATE.
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

  findOverdue(
    outbox: OutboxName,
    jobs: string[],
    { relayedBefore, after, limit }: OverdueQuery,
  ): Promise<OverdueRow[]> {
    return this.dataSource.query(
      `SELECT id, job, available_at AS "availableAt",
         coalesce(failing_since, available_at) < now() - ${PATIENCE} AND ${HAS_LIMIT} AS expired
       FROM ${outbox}.outbox
       WHERE done_at IS NULL AND job = ANY ($1)
         AND relayed_at < now() - $2 * interval '1 millisecond'
         AND (available_at, id) > ($3, $4)
       ORDER BY available_at, id LIMIT $5`,
      [jobs, relayedBefore, after?.availableAt ?? '-infinity', after?.id ?? FIRST_ID, limit],
    );
  }

  async markExpired(outbox: OutboxName, ids: string[]): Promise<void> {
    await this.dataSource.query(
      `UPDATE ${outbox}.outbox SET done_at = now(), last_error = coalesce(last_error, 'Not done within 24 hours')
       WHERE id = ANY ($1) AND done_at IS NULL`,
      [ids],
    );
  }

  async markRelayedAgain(outbox: OutboxName, ids: string[]): Promise<void> {
    await this.dataSource.query(`UPDATE ${outbox}.outbox SET relayed_at = now() WHERE id = ANY ($1)`, [ids]);
  }

  openJobs(): Promise<OpenJobs[]> {
    const each = OUTBOXES.map(
      (outbox) =>
        `SELECT job, last_error, available_at, failing_since FROM ${outbox}.outbox WHERE done_at IS NULL`,
    );
    return this.dataSource.query(
      `SELECT job, count(*) FILTER (WHERE last_error IS NOT NULL) AS failed,
         count(*) FILTER (WHERE last_error IS NOT NULL AND available_at > now()) AS delayed,
         extract(epoch FROM now() - min(coalesce(failing_since, available_at))
           FILTER (WHERE available_at <= now() OR failing_since IS NOT NULL)) AS oldest
       FROM (${each.join(' UNION ALL ')}) AS open GROUP BY job`,
    );
  }
}
