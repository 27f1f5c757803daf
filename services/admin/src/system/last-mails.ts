import { Injectable } from '@nestjs/common';
import { EventChanged, type MailStatus } from '@meetmark/contracts';
import { DataSource } from 'typeorm';

const SHOWN = 20;

interface MailRow {
  id: string;
  job: string;
  created_at: Date;
  done_at: Date | null;
  attempts: number;
  last_error: string | null;
  skipped: boolean;
}

/** What became of the newest mails, from the outboxes that asked for them. */
@Injectable()
export class LastMails {
  constructor(private readonly dataSource: DataSource) {}

  async newest(): Promise<MailStatus[]> {
    // A fan-out is no mail itself: the mails that it becomes have rows of their own.
    const from = (owner: string) =>
      `(SELECT * FROM ${owner}.mail_status WHERE job <> $1 ORDER BY created_at DESC LIMIT $2)`;
    const rows = await this.dataSource.query<MailRow[]>(
      `SELECT * FROM (${from('auth')} UNION ALL ${from('events')}) AS mails ORDER BY created_at DESC, id DESC LIMIT $2`,
      [EventChanged.name, SHOWN],
    );
    return rows.map(present);
  }
}

function present(row: MailRow): MailStatus {
  const state = stateOf(row);
  return {
    id: row.id,
    kind: row.job,
    state,
    createdAt: row.created_at.toISOString(),
    sentAt: state === 'sent' && row.done_at !== null ? row.done_at.toISOString() : null,
    attempts: row.attempts,
    lastError: row.last_error,
  };
}

function stateOf({ last_error, done_at, skipped }: MailRow): MailStatus['state'] {
  if (last_error !== null) return 'failing';
  if (done_at === null) return 'waiting';
  return skipped ? 'skipped' : 'sent';
}
