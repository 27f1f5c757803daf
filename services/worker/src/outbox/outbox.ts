import { redactText } from '@meetmark/platform/log/redaction';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** Schemas whose services have an outbox. */
export const OUTBOXES = ['auth', 'events'] as const;
export type OutboxName = (typeof OUTBOXES)[number];

export interface OutboxEntry {
  payload: object;
  requestId: string | null;
  createdAt: Date;
}

export interface RelayableRow {
  id: string;
  job: string;
  availableAt: Date;
}

const ERROR_LENGTH = 500;
/** Mail servers name whom they refuse: the row would say so for longer than the account may exist. */
const keepable = (reason: string) => redactText(reason).slice(0, ERROR_LENGTH);

/** The SQL of the outbox tables, from the worker's side. */
@Injectable()
export class Outbox {
  constructor(private readonly dataSource: DataSource) {}

  /** The row if its work is still to be done, else null. */
  async findOpen(outbox: OutboxName, id: string): Promise<OutboxEntry | null> {
    const [row] = await this.dataSource.query<OutboxEntry[]>(
      `SELECT payload, request_id AS "requestId", created_at AS "createdAt"
       FROM ${outbox}.outbox WHERE id = $1 AND done_at IS NULL`,
      [id],
    );
    return row ?? null;
  }

  /** The work that was done is an attempt too; work that was skipped, or is marked a second time, is none. */
  async markDone(outbox: OutboxName, id: string, skipped: boolean): Promise<void> {
    await this.dataSource.query(
      `UPDATE ${outbox}.outbox SET done_at = now(), last_error = NULL, skipped = $2,
         attempts = attempts + CASE WHEN $2 OR done_at IS NOT NULL THEN 0 ELSE 1 END
       WHERE id = $1`,
      [id, skipped],
    );
  }

  /** Never to be tried again; the reason stays readable. */
  async markGivenUp(outbox: OutboxName, id: string, reason: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE ${outbox}.outbox SET done_at = now(), attempts = attempts + 1, last_error = $2 WHERE id = $1`,
      [id, keepable(reason)],
    );
  }

  async recordFailure(outbox: OutboxName, id: string, reason: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE ${outbox}.outbox SET attempts = attempts + 1, last_error = $2 WHERE id = $1`,
      [id, keepable(reason)],
    );
  }

  /** Marks up to `limit` waiting rows as relayed, until the transaction ends for this relay alone. */
  takeWaiting(
    manager: EntityManager,
    outbox: OutboxName,
    jobs: string[],
    limit: number,
  ): Promise<RelayableRow[]> {
    return this.rows(
      manager.query(
        `UPDATE ${outbox}.outbox SET relayed_at = now() WHERE id IN (
           SELECT id FROM ${outbox}.outbox
           WHERE done_at IS NULL AND relayed_at IS NULL AND available_at <= now() AND job = ANY ($1)
           ORDER BY available_at, id LIMIT $2 FOR UPDATE SKIP LOCKED)
         RETURNING id, job, available_at AS "availableAt"`,
        [jobs, limit],
      ),
    );
  }

  /**
   * Rows that were relayed a while ago and are still not done, in order, beginning after `after`. An entry of the audit log is never too
   * old to be written.
   */
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

  // TypeORM answers an UPDATE with [rows, count].
  private async rows(answer: Promise<[RelayableRow[], number]>): Promise<RelayableRow[]> {
    const [rows] = await answer;
    return rows;
  }
}

export interface OverdueQuery {
  /** Milliseconds since the row was relayed. */
  relayedBefore: number;
  /** Milliseconds since the row's work could first be done. */
  notOlderThan: number;
  after: RelayableRow | undefined;
  limit: number;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
