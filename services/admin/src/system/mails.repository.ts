import { EventChanged, type MailStatus } from '@meetmark/contracts';
import type { DataSource } from 'typeorm';

const SHOWN = 20;

interface MailRow {
  id: string;
  job: string;
  created_at: Date;
  done_at: Date | null;
  attempts: number;
  available_at: Date;
  last_error: string | null;
  skipped: boolean;
  recipient: string | null;
}

const FIELDS = 'id, job, created_at, done_at, attempts, available_at, last_error, skipped';
// Leaves out the job $1, because it only creates other jobs, one per email.
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

export const newestMails = (dataSource: DataSource) => findMails(dataSource, 'true');

export const refusedMails = (dataSource: DataSource) =>
  findMails(dataSource, 'done_at IS NOT NULL AND last_error IS NOT NULL');

async function findMails(dataSource: DataSource, which: string): Promise<MailStatus[]> {
  const rows = await dataSource.query<MailRow[]>(newest(which), [EventChanged.name, SHOWN]);
  return rows.map(present);
}

function present(row: MailRow): MailStatus {
  const state = getState(row);
  return {
    id: row.id,
    kind: row.job,
    state,
    createdAt: row.created_at.toISOString(),
    sentAt: state === 'sent' && row.done_at !== null ? row.done_at.toISOString() : null,
    attempts: row.attempts,
    nextAttemptAt: state === 'failing' ? row.available_at.toISOString() : null,
    recipient: row.recipient,
    lastError: row.last_error,
  };
}

function getState({ last_error, done_at, skipped }: MailRow): MailStatus['state'] {
  if (last_error !== null) return done_at === null ? 'failing' : 'refused';
  if (done_at === null) return 'waiting';
  return skipped ? 'skipped' : 'sent';
}
