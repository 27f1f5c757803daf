import { EventChanged, type MailCheck, type RetentionRun } from '@meetmark/contracts';
import type { DataSource } from 'typeorm';

interface ChecklistCounts {
  members: number;
  owners: number;
  ownersWithFactor: number;
  topics: number;
  published: number;
  held: number;
  mailArrived: boolean;
}

/** Condition for emails that the mail server accepted. Their jobs are deleted after a week. */
const TAKEN = 'done_at IS NOT NULL AND last_error IS NULL AND NOT skipped';
const COUNTS = `
  SELECT accounts.members, accounts.owners, accounts.owners_with_factor AS "ownersWithFactor",
    events.topics, events.published, events.held,
    accounts.proved_by_mail
      OR EXISTS (SELECT FROM auth.mail_status WHERE ${TAKEN})
      OR EXISTS (SELECT FROM events.mail_status WHERE ${TAKEN} AND job <> $1) AS "mailArrived"
  FROM auth.checklist AS accounts, events.checklist AS events`;

export async function checklistCounts(dataSource: DataSource): Promise<ChecklistCounts> {
  const [counts] = await dataSource.query<[ChecklistCounts]>(COUNTS, [EventChanged.name]);
  return counts;
}

export async function lastMailCheck(dataSource: DataSource): Promise<MailCheck | null> {
  const [row] = await dataSource.query<(Omit<MailCheck, 'checkedAt'> & { checkedAt: Date })[]>(
    'SELECT domain, selector, records, checked_at AS "checkedAt" FROM admin.mail_check',
  );
  return row === undefined ? null : { ...row, checkedAt: row.checkedAt.toISOString() };
}

export async function lastBackupAt(dataSource: DataSource): Promise<string | null> {
  const [row] = await dataSource.query<{ made_at: Date }[]>('SELECT made_at FROM admin.last_backup');
  return row?.made_at.toISOString() ?? null;
}

export async function lastRetentionRun(dataSource: DataSource): Promise<RetentionRun | null> {
  const [row] = await dataSource.query<(Omit<RetentionRun, 'ranAt'> & { ranAt: Date })[]>(
    'SELECT ran_at AS "ranAt", removed FROM admin.retention_run',
  );
  return row === undefined ? null : { ...row, ranAt: row.ranAt.toISOString() };
}
