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
  recipient: string | null;
}

const FIELDS = 'id, job, created_at, done_at, attempts, last_error, skipped';
// A fan-out is not a mail itself: the mails that it creates have their own rows.
const newest = (which: string) => `
  WITH of_auth AS (
    SELECT ${FIELDS}, recipient FROM auth.mail_status WHERE ${which} ORDER BY created_at DESC LIMIT $2),
  of_events AS (
    SELECT ${FIELDS}, recipient_id, recipient FROM events.mail_status WHERE job <> $1 AND ${which}
    ORDER BY created_at DESC LIMIT $2),
  mails AS (
    SELECT * FROM of_auth
    UNION ALL
    SELECT ${FIELDS.replace('id', 'mail.id')}, coalesce(email, recipient) FROM of_events AS mail
    LEFT JOIN auth.mail_address AS address ON address.id = mail.recipient_id)
  SELECT * FROM mails ORDER BY created_at DESC, id DESC LIMIT $2`;

/** The state of the newest mails, from the outboxes that requested them. */
@Injectable()
export class MailsRepository {
  constructor(private readonly dataSource: DataSource) {}

  newest(): Promise<MailStatus[]> {
    return this.find('true');
  }

  /** Given up, however many others went out since. */
  refused(): Promise<MailStatus[]> {
    return this.find('done_at IS NOT NULL AND last_error IS NOT NULL');
  }

  private async find(which: string): Promise<MailStatus[]> {
    const rows = await this.dataSource.query<MailRow[]>(newest(which), [EventChanged.name, SHOWN]);
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
    recipient: row.recipient,
    lastError: row.last_error,
  };
}

function stateOf({ last_error, done_at, skipped }: MailRow): MailStatus['state'] {
  if (last_error !== null) return done_at === null ? 'failing' : 'refused';
  if (done_at === null) return 'waiting';
  return skipped ? 'skipped' : 'sent';
}
