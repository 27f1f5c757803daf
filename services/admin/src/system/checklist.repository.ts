import { EventChanged, type MailCheck } from '@meetmark/contracts';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

export interface ChecklistCounts {
  members: number;
  owners: number;
  ownersWithFactor: number;
  topics: number;
  published: number;
  held: number;
  mailArrived: boolean;
}

/** A mail that the mail server took; the row stays for a week. */
const TAKEN = 'done_at IS NOT NULL AND last_error IS NULL AND NOT skipped';
// A fan-out is not a mail itself.
const COUNTS = `
  SELECT accounts.members, accounts.owners, accounts.owners_with_factor AS "ownersWithFactor",
    events.topics, events.published, events.held,
    accounts.proved_by_mail
      OR EXISTS (SELECT FROM auth.mail_status WHERE ${TAKEN})
      OR EXISTS (SELECT FROM events.mail_status WHERE ${TAKEN} AND job <> $1) AS "mailArrived"
  FROM auth.checklist AS accounts, events.checklist AS events`;

/** What the checklist is computed from, as the owners of the data publish it, and as the worker and the backup command have noted it. */
@Injectable()
export class ChecklistRepository {
  constructor(private readonly dataSource: DataSource) {}

  async counts(): Promise<ChecklistCounts> {
    const [counts] = await this.dataSource.query<[ChecklistCounts]>(COUNTS, [EventChanged.name]);
    return counts;
  }

  async mailCheck(): Promise<MailCheck | null> {
    const [row] = await this.dataSource.query<(Omit<MailCheck, 'checkedAt'> & { checkedAt: Date })[]>(
      'SELECT domain, selector, records, checked_at AS "checkedAt" FROM admin.mail_check',
    );
    return row === undefined ? null : { ...row, checkedAt: row.checkedAt.toISOString() };
  }

  /** ISO 8601; null before the first one. */
  async lastBackup(): Promise<string | null> {
    const [row] = await this.dataSource.query<{ made_at: Date }[]>('SELECT made_at FROM admin.last_backup');
    return row?.made_at.toISOString() ?? null;
  }
}
