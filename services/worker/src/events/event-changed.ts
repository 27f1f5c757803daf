import { EventChanged, EventChangedMail, mailboxSql, type PayloadOf, REGISTERED } from '@meetmark/contracts';
import { insertJobs, notifyRelay, OutboxReader } from '@meetmark/platform';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { v5 as toUuid } from 'uuid';
import { HandlesJob, type JobContext } from '../queue/job-handler.js';

type Payload = PayloadOf<typeof EventChanged>;
type Person = Pick<PayloadOf<typeof EventChangedMail>, 'userId' | 'registrationId'>;
type MailPayload = PayloadOf<typeof EventChangedMail>;

/** Guests without an account get one email per mailbox. */
@Injectable()
export class EventChangedJob {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: OutboxReader,
  ) {}

  @HandlesJob(EventChanged)
  async handle(change: Payload, { id, createdAt }: JobContext): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // Claims the job in the transaction that adds the emails. Otherwise, a retry would mistake them for
      // emails about an earlier edit.
      if (!(await this.outbox.claim(manager, 'events', id))) return;
      const people = await this.peopleRegistered(manager, change.eventId, createdAt, change.since);
      // Skips unsent emails about an earlier edit. `mailTo` adds their content to the new emails.
      const unsent = await this.outbox.skipOpen(
        manager,
        'events',
        EventChangedMail,
        'eventId',
        change.eventId,
      );
      const unsentTo = new Map(unsent.map((mail) => [mail.userId ?? mail.registrationId, mail]));
      const rows = people
        .map(({ late, ...person }) => {
          const key = person.userId ?? person.registrationId!;
          // Derived ids prevent duplicates after a retry.
          return { id: toUuid(key, id), payload: mailTo(person, late, change, unsentTo.get(key)) };
        })
        .filter(({ payload }) => payload.changed.length > 0 || payload.notes!.length > 0);
      await this.write(manager, rows);
    });
  }

  /**
   * `late` is true for people who registered after the first of several edits. They may have seen a state
   * between the edits.
   */
  private async peopleRegistered(
    manager: EntityManager,
    eventId: string,
    before: Date,
    since: string | undefined,
  ): Promise<(Person & { late: boolean })[]> {
    const rows = await manager.query<{ id: string; userId: string | null; late: boolean }[]>(
      `SELECT DISTINCT ON (user_id, ${mailboxSql('guest_email')}) id, user_id AS "userId", coalesce(registered_at > $3, false) AS late
       FROM events.event_registrations
       WHERE event_id = $1 AND status = '${REGISTERED}' AND registered_at <= $2
         AND (user_id IS NOT NULL OR guest_email IS NOT NULL) ORDER BY user_id, ${mailboxSql('guest_email')}, id`,
      [eventId, before, since ?? null],
    );
    return rows.map(({ id, userId, late }) => ({
      ...(userId === null ? { registrationId: id } : { userId }),
      late,
    }));
  }

  private async write(manager: EntityManager, rows: { id: string; payload: MailPayload }[]): Promise<void> {
    const source = 'FROM unnest($1::uuid[], $2::jsonb[]) AS mail (id, payload) ON CONFLICT (id) DO NOTHING';
    await manager.query(insertJobs('events', EventChangedMail, { id: 'id', payload: 'payload' }, source), [
      rows.map(({ id }) => id),
      rows.map(({ payload }) => JSON.stringify(payload)),
    ]);
    await manager.query(`SELECT ${notifyRelay('events')}`);
  }
}

/** @param unsent skipped email about an earlier edit; its `before` values are what the recipient saw last */
function mailTo(
  person: Person,
  late: boolean,
  change: Payload,
  unsent: MailPayload | undefined,
): MailPayload {
  const { eventId, sequence, changed, edited = changed, before = {}, notes = [] } = change;
  const { details: _, ...shown } = before;
  return {
    eventId,
    ...person,
    sequence,
    changed: [...new Set([...(late ? edited : changed), ...(unsent?.changed ?? [])])],
    before: { ...(late ? {} : shown), ...unsent?.before },
    notes: [...(unsent?.notes ?? []), ...notes],
  };
}
